#include "glasswood/attribution_rule.hpp"

#include <cmath>
#include <numbers>

namespace glasswood {

GaussRule make_gauss_rule(int n) {
    GaussRule rule;
    const auto size = static_cast<long double>(n);
    for (int i = 0; i < n; ++i) {
        // Newton's method for the roots of the Legendre polynomial, from Tricomi's first guess
        long double x = std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (size + 0.5L));
        long double slope = 1;
        for (int step = 0; step < 100; ++step) {
            long double before = 1, here = x;
            for (int k = 2; k <= n; ++k) {
                const auto order = static_cast<long double>(k);
                const long double next = ((2 * order - 1) * x * here - (order - 1) * before) / order;
                before = here;
                here = next;
            }
            slope = size * (x * here - before) / (x * x - 1);
            const long double move = here / slope;
            x -= move;
            if (std::fabs(move) < 1e-19L) break;
        }
        rule.point.push_back(static_cast<double>((x + 1) / 2));
        rule.weight.push_back(static_cast<double>(1 / ((1 - x * x) * slope * slope)));
    }
    return rule;
}

const GaussRule& gauss_rule(int n_points) {
    static const std::vector<GaussRule> rules = [] {
        std::vector<GaussRule> made(1);
        for (int n = 1; n <= 32; ++n) made.push_back(make_gauss_rule(n));
        return made;
    }();
    return rules[static_cast<std::size_t>(n_points)];
}

BetaTable::BetaTable(int most) : stride_(static_cast<std::size_t>(most) + 1), values_(stride_ * stride_, 0.0) {
    for (int a = 1; a <= most; ++a) {
        long double value = 1.0L / a;
        for (int b = 0; b <= most; ++b) {
            if (b > 0) value *= static_cast<long double>(b) / static_cast<long double>(a + b);
            values_[static_cast<std::size_t>(a) * stride_ + b] = static_cast<double>(value);
        }
    }
}

const BetaTable& beta_table() {
    static const BetaTable table(64);
    return table;
}

}  // namespace glasswood

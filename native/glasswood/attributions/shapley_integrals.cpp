#include "glasswood/attributions/shapley_integrals.hpp"

#include <utility>
#include <vector>

namespace glasswood::attributions {

namespace {

struct Legendre {
    long double value, slope;
};

// The Legendre polynomial of order n inside (−1, 1).
Legendre legendre(int n, long double x) {
    long double before = 1, here = x;
    for (int k = 2; k <= n; ++k) {
        const auto order = static_cast<long double>(k);
        const long double next = ((2 * order - 1) * x * here - (order - 1) * before) / order;
        before = here;
        here = next;
    }
    return {here, static_cast<long double>(n) * (x * here - before) / (x * x - 1)};
}

// The root between two neighbouring roots of the order below, where the polynomial changes its sign once.
long double root_between(int n, long double low, long double high) {
    const bool negative_low = legendre(n, low + (high - low) * 1e-9L).value < 0;
    for (int step = 0; step < 30; ++step) {
        const long double middle = (low + high) / 2;
        ((legendre(n, middle).value < 0) == negative_low ? low : high) = middle;
    }
    long double x = (low + high) / 2;
    for (int step = 0; step < 3; ++step) {  // Newton's method doubles the digits each time
        const Legendre at = legendre(n, x);
        x -= at.value / at.slope;
    }
    return x;
}

// Roots of each order lie between those of the order below, so no first guess is needed.
std::vector<long double> next_roots(const std::vector<long double>& roots) {
    const auto order = static_cast<int>(roots.size()) + 1;
    std::vector<long double> next;
    for (std::size_t i = 0; i <= roots.size(); ++i) {
        next.push_back(root_between(order, i == 0 ? -1.0L : roots[i - 1], i == roots.size() ? 1.0L : roots[i]));
    }
    return next;
}

GaussRule rule_of(const std::vector<long double>& roots) {
    GaussRule rule;
    for (const long double x : roots) {
        const long double slope = legendre(static_cast<int>(roots.size()), x).slope;
        rule.point.push_back(static_cast<double>((x + 1) / 2));
        rule.weight.push_back(static_cast<double>(1 / ((1 - x * x) * slope * slope)));
    }
    return rule;
}

}  // namespace

GaussRule make_gauss_rule(int n) {
    std::vector<long double> roots;
    for (int order = 1; order <= n; ++order) roots = next_roots(roots);
    return rule_of(roots);
}

const GaussRule& gauss_rule(int n_points) {
    static const std::vector<GaussRule> rules = [] {
        std::vector<GaussRule> made(1);
        std::vector<long double> roots;
        for (int n = 1; n <= 32; ++n) {
            roots = next_roots(roots);
            made.push_back(rule_of(roots));
        }
        return made;
    }();
    return rules[static_cast<std::size_t>(n_points)];
}

BetaTable::BetaTable(int max_index)
    : stride_(static_cast<std::size_t>(max_index) + 1), values_(stride_ * stride_, 0.0) {
    for (int a = 1; a <= max_index; ++a) {
        long double value = 1.0L / a;
        for (int b = 0; b <= max_index; ++b) {
            if (b > 0) value *= static_cast<long double>(b) / static_cast<long double>(a + b);
            values_[static_cast<std::size_t>(a) * stride_ + b] = static_cast<double>(value);
        }
    }
}

const BetaTable& beta_table() {
    static const BetaTable table(64);
    return table;
}

}  // namespace glasswood::attributions

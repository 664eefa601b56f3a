#include "glasswood/attributions/shapley_integrals.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "glasswood/base/extended.hpp"

namespace glasswood::attributions {

namespace {

using Real = base::Digits64;  // the same last bits on every machine

Real whole(int k) { return static_cast<Real>(std::int64_t{k}); }

struct Legendre {
    Real value, slope;
};

// The Legendre polynomial of order n inside (−1, 1).
Legendre legendre(int n, Real x) {
    const Real one = whole(1), two = whole(2);
    Real before = one, here = x;
    for (int k = 2; k <= n; ++k) {
        const Real order = whole(k);
        const Real next = ((two * order - one) * x * here - (order - one) * before) / order;
        before = here;
        here = next;
    }
    return {here, whole(n) * (x * here - before) / (x * x - one)};
}

// The root between two neighbouring roots of the order below, where the polynomial changes its sign once.
Real root_between(int n, Real low, Real high) {
    const Real two = whole(2), zero = whole(0), beside = whole(1) / whole(1'000'000'000);
    const bool negative_low = legendre(n, low + (high - low) * beside).value < zero;
    for (int step = 0; step < 30; ++step) {
        const Real middle = (low + high) / two;
        ((legendre(n, middle).value < zero) == negative_low ? low : high) = middle;
    }
    Real x = (low + high) / two;
    for (int step = 0; step < 3; ++step) {  // Newton's method doubles the digits each time
        const Legendre at = legendre(n, x);
        x = x - at.value / at.slope;
    }
    return x;
}

// Roots of each order lie between those of the order below, so no first guess is needed.
std::vector<Real> next_roots(const std::vector<Real>& roots) {
    const auto order = static_cast<int>(roots.size()) + 1;
    std::vector<Real> next;
    for (std::size_t i = 0; i <= roots.size(); ++i) {
        const Real low = i == 0 ? whole(-1) : roots[i - 1], high = i == roots.size() ? whole(1) : roots[i];
        next.push_back(root_between(order, low, high));
    }
    return next;
}

GaussRule rule_of(const std::vector<Real>& roots) {
    const Real one = whole(1);
    GaussRule rule;
    for (const Real x : roots) {
        const Real slope = legendre(static_cast<int>(roots.size()), x).slope;
        rule.point.push_back(static_cast<double>((x + one) / whole(2)));
        rule.weight.push_back(static_cast<double>(one / ((one - x * x) * slope * slope)));
    }
    return rule;
}

}  // namespace

GaussRule make_gauss_rule(int n) {
    std::vector<Real> roots;
    for (int order = 1; order <= n; ++order) roots = next_roots(roots);
    return rule_of(roots);
}

const GaussRule& gauss_rule(int n_points) {
    static const std::vector<GaussRule> rules = [] {
        std::vector<GaussRule> made(1);
        std::vector<Real> roots;
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
        Real value = whole(1) / whole(a);
        for (int b = 0; b <= max_index; ++b) {
            if (b > 0) value = value * (whole(b) / whole(a + b));
            values_[static_cast<std::size_t>(a) * stride_ + b] = static_cast<double>(value);
        }
    }
}

const BetaTable& beta_table() {
    static const BetaTable table(64);
    return table;
}

}  // namespace glasswood::attributions

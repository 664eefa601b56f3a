// Step: the value of a leaf. A Newton step may pass the minimum of the leaf's own loss and then do harm; where the
// minimum is known, it ends there.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/base/elementary.hpp"
#include "glasswood/boosting/gain.hpp"

namespace glasswood::boosting {

struct StepRule {
    double l2 = 1.0;
    double power = std::numeric_limits<double>::quiet_NaN();  // of the variance of a log-link loss; NaN: another loss
    double largest = std::numeric_limits<double>::infinity();
};

// The constant that minimises a log-link loss of variance power q over the rows of a leaf: with μ = eᵖ,
// A = Σ μ²⁻ᵠ and B = Σ yμ¹⁻ᵠ the sums are G = A − B and H = (2−q)A + (q−1)B, and the minimum is at log(B/A) =
// log((H − (2−q)G) / (H + (q−1)G)). 1 is poisson, 2 gamma, between them lies tweedie. NaN where a sum is lost to
// rounding.
inline double minimum(double grad, double hess, double power) {
    const double above = hess - (2.0 - power) * grad;
    const double below = hess + (power - 1.0) * grad;
    return above > 0.0 && below > 0.0 ? base::elementary::log(above / below) : std::numeric_limits<double>::quiet_NaN();
}

// The Newton step, or the minimum where that is nearer, up to the largest step.
inline double step(double grad, double hess, const StepRule& rule) {
    double value = leaf_value(grad, hess, rule.l2);
    if (!std::isnan(rule.power)) {
        const double nearest = minimum(grad, hess, rule.power);
        if (std::fabs(nearest) < std::fabs(value)) value = nearest;
    }
    return std::clamp(value, -rule.largest, rule.largest);
}

}  // namespace glasswood::boosting

// Step: the value of a leaf. A Newton step may pass the minimum of the leaf's own loss and then do harm; where the
// minimum is known, it ends there. No standard header is needed, so that a GPU compiler can read this text as it is.
#pragma once

#include "glasswood/base/elementary.hpp"
#include "glasswood/base/macros.hpp"
#include "glasswood/boosting/gain.hpp"

namespace glasswood::boosting {

struct StepRule {
    double l2 = 1.0;
    // of the variance of a log-link loss; NaN: another loss
    double power = base::elementary::from_bits(base::elementary::nan_bits);
    double largest = base::elementary::from_bits(base::elementary::infinity_bits);
};

// The constant that minimises a log-link loss of variance power q over the rows of a leaf: with μ = eᵖ,
// A = Σ μ²⁻ᵠ and B = Σ yμ¹⁻ᵠ the sums are G = A − B and H = (2−q)A + (q−1)B, and the minimum is at log(B/A) =
// log((H − (2−q)G) / (H + (q−1)G)). 1 is poisson, 2 gamma, between them lies tweedie. NaN where a sum is lost to
// rounding.
GLASSWOOD_INLINE double minimum(double grad, double hess, double power) {
    const double above = hess - (2.0 - power) * grad;
    const double below = hess + (power - 1.0) * grad;
    return above > 0.0 && below > 0.0 ? base::elementary::log(above / below)
                                      : base::elementary::from_bits(base::elementary::nan_bits);
}

// The Newton step, or the minimum where that is nearer, up to the largest step.
GLASSWOOD_INLINE double step(double grad, double hess, const StepRule& rule) {
    double value = leaf_value(grad, hess, rule.l2);
    if (rule.power == rule.power) {
        const double nearest = minimum(grad, hess, rule.power);
        if (base::elementary::absolute(nearest) < base::elementary::absolute(value)) value = nearest;
    }
    const double above = value < -rule.largest ? -rule.largest : value;
    return above > rule.largest ? rule.largest : above;
}

}  // namespace glasswood::boosting

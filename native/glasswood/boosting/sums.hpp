// Sums: the four numbers that a row adds to a histogram, as whole units and as numbers. No standard header is needed,
// so that a GPU compiler can read this text as it is.
#pragma once

#include "glasswood/base/integers.hpp"
#include "glasswood/base/macros.hpp"

namespace glasswood::boosting {

// One row, or a sum over rows, in units. Aligned as memory is anyway: asking for more alignment takes
// longer.
struct alignas(16) Sums {
    base::Int64 grad;    // Σ g
    base::Int64 square;  // Σ g²/h, the squared Newton residual times its weight
    base::Int64 hess;    // Σ h
    base::Int64 weight;  // Σ sample_weight
};

// One row in coarse units, for sums of quantised gradients.
struct alignas(16) Narrow {
    base::Int32 grad;
    base::Int32 square;
    base::Int32 hess;
    base::Int32 weight;
};

// The same as numbers; also the size of one unit.
struct NodeSums {
    double grad;
    double square;
    double hess;
    double weight;
};

GLASSWOOD_INLINE Sums plus(const Sums& a, const Sums& b) {
    return {a.grad + b.grad, a.square + b.square, a.hess + b.hess, a.weight + b.weight};
}

GLASSWOOD_INLINE Sums minus(const Sums& a, const Sums& b) {
    return {a.grad - b.grad, a.square - b.square, a.hess - b.hess, a.weight - b.weight};
}

GLASSWOOD_INLINE NodeSums in_numbers(const Sums& sums, const NodeSums& unit) {
    return {static_cast<double>(sums.grad) * unit.grad, static_cast<double>(sums.square) * unit.square,
            static_cast<double>(sums.hess) * unit.hess, static_cast<double>(sums.weight) * unit.weight};
}

// g²/h of a row
GLASSWOOD_INLINE double square_of(double grad, double hess) {
    const double value = grad * grad / hess;
    return hess > 0.0 ? value : 0.0;
}

}  // namespace glasswood::boosting

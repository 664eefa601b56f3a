// Statistics: what a row adds to a histogram, as four 64-bit fixed-point numbers.
//
// A unit is the power of two at which the sum of all absolute values just fits, so a row is rounded by less
// than a float64 running sum would round it. It comes from the largest value and a sum of integers, so it does not
// depend on the order of the rows either. From there on nothing is lost: integer sums do not depend on the
// order or the number of threads, a sibling is exactly parent minus child, and one partition reached through
// two features has one gain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "glasswood/base/macros.hpp"
#include "glasswood/base/random.hpp"

namespace glasswood::boosting {

// One row, or a sum over rows, in units.
struct alignas(32) Sums {
    std::int64_t grad;    // Σ g
    std::int64_t square;  // Σ g²/h, the squared Newton residual times its weight
    std::int64_t hess;    // Σ h
    std::int64_t weight;  // Σ sample_weight
};

// One row in coarse units, for sums of quantised gradients.
struct alignas(16) Narrow {
    std::int32_t grad;
    std::int32_t square;
    std::int32_t hess;
    std::int32_t weight;
};

inline constexpr std::size_t narrow_rows = 16384;  // sums of so many fit 32 bits

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

// Fixed-point statistics of every row; an empty `weight` means 1. Returns the size of the units.
NodeSums to_fixed_point(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                        int n_threads, std::span<Sums> out);

// Quantised statistics of every row, at most 2¹⁶ units each: gradients and squares go up or down at random so that
// their expectation is kept; the draw of a row depends on its key alone, that of number[row] or of its position where
// `number` is empty. Hessians and weights are rounded to at least one unit where they are not 0. Returns the size of
// the units.
NodeSums to_integers(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                     const base::RowKeys& keys, std::span<const std::int64_t> number, int n_threads,
                     std::span<Narrow> out);

// Units in which 64-bit sums of the numbers themselves, at most 2¹⁶ narrow units each, over n_rows rows are exact.
NodeSums leaf_units(const NodeSums& narrow_unit, std::size_t n_rows);

}  // namespace glasswood::boosting

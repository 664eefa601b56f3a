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

#include "glasswood/base/random.hpp"
#include "glasswood/boosting/sums.hpp"

namespace glasswood::boosting {

inline constexpr std::size_t narrow_rows = 16384;  // sums of so many fit 32 bits

// One row, or a sum over rows, where the hessian is the weight and nobody asks for squares bin by bin.
struct alignas(16) Pair {
    std::int64_t grad;
    std::int64_t weight;
};

inline Pair plus(const Pair& a, const Pair& b) { return {a.grad + b.grad, a.weight + b.weight}; }

// Gradients of rows, times their weights; an empty `weight` means 1.
struct Gradients {
    std::span<const double> grad, hess, weight;
};

// What units are computed from. Machines that share a table merge both before anybody converts a row: the largest
// sizes first, then the sums, which need them.
NodeSums largest_of(const Gradients& rows, int n_threads);
// Sums of sizes in whole rough units, each rounded down.
Sums rough_sums(const Gradients& rows, const NodeSums& largest, int n_threads);

// Size of the units of fixed-point statistics of n rows.
NodeSums wide_units(const NodeSums& largest, const Sums& rough, std::size_t n);
// Size of the units of quantised statistics: the largest has 16 bits.
NodeSums narrow_units(const NodeSums& largest);

// Fixed-point statistics of every row in these units.
void to_fixed_point(const Gradients& rows, const NodeSums& unit, int n_threads, std::span<Sums> out);

// The same where every hessian is the weight: the pairs of rows, and their squares apart.
void to_pairs(const Gradients& rows, const NodeSums& unit, int n_threads, std::span<Pair> out,
              std::span<std::int64_t> square);

// Quantised statistics of every row, at most 2¹⁶ units each: gradients and squares go up or down at random so that
// their expectation is kept; the draw of a row depends on its key alone, that of number[row] or of its position where
// `number` is empty. Hessians and weights are rounded to at least one unit where they are not 0.
void to_integers(const Gradients& rows, const NodeSums& unit, const base::RowKeys& keys,
                 std::span<const std::int64_t> number, int n_threads, std::span<Narrow> out);

// Units in which 64-bit sums of the numbers themselves, at most 2¹⁶ narrow units each, over n_rows rows are exact.
NodeSums leaf_units(const NodeSums& narrow_unit, std::size_t n_rows);

}  // namespace glasswood::boosting

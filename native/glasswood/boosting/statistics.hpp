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

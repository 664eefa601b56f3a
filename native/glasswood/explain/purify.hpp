// Purify: what a table of two features does beyond functions of one: the weighted residual of v ≈ a(row) + b(column).
#pragma once

#include <cstdint>
#include <span>

namespace glasswood::explain {

// Writes v - a - b to `out`, a and b by least squares under `weight`. What that leaves open, rows or columns without
// weight and parts that share no weighted row or column, is settled by least squares over the cells of weight 0: the
// limit δ → 0 of weight + δ.
void purify(std::span<const double> value, std::span<const double> weight, std::int64_t n_rows, std::int64_t n_columns,
            std::span<double> out);

}  // namespace glasswood::explain

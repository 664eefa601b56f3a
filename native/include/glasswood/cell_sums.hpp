// Cell sums: what can be said about the rows in each cell of a table. Rows are added in their order, one by one, so
// that results do not depend on how they were cut into pieces.
#pragma once

#include <cstdint>
#include <span>

#include "glasswood/codes.hpp"

namespace glasswood {

// Adds the weight of rows [first, last) to tables (cells …), one after the other, one per tuple of `degree` features.
void count_cells(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                 std::size_t first, std::size_t last, int n_threads, double* weight);

// Tables of the same layout for the mean of `raw` (n rows, n_outputs) over the rows of a cell: per cell the weight, the
// sum of squared weights, and per output a running mean and a sum of squared deviations.
struct CellMoments {
    double* weight;   // (cells)
    double* squared;  // (cells)
    double* mean;     // (cells, n_outputs)
    double* scatter;  // (cells, n_outputs)
};

// Row r of `raw` belongs to row first + r of `codes`.
void add_moments(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                 std::size_t first, std::span<const double> raw, std::size_t n_outputs, int n_threads,
                 const CellMoments& moments);

// raw[r, o] -= table[o, cell of row r], for tables (n_outputs, cells …) of `degree` features each, in their order.
void subtract_tables(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                     std::span<const double> tables, std::size_t n_outputs, int n_threads, double* raw);

}  // namespace glasswood

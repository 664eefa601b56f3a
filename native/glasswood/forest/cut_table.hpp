// CutTable: a table of numbers and categories reduced to a few cells of each feature, as forests for rules need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::forest {

inline constexpr std::size_t max_cells = 255;
inline constexpr std::uint32_t absent_level = std::numeric_limits<std::uint32_t>::max();

struct CutFeature {
    std::uint32_t n_cells = 0;              // cell n_cells is that of missing values
    std::vector<double> cuts;               // number: cell k holds cuts[k-1] < x <= cuts[k]
    std::vector<std::uint32_t> level_cell;  // category: cell of each level; absent_level where no row has it
    bool is_category = false;
    std::uint8_t fill_cell = 0;  // of the rows that a sparse column does not store
};

// Borrows the stored rows of sparse columns.
struct CutTable {
    std::size_t n_rows = 0;
    std::vector<std::uint8_t> cell;  // feature after feature: of every row, or of the stored rows of a sparse column
    std::vector<std::size_t> start;  // (n_features + 1) where the cells of a feature are
    std::vector<CutFeature> features;
    std::span<const table::Column> columns;

    // The cell of every row, written to `spare` where the column is sparse.
    const std::uint8_t* of(std::size_t feature, std::vector<std::uint8_t>& spare) const;
};

// Cuts every number at the smallest values with cumulative weight >= k/n_quantiles of the total, duplicates and the
// largest value left out; up to n_quantiles distinct values: at every value but the largest. The levels of a category
// are ordered by the mean of `order_by` over its rows, equal means by code, and have a cell each; beyond 255 levels
// neighbours share one.
CutTable cut_table(const table::Rows& rows, std::span<const std::int32_t> n_levels, std::span<const double> weight,
                   std::span<const double> order_by, std::size_t n_quantiles, int n_threads,
                   const base::Interrupt& interrupt);

}  // namespace glasswood::forest

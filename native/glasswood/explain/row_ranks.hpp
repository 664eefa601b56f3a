// RowRanks: the cells of one feature that hold rows, numbered without gaps, and the rows in each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glasswood/explain/axes.hpp"
#include "glasswood/explain/cell_codes.hpp"

namespace glasswood::explain {

struct RowRanks {
    std::int32_t n = 0;               // cells that hold rows
    std::vector<std::int32_t> below;  // (n_cells + 1) how many of them come before a cell
    std::vector<std::int32_t> rank;   // (n_rows) of the row's cell
    std::vector<std::int32_t> start;  // (n + 1) first of the rows of a rank in `rows`
    std::vector<std::int32_t> rows;   // (n_rows) by rank
};

RowRanks rank_rows(const Axes& axes, const Codes& codes, std::size_t feature);

}  // namespace glasswood::explain

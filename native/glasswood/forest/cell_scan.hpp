// NodeCells: groups of a node's rows that stay together (the rows of a level, of a quantile), and the search for the
// best cut between them in a given order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/forest/splitter.hpp"

namespace glasswood::forest {

struct NodeCells {
    std::vector<double> sums;          // (n_cells, criterion's cell width)
    std::vector<std::uint32_t> rows;   // (n_cells) number of rows
    std::vector<std::uint32_t> order;  // the cells that hold rows, in the order in which they are divided
    std::vector<double> missing_sums;
    std::uint32_t missing_rows = 0;

    std::size_t n_parts() const { return order.size() + (missing_rows > 0 ? 1 : 0); }
};

// Enters one candidate if both its sides are valid. `rows_left` of `n_rows` go left.
template <class Criterion>
bool enter(const Criterion& criterion, const typename Criterion::Left& left, std::size_t rows_left, std::size_t n_rows,
           const SplitLimits& limits, std::int32_t feature, std::uint32_t order, bool missing_left, Contest& contest) {
    const double right_weight = criterion.weight() - left.weight;
    if (rows_left < limits.min_rows || n_rows - rows_left < limits.min_rows) return false;
    if (left.weight < limits.min_weight || right_weight < limits.min_weight || !(right_weight > 0)) return false;
    return contest.enter(criterion.gain(left), feature, order, missing_left);
}

// Tries to divide cells.order after each cell, with missing values on either side, and missing values alone. Calls
// taken(last, left weight, missing_left) for every candidate that takes the lead: order[0..last] go left.
template <class Criterion, class Taken>
void scan_cells(const Criterion& criterion, const NodeCells& cells, std::size_t n_rows, const SplitLimits& limits,
                std::int32_t feature, Contest& contest, Taken&& taken) {
    const std::size_t width = criterion.cell_width();
    const bool has_missing = cells.missing_rows > 0;
    for (int pass = 0; pass <= (has_missing ? 1 : 0); ++pass) {
        const bool missing_left = pass == 1;
        auto left = criterion.empty();
        std::size_t rows_left = 0;
        if (missing_left) {
            criterion.add_cell(left, cells.missing_sums.data());
            rows_left = cells.missing_rows;
        }
        // After the last cell only missing values are left for the right side.
        const std::size_t n_cuts = cells.order.size() - (has_missing && !missing_left ? 0 : 1);
        for (std::size_t last = 0; last < n_cuts; ++last) {
            const std::uint32_t cell = cells.order[last];
            criterion.add_cell(left, cells.sums.data() + cell * width);
            rows_left += cells.rows[cell];
            if (!criterion.beats(left, contest.bar())) continue;
            if (enter(criterion, left, rows_left, n_rows, limits, feature, static_cast<std::uint32_t>(last),
                      missing_left, contest)) {
                taken(last, left.weight, missing_left);
            }
        }
    }
}

}  // namespace glasswood::forest

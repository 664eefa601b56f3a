// Cell sums: what can be said about the rows in each cell of a table. Sums are whole numbers, so that results depend
// neither on the order of the rows nor on how they were cut into pieces.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "glasswood/explain/cell_codes.hpp"

namespace glasswood::explain {

// Adds the weight of rows [first, last), in units, to tables (cells …), one after the other, one per tuple of `degree`
// features. Weighted rows must have their unit.
void count_cells(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                 std::size_t first, std::size_t last, int n_threads, std::int64_t* weight);

// Turns whole units into numbers, in their place: `whole` holds float64 afterwards.
void to_numbers(std::span<std::int64_t> whole, double unit);

// Calls visit(n, first row, cells) for tiles of rows [first, last) of one tuple of features.
template <class Visit>
void for_each_tile(const Axes& axes, const Codes& codes, std::span<const std::int32_t> tuple, std::size_t first,
                   std::size_t last, Visit&& visit) {
    constexpr std::size_t tile = 1024;  // rows whose cells are looked up at once
    std::array<std::int64_t, tile> cell;
    for (std::size_t at = first; at < last; at += tile) {
        const std::size_t n = std::min(tile, last - at);
        std::fill_n(cell.begin(), n, 0);
        std::int64_t stride = 1;
        for (std::size_t d = tuple.size(); d-- > 0;) {
            codes.add_to_index(tuple[d], at, n, stride, cell.data());
            stride *= axes.size[tuple[d]];
        }
        visit(n, at, cell.data());
    }
}

// raw[r, o] -= table[o, cell of row r], for tables (n_outputs, cells …) of `degree` features each, in their order.
void subtract_tables(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                     std::span<const double> tables, std::size_t n_outputs, int n_threads, double* raw);

}  // namespace glasswood::explain

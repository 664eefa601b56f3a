// Bins: the table as one byte per value, row-major, for growing trees on histograms.
//
// A number's bin is the number of edges below it, so `bin <= k` says `x <= edges[k]`. Missing is bin n_bins.
// A level has the bin it was given; one never seen in training is bin n_bins + 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/table/rows.hpp"
#include "glasswood/table/threshold_grid.hpp"

namespace glasswood::boosting {

// One byte per value: row r starts at r * stride.
struct BinnedRows {
    const std::uint8_t* data;
    std::size_t n_rows;
    std::size_t n_features;
    std::size_t stride;
    const std::uint8_t* columns;  // the same feature by feature, for sending rows left and right; may be null
};

// Bytes of a row: no more cache lines than its features need, and a multiple of eight.
std::size_t stride_of(std::size_t n_features);

// How levels of category features become bins: those of feature f at [start[f], start[f + 1]), none for
// numbers.
struct LevelBins {
    std::span<const std::int64_t> start;
    std::span<const std::uint8_t> bin;
};

// Whether features have so many bins: a number one more than edges, a category more than any bin of its levels.
bool are_n_bins(std::span<const std::uint16_t> n_bins, std::span<const std::uint8_t> is_category,
                const table::Grid& edges, const LevelBins& levels);

// Edges of every number. At most max_bins distinct values of positive weight: midway between neighbours;
// more: type-7 quantiles, as many as give max_bins − 1 edges that part rows, where a weight of k counts as k rows.
// `rows` are the rows to look at, `weight` the weights of exactly these (empty: all 1). A category has no edges.
table::Grid make_edges(const table::Rows& table, std::span<const std::uint32_t> rows, std::span<const double> weight,
                       std::size_t max_bins, int n_threads);

// Row r goes to out + r * stride; what is left of a row is set to 0. Feature f also goes to columns + f * pitch, unless
// that is null.
void bin_rows(const table::Rows& table, const table::Grid& edges, const LevelBins& levels, int n_threads,
              std::size_t stride, std::uint8_t* out, std::size_t pitch, std::uint8_t* columns);

// Where the rows that thread t of n_threads owns begin in ascending rows of a table: those of one stretch of the table,
// so that what belongs to them stays in the cache of one CPU. t = n_threads: the end.
inline std::size_t owned_start(std::span<const std::uint32_t> rows, std::size_t n_table, std::size_t t,
                               std::size_t n_threads) {
    if (t == 0) return 0;
    if (t == n_threads) return rows.size();
    return static_cast<std::size_t>(std::ranges::lower_bound(rows, t * n_table / n_threads) - rows.begin());
}

}  // namespace glasswood::boosting

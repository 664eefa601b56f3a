// BinSet: which bins of a feature go left, and rows sent by it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/boosting/split_scan.hpp"
#include "glasswood/boosting/wide_columns.hpp"

namespace glasswood::boosting {

using BinSet = std::array<std::uint64_t, max_bins / 64>;

inline bool contains(const BinSet& set, std::size_t bin) { return ((set[bin >> 6] >> (bin & 63)) & 1U) != 0; }

// Puts the bin into the set or takes it out.
inline void put(BinSet& set, std::size_t bin, bool is_in) {
    const std::uint64_t bit = std::uint64_t{1} << (bin & 63);
    set[bin >> 6] = is_in ? set[bin >> 6] | bit : set[bin >> 6] & ~bit;
}

inline BinSet first_bins(std::size_t n) {
    BinSet set{};
    std::fill_n(set.begin(), n >> 6, ~std::uint64_t{0});
    if (n < max_bins) set[n >> 6] = (std::uint64_t{1} << (n & 63)) - 1;
    return set;
}

// Moves the rows that go left to the front, both sides in their old order; how many go left. `spare` is twice
// as long as rows.
std::size_t partition(const BinnedRows& bins, std::size_t feature, const BinSet& left, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads);

// The same by the levels of a wide category.
std::size_t partition(const WideColumns& columns, const WideSet& set, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads);

}  // namespace glasswood::boosting

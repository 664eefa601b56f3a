// Route: which bins of a feature go left, and rows sent along it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/boosting/split_scan.hpp"
#include "glasswood/boosting/wide_columns.hpp"

namespace glasswood::boosting {

using Route = std::array<std::uint8_t, max_bins>;  // 1: the bin goes left
using BinSet = std::array<std::uint64_t, 4>;       // the same in bits

BinSet to_set(const Route& route);
Route to_route(const BinSet& set);

inline bool contains(const BinSet& set, std::uint8_t bin) { return ((set[bin >> 6] >> (bin & 63)) & 1U) != 0; }

// Moves the rows that go left to the front, both sides in their old order; how many go left. `spare` is twice
// as long as rows.
std::size_t partition(const BinnedRows& bins, std::size_t feature, const Route& route, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads);

// The same by the levels of a wide category.
std::size_t partition(const WideColumns& columns, const WideSet& set, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads);

}  // namespace glasswood::boosting

// Sets by the codes of bundles: where the rows of a table go that has codes, but perhaps no bins.
#pragma once

#include <cstdint>
#include <span>

#include "glasswood/boosting/bin_route.hpp"
#include "glasswood/boosting/column_bundles.hpp"
#include "glasswood/boosting/grown_tree.hpp"

namespace glasswood::boosting {

// Which codes of a feature's column go left.
BinSet set_of_codes(const ColumnBundles& bundles, std::size_t feature, const BinSet& left);

// Moves the rows that a split sends left to the front, both sides in their old order; how many go left. `spare` is
// twice as long as rows.
std::size_t send_rows(const Split& split, const BinnedRows& bins, const ColumnBundles& bundles, const WideColumns& wide,
                      std::span<std::uint32_t> rows, std::span<std::uint32_t> spare, int n_threads);

// raw += value of the leaf for some rows of a table that has codes by column, which are sent down the tree together.
void add_sent(const GrownTree& tree, const ColumnBundles& bundles, const WideColumns& wide,
              std::span<const std::uint32_t> rows, std::span<double> raw);

// The same tree with columns instead of features and codes instead of bins, for walking down it.
GrownTree on_codes(const GrownTree& tree, const ColumnBundles& bundles);

}  // namespace glasswood::boosting

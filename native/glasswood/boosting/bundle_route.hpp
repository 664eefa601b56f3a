// Routes by the codes of bundles: where the rows of a table go that has codes, but no bins.
#pragma once

#include "glasswood/boosting/bin_route.hpp"
#include "glasswood/boosting/column_bundles.hpp"
#include "glasswood/boosting/grown_tree.hpp"

namespace glasswood::boosting {

// Which codes of a feature's column go left.
Route route_of_codes(const ColumnBundles& bundles, std::size_t feature, const Route& route);

// The same tree with columns instead of features and codes instead of bins, for walking down it.
GrownTree on_codes(const GrownTree& tree, const ColumnBundles& bundles);

}  // namespace glasswood::boosting

// The grid of a model: the thresholds at which its trees split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glasswood/model/ensemble.hpp"
#include "glasswood/table/threshold_grid.hpp"

namespace glasswood::model {

// The thresholds of trees [first_tree, last_tree). A category split has none. `place`, if given (n_nodes), receives
// where the threshold of each node stands among those of its feature, and is left alone at nodes without one. Then
// thresholds that differ only for values which count as missing (zero_is_missing) are one, 0.
table::Grid make_grid(const Ensemble& ensemble, std::size_t first_tree, std::size_t last_tree,
                      std::vector<std::int32_t>* place = nullptr);

}  // namespace glasswood::model

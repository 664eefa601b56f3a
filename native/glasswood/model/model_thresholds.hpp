// Model thresholds: the distinct thresholds at which the trees of a model split each feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glasswood/model/ensemble.hpp"
#include "glasswood/table/threshold_grid.hpp"

namespace glasswood::model {

// The thresholds of trees [first_tree, last_tree). A category split has none. `rank`, if given (n_nodes), receives
// the position of each node's threshold among those of its feature; entries of other nodes are not changed. With
// `rank`, thresholds that separate only values which count as missing (zero_is_missing) become one threshold, 0.
table::Grid make_grid(const Ensemble& ensemble, std::size_t first_tree, std::size_t last_tree,
                      std::vector<std::int32_t>* rank = nullptr);

}  // namespace glasswood::model

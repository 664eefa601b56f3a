// The grid of a model: the thresholds at which its trees split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glasswood/model/ensemble.hpp"
#include "glasswood/table/threshold_grid.hpp"

namespace glasswood::model {

// The thresholds of trees [first_tree, last_tree). A category split has none. `rank`, if given (n_nodes), receives
// the position of each node's threshold among those of its feature; nodes without a threshold are left alone. Then
// thresholds that differ only for values which count as missing (zero_is_missing) are one, 0.
table::Grid make_grid(const Ensemble& ensemble, std::size_t first_tree, std::size_t last_tree,
                      std::vector<std::int32_t>* rank = nullptr);

}  // namespace glasswood::model

// Grid: per feature the sorted distinct thresholds at which trees split it. Between two neighbours the model
// cannot tell values apart, so a value may be replaced by its code, the number of thresholds below it: x <=
// thresholds[k] exactly when code(x) <= k. This holds for infinite values and infinite thresholds too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/ensemble.hpp"

namespace glasswood {

struct Grid {
    std::vector<std::int64_t> start;  // (n_features + 1)
    std::vector<double> thresholds;   // those of feature f: [start[f], start[f + 1]), ascending

    std::size_t n_features() const { return start.size() - 1; }
    std::span<const double> of(std::size_t feature) const {
        return {thresholds.data() + start[feature], static_cast<std::size_t>(start[feature + 1] - start[feature])};
    }
    std::size_t most_thresholds() const;  // of any one feature
};

// The thresholds of trees [first_tree, last_tree). A category split has none. `place`, if given (n_nodes), receives
// where the threshold of each node stands among those of its feature, and is left alone at nodes without one. Then
// thresholds that differ only for values which count as missing (zero_is_missing) are one, 0.
Grid make_grid(const Ensemble& ensemble, std::size_t first_tree, std::size_t last_tree,
               std::vector<std::int32_t>* place = nullptr);

}  // namespace glasswood

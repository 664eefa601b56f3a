// Grid: per feature the sorted distinct thresholds at which trees split it. Between two neighbours the model
// cannot tell values apart, so a value may be replaced by its code, the number of thresholds below it: x <=
// thresholds[k] exactly when code(x) <= k. This holds for infinite values and infinite thresholds too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::table {

struct Grid {
    std::vector<std::int64_t> start;  // (n_features + 1)
    std::vector<double> thresholds;   // those of feature f: [start[f], start[f + 1]), ascending

    std::size_t n_features() const { return start.size() - 1; }
    std::span<const double> of(std::size_t feature) const {
        return {thresholds.data() + start[feature], static_cast<std::size_t>(start[feature + 1] - start[feature])};
    }
    std::size_t max_thresholds() const;  // of any one feature
};

}  // namespace glasswood::table

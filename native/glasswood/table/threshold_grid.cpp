#include "glasswood/table/threshold_grid.hpp"

#include <algorithm>

namespace glasswood::table {

std::size_t Grid::max_thresholds() const {
    std::size_t most = 0;
    for (std::size_t f = 0; f < n_features(); ++f) most = std::max(most, of(f).size());
    return most;
}

}  // namespace glasswood::table

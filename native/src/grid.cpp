#include "glasswood/grid.hpp"

#include <algorithm>

namespace glasswood {

std::size_t Grid::most_thresholds() const {
    std::size_t most = 0;
    for (std::size_t f = 0; f < n_features(); ++f) most = std::max(most, of(f).size());
    return most;
}

Grid make_grid(const Ensemble& ensemble, std::size_t first_tree, std::size_t last_tree) {
    const std::size_t n_features = ensemble.n_features();
    const auto first = static_cast<std::size_t>(ensemble.tree_start[first_tree]);
    const auto last = static_cast<std::size_t>(ensemble.tree_start[last_tree]);
    const auto has_threshold = [&](std::size_t node) {
        return !ensemble.is_leaf(node) && !ensemble.is_category_split(node);
    };

    std::vector<std::int64_t> at(n_features + 1, 0);
    for (std::size_t node = first; node < last; ++node) {
        if (has_threshold(node)) ++at[ensemble.feature[node] + 1];
    }
    for (std::size_t f = 0; f < n_features; ++f) at[f + 1] += at[f];
    std::vector<std::int64_t> next(at.begin(), at.end() - 1);
    std::vector<double> all(at[n_features]);
    for (std::size_t node = first; node < last; ++node) {
        if (has_threshold(node)) all[next[ensemble.feature[node]]++] = ensemble.threshold[node];
    }

    Grid grid;
    grid.start.reserve(n_features + 1);
    grid.start.push_back(0);
    for (std::size_t f = 0; f < n_features; ++f) {
        const auto begin = all.begin() + at[f];
        const auto end = all.begin() + at[f + 1];
        std::sort(begin, end);
        grid.thresholds.insert(grid.thresholds.end(), begin, std::unique(begin, end));
        grid.start.push_back(static_cast<std::int64_t>(grid.thresholds.size()));
    }
    return grid;
}

}  // namespace glasswood

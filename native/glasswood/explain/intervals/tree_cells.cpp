#include "glasswood/explain/intervals/tree_cells.hpp"

namespace glasswood::explain::intervals {

OwnCells::OwnCells(const Paths& paths, const OwnBreaks& own) : own_(own), own_of_(paths.axes.size.size(), -1) {
    cell_start_.reserve(paths.n_sides() + 1);
    cells_.reserve(3 * paths.n_sides());
    leaves_.resize(paths.n_sides());
    leaf_start_.resize(own.size() + 1, 0);
    for (std::size_t tree = 0; tree < paths.n_trees(); ++tree) add_leaves(paths, tree);
}

// Counts the leaves of each feature first, so that their lists can stand back to back.
void OwnCells::add_leaves(const Paths& paths, std::size_t tree) {
    const std::int64_t first_side = paths.start[paths.tree_leaf[tree]];
    const std::int64_t last_side = paths.start[paths.tree_leaf[tree + 1]];
    const std::int64_t first_own = own_.first(tree), last_own = own_.first(tree + 1);
    for (std::int64_t own = first_own; own < last_own; ++own) own_of_[own_.feature(own)] = own;
    std::vector<std::int64_t>& next = next_;
    next.assign(last_own - first_own + 1, 0);
    for (std::int64_t side = first_side; side < last_side; ++side) ++next[own_of_[paths.feature[side]] - first_own + 1];
    next[0] = leaf_start_[first_own];
    for (std::size_t i = 0; i + 1 < next.size(); ++i) {
        next[i + 1] += next[i];
        leaf_start_[first_own + static_cast<std::int64_t>(i) + 1] = next[i + 1];
    }
    for (std::int32_t leaf = paths.tree_leaf[tree]; leaf < paths.tree_leaf[tree + 1]; ++leaf) {
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const std::int64_t own = own_of_[paths.feature[side]];
            leaves_[next[own - first_own]++] = {leaf - paths.tree_leaf[tree], side};
            add_cells(paths.edges(side), own_.of(own));
        }
    }
}

void OwnCells::add_cells(std::span<const std::int32_t> edges, std::span<const std::int32_t> own_breaks) {
    const auto n = static_cast<std::int32_t>(own_breaks.size());
    std::int32_t cell = 0;
    for (std::size_t i = 0; i < edges.size(); i += 2) {
        while (cell < n && own_breaks[cell] < edges[i]) ++cell;
        for (; cell < n && (i + 1 == edges.size() || own_breaks[cell] < edges[i + 1]); ++cell) cells_.push_back(cell);
    }
    cell_start_.push_back(static_cast<std::int64_t>(cells_.size()));
}

}  // namespace glasswood::explain::intervals

#include "glasswood/own_cells.hpp"

#include <algorithm>

namespace glasswood {
namespace {

// Feature and cell in one number, which sorts faster than a pair.
std::uint64_t packed(std::int32_t feature, std::int32_t cell) {
    return (static_cast<std::uint64_t>(feature) << 32) | static_cast<std::uint32_t>(cell);
}

void add_set_breaks(const Ensemble& e, const Axes& axes, std::size_t node, std::vector<std::uint64_t>& out) {
    const std::int32_t f = e.feature[node];
    bool inside = e.in_set(e.category_set[node], 0);
    for (std::int32_t level = 1; level < e.n_levels[f]; ++level) {
        if (e.in_set(e.category_set[node], level) == inside) continue;
        inside = !inside;
        out.push_back(packed(f, level));
    }
    if (axes.regular[f] > 0) out.push_back(packed(f, axes.regular[f]));  // unseen
}

}  // namespace

OwnCells::OwnCells(const Ensemble& e, const Paths& paths) : own_of_(e.n_features(), -1) {
    cell_start_.reserve(paths.n_sides() + 1);
    cells_.reserve(3 * paths.n_sides());
    leaves_.resize(paths.n_sides());
    for (std::size_t tree = 0; tree < e.n_trees(); ++tree) {
        add_breaks(e, paths.axes, tree);
        add_leaves(paths, tree);
    }
}

void OwnCells::add_breaks(const Ensemble& e, const Axes& axes, std::size_t tree) {
    found_.clear();
    for (std::int32_t node = e.tree_start[tree]; node < e.tree_start[tree + 1]; ++node) {
        if (e.is_leaf(node)) continue;
        const std::int32_t f = e.feature[node];
        if (axes.has_missing(f)) found_.push_back(packed(f, axes.missing[f]));
        if (e.is_category_split(node)) {
            found_.push_back(packed(f, 0));
            add_set_breaks(e, axes, node, found_);
        } else {
            found_.push_back(packed(f, axes.cut[node] + 1));
        }
    }
    std::ranges::sort(found_);
    std::int64_t last = -1;
    for (const std::uint64_t both : found_) {
        const auto f = static_cast<std::int32_t>(both >> 32);
        const auto cell = static_cast<std::int32_t>(both & 0xffffffffU);
        if (f != last) {
            if (last >= 0) break_start_.push_back(static_cast<std::int64_t>(breaks_.size()));
            feature_.push_back(f);
            breaks_.push_back(0);
            last = f;
        }
        if (cell != breaks_.back()) breaks_.push_back(cell);
    }
    if (last >= 0) break_start_.push_back(static_cast<std::int64_t>(breaks_.size()));
    tree_start_.push_back(static_cast<std::int64_t>(feature_.size()));
}

// Counts the leaves of each feature first, so that their lists can stand back to back.
void OwnCells::add_leaves(const Paths& paths, std::size_t tree) {
    const std::int64_t first_side = paths.start[paths.tree_leaf[tree]];
    const std::int64_t last_side = paths.start[paths.tree_leaf[tree + 1]];
    for (std::int64_t own = first(tree); own < first(tree + 1); ++own) own_of_[feature_[own]] = own;
    leaf_start_.resize(size() + 1, 0);
    std::vector<std::int64_t>& next = next_;
    next.assign(size() - first(tree) + 1, 0);
    for (std::int64_t side = first_side; side < last_side; ++side)
        ++next[own_of_[paths.feature[side]] - first(tree) + 1];
    next[0] = leaf_start_[first(tree)];
    for (std::size_t i = 0; i + 1 < next.size(); ++i) {
        next[i + 1] += next[i];
        leaf_start_[first(tree) + static_cast<std::int64_t>(i) + 1] = next[i + 1];
    }
    for (std::int32_t leaf = paths.tree_leaf[tree]; leaf < paths.tree_leaf[tree + 1]; ++leaf) {
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const std::int64_t own = own_of_[paths.feature[side]];
            leaves_[next[own - first(tree)]++] = {leaf - paths.tree_leaf[tree], side};
            add_cells(paths.edges(side), breaks(own));
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

std::int64_t OwnCells::find(std::size_t tree, std::int32_t feature) const {
    const auto first = feature_.begin() + tree_start_[tree];
    const auto last = feature_.begin() + tree_start_[tree + 1];
    const auto at = std::lower_bound(first, last, feature);
    return at != last && *at == feature ? at - feature_.begin() : -1;
}

}  // namespace glasswood

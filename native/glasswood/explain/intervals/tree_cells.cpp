#include "glasswood/explain/intervals/tree_cells.hpp"

#include <algorithm>

namespace glasswood::explain::intervals {
namespace {

// Feature and cell in one number, which sorts faster than a pair.
std::uint64_t packed(std::int32_t feature, std::int32_t cell) {
    return (static_cast<std::uint64_t>(feature) << 32) | static_cast<std::uint32_t>(cell);
}

void add_set_breaks(const model::Ensemble& e, const Axes& axes, std::size_t node, std::vector<std::uint64_t>& out) {
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

TreeBreaks::TreeBreaks(const model::Ensemble& e, const Axes& axes) {
    tree_start_.reserve(e.n_trees() + 1);
    for (std::size_t tree = 0; tree < e.n_trees(); ++tree) add_tree(e, axes, tree);
}

void TreeBreaks::add_tree(const model::Ensemble& e, const Axes& axes, std::size_t tree) {
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

std::int64_t TreeBreaks::find(std::size_t tree, std::int32_t feature) const {
    const auto first = feature_.begin() + tree_start_[tree];
    const auto last = feature_.begin() + tree_start_[tree + 1];
    const auto at = std::lower_bound(first, last, feature);
    return at != last && *at == feature ? at - feature_.begin() : -1;
}

TreeCells::TreeCells(const Paths& paths, const TreeBreaks& own) : own_(own), own_of_(paths.axes.size.size(), -1) {
    cell_start_.reserve(paths.n_sides() + 1);
    cells_.reserve(3 * paths.n_sides());
    leaves_.resize(paths.n_sides());
    leaf_start_.resize(own.size() + 1, 0);
    for (std::size_t tree = 0; tree < paths.n_trees(); ++tree) add_leaves(paths, tree);
}

// Counts the leaves of each feature first, so that their lists can stand back to back.
void TreeCells::add_leaves(const Paths& paths, std::size_t tree) {
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
            for_each_cell(paths.edges(side), own_.of(own), [&](std::int32_t cell) { cells_.push_back(cell); });
            cell_start_.push_back(static_cast<std::int64_t>(cells_.size()));
        }
    }
}

}  // namespace glasswood::explain::intervals

#include "glasswood/own_cells.hpp"

#include <algorithm>
#include <utility>

namespace glasswood {
namespace {

using Break = std::pair<std::int32_t, std::int32_t>;  // feature, cell

void add_set_breaks(const Ensemble& e, const Axes& axes, std::size_t node, std::vector<Break>& out) {
    const std::int32_t f = e.feature[node];
    bool inside = e.in_set(e.category_set[node], 0);
    for (std::int32_t level = 1; level < e.n_levels[f]; ++level) {
        if (e.in_set(e.category_set[node], level) == inside) continue;
        inside = !inside;
        out.emplace_back(f, level);
    }
    out.emplace_back(f, axes.regular[f]);  // unseen
}

}  // namespace

OwnCells::OwnCells(const Ensemble& e, const Paths& paths) {
    cell_start_.reserve(paths.n_sides() + 1);
    for (std::size_t tree = 0; tree < e.n_trees(); ++tree) {
        add_breaks(e, paths.axes, tree);
        add_leaves(paths, tree);
    }
}

void OwnCells::add_breaks(const Ensemble& e, const Axes& axes, std::size_t tree) {
    std::vector<Break> found;
    for (std::int32_t node = e.tree_start[tree]; node < e.tree_start[tree + 1]; ++node) {
        if (e.is_leaf(node)) continue;
        const std::int32_t f = e.feature[node];
        found.emplace_back(f, 0);
        if (axes.has_missing(f)) found.emplace_back(f, axes.missing[f]);
        if (e.is_category_split(node)) {
            add_set_breaks(e, axes, node, found);
        } else {
            found.emplace_back(f, axes.cut[node] + 1);
        }
    }
    std::ranges::sort(found);
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i == 0 || found[i].first != found[i - 1].first) {
            feature_.push_back(found[i].first);
            if (i > 0) break_start_.push_back(static_cast<std::int64_t>(breaks_.size()));
        }
        breaks_.push_back(found[i].second);
    }
    if (!found.empty()) break_start_.push_back(static_cast<std::int64_t>(breaks_.size()));
    tree_start_.push_back(static_cast<std::int64_t>(feature_.size()));
}

void OwnCells::add_leaves(const Paths& paths, std::size_t tree) {
    const std::int64_t first_own = tree_start_[tree];
    std::vector<std::vector<LeafSide>> lists(tree_start_[tree + 1] - first_own);
    for (std::int32_t leaf = paths.tree_leaf[tree]; leaf < paths.tree_leaf[tree + 1]; ++leaf) {
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const std::int64_t own = find(tree, paths.feature[side]);
            lists[own - first_own].push_back({leaf - paths.tree_leaf[tree], side});
            const auto own_breaks = breaks(own);
            const auto edges = paths.edges(side);
            const auto place = [&](std::size_t i) {
                return i < edges.size() ? std::ranges::lower_bound(own_breaks, edges[i]) - own_breaks.begin()
                                        : static_cast<std::ptrdiff_t>(own_breaks.size());
            };
            for (std::size_t i = 0; i < edges.size(); i += 2) {
                for (std::ptrdiff_t cell = place(i); cell < place(i + 1); ++cell)
                    cells_.push_back(static_cast<std::int32_t>(cell));
            }
            cell_start_.push_back(static_cast<std::int64_t>(cells_.size()));
        }
    }
    for (const auto& list : lists) {
        leaves_.insert(leaves_.end(), list.begin(), list.end());
        leaf_start_.push_back(static_cast<std::int64_t>(leaves_.size()));
    }
}

std::int64_t OwnCells::find(std::size_t tree, std::int32_t feature) const {
    const auto first = feature_.begin() + tree_start_[tree];
    const auto last = feature_.begin() + tree_start_[tree + 1];
    const auto at = std::lower_bound(first, last, feature);
    return at != last && *at == feature ? at - feature_.begin() : -1;
}

}  // namespace glasswood

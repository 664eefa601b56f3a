// The cells that one tree can tell apart: TreeBreaks, where they begin on the common axis of a feature, and TreeCells,
// which of them each leaf meets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/axes.hpp"
#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain::intervals {

// The features that each tree splits, numbered through all trees, and the cells of each that the tree can tell apart.
class TreeBreaks {
 public:
    TreeBreaks(const model::Ensemble& ensemble, const Axes& axes);

    // Own indices of a tree: [first(tree), first(tree + 1)), by ascending feature.
    std::int64_t first(std::size_t tree) const { return tree_start_[tree]; }
    std::size_t size() const { return feature_.size(); }
    std::int32_t feature(std::int64_t own) const { return feature_[own]; }
    // Index of (tree, feature), -1 where the tree does not split the feature.
    std::int64_t find(std::size_t tree, std::int32_t feature) const;
    // First cell of the common axis in each own cell, ascending from 0.
    std::span<const std::int32_t> of(std::int64_t own) const {
        return {breaks_.data() + break_start_[own],
                static_cast<std::size_t>(break_start_[own + 1] - break_start_[own])};
    }

 private:
    void add_tree(const model::Ensemble& e, const Axes& axes, std::size_t tree);

    std::vector<std::int64_t> tree_start_{0};  // (n_trees + 1) first own index of each tree
    std::vector<std::int32_t> feature_;        // by own index, ascending within a tree
    std::vector<std::int64_t> break_start_{0};
    std::vector<std::int32_t> breaks_;
    std::vector<std::uint64_t> found_;  // of the tree being added
};

// Calls visit(cell) for the cells of a tree, given by their breaks, that begin inside the runs of `edges` (as Paths has
// them).
template <class Visit>
void for_each_cell(std::span<const std::int32_t> edges, std::span<const std::int32_t> breaks, Visit&& visit) {
    const auto n = static_cast<std::int32_t>(breaks.size());
    std::int32_t cell = 0;
    for (std::size_t i = 0; i < edges.size(); i += 2) {
        while (cell < n && breaks[cell] < edges[i]) ++cell;
        for (; cell < n && (i + 1 == edges.size() || breaks[cell] < edges[i + 1]); ++cell) visit(cell);
    }
}

// The leaves of a tree that ask for a feature, and which of the tree's cells each of them meets.
class TreeCells {
 public:
    TreeCells(const Paths& paths, const TreeBreaks& own);

    struct LeafSide {
        std::int32_t leaf;  // counted from the first of the tree
        std::int64_t side;
    };

    const TreeBreaks& own() const { return own_; }
    // The leaves of the tree that ask for the feature, by own index.
    std::span<const LeafSide> leaves(std::int64_t own) const { return part(leaves_, leaf_start_, own); }
    // The own cells on a side.
    std::span<const std::int32_t> cells(std::int64_t side) const { return part(cells_, cell_start_, side); }

 private:
    template <class T>
    static std::span<const T> part(const std::vector<T>& all, const std::vector<std::int64_t>& start, std::int64_t i) {
        return {all.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
    }
    void add_leaves(const Paths& paths, std::size_t tree);

    const TreeBreaks& own_;
    std::vector<std::int64_t> leaf_start_, cell_start_{0};
    std::vector<std::int32_t> cells_;
    std::vector<LeafSide> leaves_;
    // of the tree being added
    std::vector<std::int64_t> own_of_;  // by feature
    std::vector<std::int64_t> next_;
};

}  // namespace glasswood::explain::intervals

// OwnCells: the cells of a feature that one tree can tell apart, and which of them each of its leaves meets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/ensemble.hpp"
#include "glasswood/paths.hpp"

namespace glasswood {

class OwnCells {
 public:
    OwnCells(const Ensemble& ensemble, const Paths& paths);

    struct LeafSide {
        std::int32_t leaf;  // counted from the first of the tree
        std::int64_t side;
    };

    // Own indices of a tree: [first(tree), first(tree + 1)), by ascending feature.
    std::int64_t first(std::size_t tree) const { return tree_start_[tree]; }
    std::size_t size() const { return feature_.size(); }
    std::int32_t feature(std::int64_t own) const { return feature_[own]; }
    // Index of (tree, feature), -1 where the tree does not split the feature.
    std::int64_t find(std::size_t tree, std::int32_t feature) const;
    // First cell of the common axis in each own cell, ascending from 0.
    std::span<const std::int32_t> breaks(std::int64_t own) const { return part(breaks_, break_start_, own); }
    // The leaves of the tree that ask for the feature.
    std::span<const LeafSide> leaves(std::int64_t own) const { return part(leaves_, leaf_start_, own); }
    // The own cells on a side.
    std::span<const std::int32_t> cells(std::int64_t side) const { return part(cells_, cell_start_, side); }

 private:
    template <class T>
    static std::span<const T> part(const std::vector<T>& all, const std::vector<std::int64_t>& start, std::int64_t i) {
        return {all.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
    }
    void add_breaks(const Ensemble& e, const Axes& axes, std::size_t tree);
    void add_leaves(const Paths& paths, std::size_t tree);
    void add_cells(std::span<const std::int32_t> edges, std::span<const std::int32_t> own_breaks);

    std::vector<std::int64_t> tree_start_{0};  // (n_trees + 1) first own index of each tree
    std::vector<std::int32_t> feature_;        // by own index, ascending within a tree
    std::vector<std::int64_t> break_start_{0}, leaf_start_{0}, cell_start_{0};
    std::vector<std::int32_t> breaks_, cells_;
    std::vector<LeafSide> leaves_;
    // of the tree being added
    std::vector<std::int64_t> own_of_;  // by feature
    std::vector<std::int64_t> next_;
    std::vector<std::uint64_t> found_;
};

}  // namespace glasswood

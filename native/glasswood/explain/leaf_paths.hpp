// Paths: per leaf the features on its path and the cells of each that lead to it, as runs over an axis.
//
// An interval, an interval with the missing cell and a set of categories all look the same: a sorted list of cells at
// which membership begins and ends by turns. So one difference array serves them all: + at even edges, - at odd ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/axes.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

struct Paths {
    Axes axes;
    std::vector<std::int32_t> tree_leaf;   // (n_trees + 1) first leaf of each tree
    std::vector<double> tree_weight;       // (n_trees) training mass of the root
    std::vector<std::int32_t> leaf;        // (n_leaves) node index
    std::vector<double> weight;            // (n_leaves) training mass
    std::vector<std::uint8_t> reachable;   // (n_leaves) no side is empty
    std::vector<std::int64_t> start;       // (n_leaves + 1) first side of each leaf
    std::vector<std::int32_t> feature;     // (n_sides) in the order in which the path first asks for them
    std::vector<double> share;             // (n_sides) product of child / parent weight over the splits on the feature
    std::vector<std::int32_t> n_regular;   // (n_sides) regular cells of the feature that lead to the leaf
    std::vector<std::int64_t> edge_start;  // (n_sides + 1)
    std::vector<std::int32_t> edge;  // where membership begins, ends, begins, …; an end at the last cell is left out

    std::size_t n_trees() const { return tree_leaf.size() - 1; }
    std::size_t n_leaves() const { return leaf.size(); }
    std::size_t n_sides() const { return feature.size(); }
    std::span<const std::int32_t> edges(std::int64_t side) const {
        return {edge.data() + edge_start[side], static_cast<std::size_t>(edge_start[side + 1] - edge_start[side])};
    }
    // The side of `leaf` on `feature`, -1 if its path does not ask for it.
    std::int64_t side_of(std::size_t leaf, std::int32_t feature) const;
};

// The tree each leaf belongs to.
std::vector<std::int32_t> trees_of_leaves(const Paths& paths);

// `weight` per node. A node of weight 0 passes half to each child.
Paths make_paths(const model::Ensemble& ensemble, std::span<const double> weight,
                 std::span<const std::uint8_t> missing_routed);

}  // namespace glasswood::explain

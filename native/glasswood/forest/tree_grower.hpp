// Tree grower: grows one tree, node after node, with a Splitter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/base/random.hpp"
#include "glasswood/forest/splitter.hpp"

namespace glasswood::forest {

// The nodes of one tree; children are indices within it and stand after their parent, -1 in a leaf.
struct TreeNodes {
    std::vector<std::int32_t> feature, left, right, category_set;
    std::vector<double> threshold, shown, weight, gain, mass;  // mass: weight times impurity
    std::vector<std::uint8_t> missing_left, unseen_left;
    std::vector<double> value;  // (n_nodes, width)
    std::vector<std::int64_t> set_start{0};
    std::vector<std::uint64_t> set_bits;

    std::size_t size() const { return feature.size(); }
};

struct GrowLimits {
    SplitLimits child;
    std::size_t max_depth = std::numeric_limits<std::size_t>::max();
    std::size_t min_rows = 2;      // a node with fewer is a leaf
    std::size_t max_leaves = 0;    // 0: no limit, depth first; else best first
    bool short_labels = false;     // look for the shortest number to show instead of a threshold
    std::size_t max_features = 0;  // drawn per node; at least the number of features: all, nothing is drawn
};

// Grows a tree on `rows`, which it reorders. Features are drawn without replacement; a node goes on drawing until one
// varies. Depth first numbers nodes in pre-order, best first in the order in which they are made.
TreeNodes grow_tree(Splitter& splitter, std::span<std::uint32_t> rows, std::size_t n_features, const GrowLimits& limits,
                    base::Random random, const base::Interrupt& interrupt);

}  // namespace glasswood::forest

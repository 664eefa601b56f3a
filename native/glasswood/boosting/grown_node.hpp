// GrownNode: a node of a tree that is being grown: its rows, its sums, and what its children must keep to.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "glasswood/boosting/histograms.hpp"
#include "glasswood/boosting/split_candidates.hpp"

namespace glasswood::boosting {

struct GrownNode {
    Split split{};           // of an inner node
    std::int32_t left = -1;  // -1: a leaf
    std::int32_t right = -1;
    Sums sums{};
    double value = 0.0;  // of a leaf
    double weight = 0.0;
    double lower = -std::numeric_limits<double>::infinity();  // bounds that keep the tree monotone
    double upper = std::numeric_limits<double>::infinity();
    std::size_t begin = 0;  // its rows
    std::size_t end = 0;
    std::uint32_t depth = 0;
    std::vector<std::uint32_t> groups;  // of features that may still interact with the path
    bool is_open = false;               // it has chosen a split and waits to be divided
    Histograms::Cells cells;            // its histogram, while it is open; small nodes have none

    bool is_leaf() const { return left < 0; }
    std::size_t n_rows() const { return end - begin; }
};

struct Children {
    GrownNode left;
    GrownNode right;
};

}  // namespace glasswood::boosting

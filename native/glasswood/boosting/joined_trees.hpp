// JoinedTrees: the nodes of many grown trees back to back, as an ensemble keeps them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/boosting/grown_tree.hpp"

namespace glasswood::boosting {

struct JoinedTrees {
    std::vector<std::int64_t> tree_start{0};  // (n_trees + 1)
    std::vector<std::int32_t> feature, bin;
    std::vector<std::uint64_t> left_set;      // four words per node
    std::vector<std::int64_t> wide_node;      // nodes whose left_set is a set of levels of a wide category instead
    std::vector<std::uint32_t> wide_column;   // of these, as in WideSet
    std::vector<std::int64_t> wide_start{0};  // (n_wide_nodes + 1) words of each set
    std::vector<std::uint64_t> wide_set;
    std::vector<std::int64_t> left, right;  // places among all nodes; -1: a leaf
    std::vector<std::uint8_t> missing_left, unseen_left;
    std::vector<double> value, weight, gain;
};

JoinedTrees join(std::span<const GrownTree* const> trees);

// Whether every tree has a node, and every child comes after its parent in the same tree.
bool ends_every_walk(const JoinedTrees& all);

// The trees that were joined, without the rows they were grown on: rows can walk down them.
std::vector<GrownTree> part(const JoinedTrees& all);

}  // namespace glasswood::boosting

// Node order: the nodes of trees in pre-order, their depths, and values of inner nodes from those of the leaves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::model {

// The nodes reached from `roots` in pre-order (parent, left subtree, right subtree), tree by tree; `tree_start` is the
// first position of each tree. left < 0 marks a leaf. The arrays may come from a corrupted file: a child out of range,
// a node reached twice (a cycle, a shared subtree) or a node with one child throws std::invalid_argument.
struct Preorder {
    std::vector<std::int32_t> order;
    std::vector<std::int32_t> tree_start;
};
Preorder preorder(std::span<const std::int64_t> roots, std::span<const std::int64_t> left,
                  std::span<const std::int64_t> right);

// Depth of every node; roots have depth 0. Every child comes after its parent in the arrays.
void node_depths(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                 std::span<std::int32_t> depth);

// Sets `value` of every inner node to the weighted mean of its children, bottom up; a node of weight 0 gets
// the plain mean. NaN weights give NaN.
void fill_inner_values(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                       std::span<const double> weight, std::size_t width, std::span<double> value);

}  // namespace glasswood::model

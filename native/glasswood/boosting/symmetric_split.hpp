// Symmetric split: one question for all open nodes of a level, as symmetric trees ask it.
//
// A cut is worth the sum of what it gains in every node that it divides. A node that it does not divide, because a
// child would be too small, too few or the same as the other, waits for the question of the next level. Nodes are added
// up in their order and sums are integers, so every machine that holds the histograms finds the same question.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/boosting/node_rules.hpp"

namespace glasswood::boosting {

// One feature in an open node.
struct OpenCells {
    const GrownNode* node;
    std::size_t n_rows;                  // of the node, on all machines
    const Sums* cells = nullptr;         // of the feature, missing values last
    const std::int64_t* rows = nullptr;  // in each cell; null: rows are not counted
    const LevelList* levels = nullptr;   // of a wide category, instead of cells; ascending
};

// The split of one open node.
struct NodeSplit {
    std::size_t at;  // position among the open nodes
    Split split;     // with the node's own gain and sums
};

// Best question about a feature, in nodes that stand in their order. Its gain is that of all nodes together; it has no
// sums.
Candidate symmetric_candidate(const NodeRules& rules, std::size_t feature, std::span<const OpenCells> open,
                              const BoostKernels& kernels);

// The nodes that a question divides. What no node has seen goes where most rows of the level go. `column`: that of a
// wide category.
std::vector<NodeSplit> symmetric_splits(const NodeRules& rules, std::size_t feature, const Candidate& candidate,
                                        std::span<const OpenCells> open, const BoostKernels& kernels,
                                        std::uint32_t column = 0);

}  // namespace glasswood::boosting

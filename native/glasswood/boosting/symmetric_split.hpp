// Symmetric split: one question for all open nodes of a level, as symmetric trees ask it.
//
// A cut is worth the sum of what it gains in every node that it divides. A node that it does not divide, because a
// child would be too small, too few or the same as the other, waits for the question of the next level. Nodes are added
// up in their order and sums are integers, so every machine that holds the histograms finds the same question.
//
// The trees of several outputs may share their questions. Their nodes then hold the same rows, each output adds up its
// own gains, and a node is divided if that gains something, or costs something, in the tree of at least one output.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/boosting/level_cells.hpp"
#include "glasswood/boosting/node_rules.hpp"

namespace glasswood::boosting {

// The open nodes of a level in the tree of every output.
struct OpenLevel {
    std::vector<const NodeRules*> rules;               // of every output
    std::vector<std::vector<const GrownNode*>> nodes;  // of every output, in their order
    std::vector<std::size_t> n_rows;                   // of each node, on all machines

    std::size_t n_outputs() const { return rules.size(); }
    std::size_t n_nodes() const { return n_rows.size(); }
    bool is_allowed(std::size_t node, std::size_t feature) const {
        return rules.front()->is_allowed(*nodes.front()[node], feature);
    }
};

// The split of one open node.
struct NodeSplit {
    std::size_t at;  // position among the open nodes
    Split split;     // with the node's own gain and sums; a gain of 0 where the children are the same for this output
};

// Best question about a feature. Its gain is that of all nodes and outputs together; it has no sums.
Candidate symmetric_candidate(const OpenLevel& open, std::size_t feature, const LevelCells& cells,
                              const BoostKernels& kernels);

// The nodes that a question divides, for every output. What no node has seen goes where most rows of the level go.
// `column`: that of a wide category.
std::vector<std::vector<NodeSplit>> symmetric_splits(const OpenLevel& open, std::size_t feature,
                                                     const Candidate& candidate, const LevelCells& cells,
                                                     const BoostKernels& kernels, std::uint32_t column = 0);

}  // namespace glasswood::boosting

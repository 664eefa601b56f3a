// CodedTrees: a group of trees compiled for codes of one width, to be run on blocks of rows.
//
// A tree of at most max_exits leaves is one select. A deeper one is cut: select over its top nodes gives an
// exit, the block's rows are sorted by it, and neighbours walk the same small part of the tree from there,
// several rows at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "glasswood/predict/exit_select.hpp"
#include "glasswood/predict/question_columns.hpp"

namespace glasswood::predict {

inline constexpr std::size_t max_exits = 256;

// A node of a cut tree. A leaf is its own left child and asks what no code answers.
template <class Code>
struct DeepNode {
    std::uint32_t left;  // relative to the tree's root; the right child follows it
    std::uint16_t column;
    Code cut;
};

struct CodedTree {
    enum class Kind : std::uint8_t { select, oblivious, deep };
    Kind kind = Kind::select;
    std::uint32_t n_nodes = 0;  // select nodes
    std::uint32_t n_exits = 0;
    std::size_t node = 0;   // its part of select_nodes
    std::size_t set = 0;    // its part of sets
    std::size_t exit = 0;   // its part of exits
    std::size_t value = 0;  // its part of values
    std::size_t deep = 0;   // its part of deep_nodes and deep_leaf_ids
};

// Whether a tree has more leaves than one select tells apart.
bool is_deep(const model::Ensemble& ensemble, std::size_t tree);

template <class Code>
struct CodedTrees {
    using Exit = std::make_unsigned_t<Code>;

    // `with_sets`: whether nodes may ask for sets of levels, which deep trees do not.
    CodedTrees(const model::Ensemble& ensemble, const CategoryTests& categories, const table::Grid& grid,
               std::size_t first, std::size_t last, bool with_sets);

    std::size_t first_tree;
    Columns columns;
    std::vector<CodedTree> trees;
    std::vector<SelectNode> select_nodes;
    std::vector<std::uint8_t> sets;   // of the select nodes that ask for one, in their order
    std::vector<std::int32_t> exits;  // node of the ensemble; in a deep tree the deep node to walk on from
    std::vector<double> values;       // per exit, or per deep node: (width)
    std::vector<DeepNode<Code>> deep_nodes;
    std::vector<std::int32_t> deep_leaf_ids;  // of the nodes: what `apply` returns
    bool any_deep = false;
};

}  // namespace glasswood::predict

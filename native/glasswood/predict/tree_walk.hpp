// Walk: the trees laid out for few rows. Values are compared as they are, nothing is encoded; several trees
// are walked at once, so that the memory latencies of one row's paths overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glasswood/model/ensemble.hpp"
#include "glasswood/predict/category_tests.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::predict {

// Where the nodes of a tree stand when siblings are adjacent, relative to its root: one step is then
// `left + (goes right)`. positions[i] belongs to node tree_start[tree] + i; -1 for a node no path reaches.
void sibling_positions(const model::Ensemble& ensemble, std::size_t tree, std::vector<std::int32_t>& positions);

class Walk {
 public:
    // Both are borrowed.
    Walk(const model::Ensemble& ensemble, const CategoryTests& categories);

    // A row's values as the walk reads them go into `values`, which has room for n_values().
    std::size_t n_values() const { return n_values_; }
    void load(const table::Rows& rows, std::size_t row, double* values) const;

    // Adds the values of the leaves that trees [first_tree, last_tree) give the loaded row; output o at
    // sums[o * stride].
    void add(const double* values, std::size_t first_tree, std::size_t last_tree, double* sums,
             std::size_t stride) const;

    // Writes the leaf_id of tree t to out[t].
    void apply(const double* values, std::size_t first_tree, std::size_t last_tree, std::int32_t* out) const;

 private:
    // A leaf is its own left child and asks slot 0, which always goes left; its threshold is its index in the
    // ensemble.
    struct Node {
        double threshold;
        std::uint32_t left;  // absolute; the right child follows it
        std::uint32_t slot;
    };
    // A feature has two slots: in the first a missing value is -inf and goes left, in the second it is NaN
    // and goes right, as no comparison with it holds.
    struct Slots {
        std::uint32_t feature;
        std::uint32_t first;
        bool is_category;
        bool zero_is_missing;
    };

    void add_tree(std::size_t tree, std::vector<std::int32_t>& positions);
    bool category_right(const Node& node, const double* values) const;
    template <bool Categories, class Visit>
    void visit_leaves(const double* values, std::size_t first_tree, std::size_t last_tree, Visit visit) const;
    template <class Visit>
    void visit_leaves(const double* values, std::size_t first_tree, std::size_t last_tree, Visit visit) const;

    const model::Ensemble& ensemble_;
    const CategoryTests& categories_;
    std::vector<Node> nodes_;  // tree t at [tree_start[t], tree_start[t + 1])
    std::vector<Slots> slots_;
    std::vector<std::uint32_t> first_slot_;  // (n_features) 0: no tree splits it
    std::size_t n_values_ = 1;
};

}  // namespace glasswood::predict

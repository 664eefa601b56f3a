// Ensemble: borrowed view of the flat arrays of a model. The Python side has validated every invariant (children after
// their parent, indices in range), so kernels check nothing.
#pragma once

#include <cstdint>
#include <span>

namespace glasswood::model {

struct Ensemble {
    std::span<const std::int32_t> tree_start;       // (n_trees + 1)
    std::span<const std::int32_t> tree_output;      // (n_trees) first output column the tree adds to
    std::span<const std::int32_t> feature;          // (n_nodes) -1 in a leaf
    std::span<const double> threshold;              // (n_nodes) the largest float64 that goes left
    std::span<const std::int32_t> left;             // (n_nodes) absolute index, -1 in a leaf
    std::span<const std::int32_t> right;            // (n_nodes)
    std::span<const std::uint8_t> missing_left;     // (n_nodes)
    std::span<const std::int32_t> category_set;     // (n_nodes) -1, or the set whose members go left
    std::span<const std::uint8_t> unseen_left;      // (n_nodes)
    std::span<const std::int32_t> leaf_id;          // (n_nodes) what `apply` returns
    std::span<const double> value;                  // (n_nodes, width) row-major
    std::span<const std::int64_t> set_start;        // (n_sets + 1) first word of each set
    std::span<const std::uint64_t> set_bits;        // bit c of a set: code c goes left
    std::span<const double> baseline;               // (n_outputs)
    std::span<const std::int32_t> n_levels;         // (n_features) known categories, 0 for a numeric feature
    std::span<const std::uint8_t> zero_is_missing;  // (n_features)
    std::size_t width = 1;

    std::size_t n_trees() const { return tree_output.size(); }
    std::size_t n_nodes() const { return feature.size(); }
    std::size_t n_outputs() const { return baseline.size(); }
    std::size_t n_features() const { return n_levels.size(); }
    bool is_leaf(std::size_t node) const { return feature[node] < 0; }
    bool is_category_split(std::size_t node) const { return category_set[node] >= 0; }

    // Word `index` of category set `set`; words beyond the stored ones are 0.
    std::uint64_t set_word(std::int32_t set, std::size_t index) const {
        const std::int64_t word = set_start[set] + static_cast<std::int64_t>(index);
        return word < set_start[set + 1] ? set_bits[word] : 0;
    }
    // Is `code` a member of category set `set`?
    bool in_set(std::int32_t set, std::int32_t code) const {
        return ((set_word(set, static_cast<std::size_t>(code >> 6)) >> (code & 63)) & 1U) != 0;
    }
};

}  // namespace glasswood::model

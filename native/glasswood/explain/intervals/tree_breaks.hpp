// OwnBreaks: the cells of a feature that one tree can tell apart, as the first cell of the common axis in each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/axes.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain::intervals {

class OwnBreaks {
 public:
    OwnBreaks(const model::Ensemble& ensemble, const Axes& axes);

    // Own indices of a tree: [first(tree), first(tree + 1)), by ascending feature.
    std::int64_t first(std::size_t tree) const { return tree_start_[tree]; }
    std::size_t size() const { return feature_.size(); }
    std::int32_t feature(std::int64_t own) const { return feature_[own]; }
    // Index of (tree, feature), -1 where the tree does not split the feature.
    std::int64_t find(std::size_t tree, std::int32_t feature) const;
    // First cell of the common axis in each own cell, ascending from 0.
    std::span<const std::int32_t> of(std::int64_t own) const {
        return {breaks_.data() + break_start_[own],
                static_cast<std::size_t>(break_start_[own + 1] - break_start_[own])};
    }

 private:
    void add_tree(const model::Ensemble& e, const Axes& axes, std::size_t tree);

    std::vector<std::int64_t> tree_start_{0};  // (n_trees + 1) first own index of each tree
    std::vector<std::int32_t> feature_;        // by own index, ascending within a tree
    std::vector<std::int64_t> break_start_{0};
    std::vector<std::int32_t> breaks_;
    std::vector<std::uint64_t> found_;  // of the tree being added
};

}  // namespace glasswood::explain::intervals

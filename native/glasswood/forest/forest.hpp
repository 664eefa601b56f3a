// Forest: trees grown in parallel, each from its own stream of random numbers, and stored one after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glasswood/forest/tree_grower.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::forest {

enum class CriterionKind : std::uint8_t { squared_error, gini, entropy };

// What the trees learn: numbers, or the classes 0 … n_classes - 1.
struct Target {
    std::span<const double> numbers;       // empty for classes
    std::span<const std::int32_t> labels;  // empty for numbers
    std::size_t n_classes = 0;
    CriterionKind criterion = CriterionKind::squared_error;
};

struct ForestOptions {
    GrowLimits limits;
    double ccp_alpha = 0;
    std::size_t n_quantiles = 0;  // 0: every threshold is tried
    std::size_t n_trees = 1;
    bool bootstrap = false;
    std::size_t n_draws = 0;  // rows drawn for a tree
    std::uint64_t seed = 0;
    int n_threads = 1;
};

struct Forest {
    std::vector<std::int32_t> tree_start{0};
    TreeNodes nodes;        // children are indices within the forest
    std::size_t width = 1;  // values per node
};

// `weight` has one entry per row; rows of weight 0 do not count. The prediction is the mean of the trees, so
// values come divided by their number. `n_grown` counts the trees as they are finished, for a thread that watches.
Forest grow_forest(const table::Rows& rows, std::span<const std::int32_t> n_levels, const Target& target,
                   std::span<const double> weight, const ForestOptions& options, const base::Interrupt& interrupt,
                   std::atomic<std::size_t>& n_grown);

}  // namespace glasswood::forest

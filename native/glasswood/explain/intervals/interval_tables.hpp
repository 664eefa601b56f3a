// Interval tables: the three published interval formulas. Per tree the weighted mean of the values of the leaves whose
// box meets a cell, summed over trees. The mean is constant on the tree's own cells: it is computed there and scattered
// to the common grid as differences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain::intervals {

enum class Formula : std::uint8_t {
    shared,    // a leaf that spans m cells gives each weight / m
    leafmean,  // full leaf weights; a cell weighs Σ_t weight / number of leaves
    treemind,  // full leaf weights; a cell weighs Σ_t weight / number of trees
};

// Tables (n_outputs, cells …) one after the other, one per tuple of `degree` features; they start as 0.
struct LeafTables {
    double* value;
    double* spread;  // Σ_t standard deviation of the leaf values within the tree
    double* weight;  // 0 in the missing and the unseen cells
};

// Returns the weighted mean of every table, (n_tuples, n_outputs).
std::vector<double> leaf_tables(const model::Ensemble& ensemble, const Paths& paths,
                                std::span<const std::int32_t> features, std::size_t degree, Formula formula,
                                int n_threads, const LeafTables& out);

}  // namespace glasswood::explain::intervals

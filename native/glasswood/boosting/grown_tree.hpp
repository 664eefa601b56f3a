// GrownTree: a finished tree on bins, breadth first, and what it does to raw.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "glasswood/boosting/grown_node.hpp"

namespace glasswood::boosting {

struct GrownTree {
    std::vector<std::int32_t> feature;  // -1 in a leaf
    std::vector<std::int32_t> bin;      // numbers: bins up to this one go left
    std::vector<BinSet> left_set;       // bins that go left
    std::vector<std::int32_t> wide;     // which of `wide_sets` says what goes left instead; -1: none
    std::vector<WideSet> wide_sets;
    std::vector<std::int32_t> left;
    std::vector<std::int32_t> right;
    std::vector<std::uint8_t> missing_left;
    std::vector<std::uint8_t> unseen_left;
    std::vector<double> value;  // of leaves
    std::vector<double> weight;
    std::vector<double> gain;   // NaN in a leaf
    std::vector<double> lower;  // bounds of a leaf's value
    std::vector<double> upper;
    std::vector<std::size_t> begin;  // rows of a leaf in the grower's order
    std::vector<std::size_t> end;

    std::size_t n_nodes() const { return feature.size(); }
    std::size_t n_wide_columns() const;  // that rows need to walk down the tree
    bool is_leaf(std::size_t node) const { return feature[node] < 0; }
};

// Breadth-first order depends on the tree alone, not on who grew which part of it.
GrownTree finish(const std::deque<GrownNode>& nodes);

// Replaces the values of leaves by the weighted lower quantile of their residuals y − raw: the smallest with
// cumulative weight of at least quantile of the total.
void refit_leaves(GrownTree& tree, std::span<const std::uint32_t> rows, std::span<const double> y,
                  std::span<const double> raw, std::span<const double> weight, double quantile, int n_threads);

// The leaf that each of the rows reaches, as the number of its node.
void find_leaves(const GrownTree& tree, const BinnedRows& bins, const WideColumns& wide,
                 std::span<const std::uint32_t> rows, int n_threads, std::span<std::int64_t> out);

// Sets the values of leaves, within their bounds; NaN leaves a value as it is. One number per node.
void set_leaves(GrownTree& tree, std::span<const double> values);

void scale_values(GrownTree& tree, double factor);

// raw += value for the rows the tree was grown on, in the grower's order.
void add_grown(const GrownTree& tree, std::span<const std::uint32_t> rows, int n_threads, std::span<double> raw);

// raw += value for rows that walk down the tree.
void add_walking(const GrownTree& tree, const BinnedRows& bins, const WideColumns& wide,
                 std::span<const std::uint32_t> rows, int n_threads, std::span<double> raw);

}  // namespace glasswood::boosting

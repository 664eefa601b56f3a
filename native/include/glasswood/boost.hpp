// Grower: one tree of boosting on histograms, depth by depth or best leaf first.
//
// A node's histogram is split into the one of its smaller child, built from rows, and its sibling's, by
// subtraction in place. Sums are integers, so neither the cut of the work nor the order of nodes changes a
// bit: large nodes are shared by all threads, small subtrees go to one thread each, depth first, which keeps
// few histograms alive.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "glasswood/candidates.hpp"

namespace glasswood::boosting {

struct GrowOptions {
    GainKind gain = GainKind::newton;
    double l2 = 1.0;
    double min_weight_leaf = 1.0;
    double min_gain = 0.0;
    std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t max_leaf_nodes = 0;  // 0: depth by depth, no limit
};

struct GrownNode {
    Split split{};           // of an inner node
    std::int32_t left = -1;  // -1: a leaf
    std::int32_t right = -1;
    Sums sums{};
    double value = 0.0;                                       // of a leaf
    double lower = -std::numeric_limits<double>::infinity();  // bounds that keep the tree monotone
    double upper = std::numeric_limits<double>::infinity();
    std::size_t begin = 0;  // its rows
    std::size_t end = 0;
    std::uint32_t depth = 0;
    std::vector<std::uint32_t> groups;  // of features that may still interact with the path
    std::unique_ptr<Sums[]> cells;      // its histogram, while it may be split

    bool is_leaf() const { return left < 0; }
    std::size_t n_rows() const { return end - begin; }
};

// Statistics of the rows a tree is grown on.
struct TreeRows {
    std::span<const Sums> stats;  // of every row of the table
    NodeSums unit;
    std::span<const std::uint32_t> rows;  // those to use, ascending
};

class Grower {
 public:
    Grower(const BinnedRows& bins, BinnedFeatures features, const GrowOptions& options);
    Grower(const Grower&) = delete;
    Grower& operator=(const Grower&) = delete;

    // Nodes with the root first; children after their parent. `columns`: features to use, ascending.
    std::vector<GrownNode> grow(const TreeRows& data, std::span<const std::uint32_t> columns, int n_threads);

    // Rows of the last tree; those of a node are [begin, end).
    std::span<const std::uint32_t> rows() const { return rows_; }

    const BinnedRows& bins() const { return bins_; }
    const BinnedFeatures& features() const { return features_; }

 private:
    using Nodes = std::vector<GrownNode>;

    void use_columns(std::span<const std::uint32_t> columns);
    GrownNode make_root(int n_threads);
    bool may_split(const GrownNode& node) const;
    bool is_allowed(const GrownNode& node, std::size_t feature) const;
    void add_children(Nodes& nodes, std::size_t parent, std::size_t n_left) const;
    void split(Nodes& nodes, std::size_t at, int n_threads);
    void give_histograms(GrownNode& small, GrownNode& large, std::unique_ptr<Sums[]> cells, int n_threads);
    void scan(const GrownNode& node, const Sums* cells, std::size_t first, std::size_t last,
              std::vector<Candidate>& found) const;
    void choose(GrownNode& node, std::unique_ptr<Sums[]> cells, const std::vector<Candidate>& found);
    HistogramColumns block(std::size_t first, std::size_t last) const;
    template <class Body>
    void for_blocks(int n_threads, Body&& body) const;
    void grow_by_depth(Nodes& nodes, int n_threads);
    void grow_by_gain(Nodes& nodes, int n_threads);
    void grow_subtree(Nodes& nodes);

    std::unique_ptr<Sums[]> take();
    void give(std::unique_ptr<Sums[]> cells);

    BinnedRows bins_;
    BinnedFeatures features_;
    GrowOptions options_;
    const BoostKernels* kernels_ = nullptr;
    TreeRows data_{};
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint32_t> start_;  // (n_columns + 1) first cell of each
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> spare_left_;
    std::vector<std::uint32_t> spare_right_;
    std::mutex guard_;
    std::size_t pool_cells_ = 0;  // size of the histograms in the pool
    std::vector<std::unique_ptr<Sums[]>> pool_;
};

}  // namespace glasswood::boosting

// Grower: one tree of boosting on histograms, depth by depth or best leaf first.
//
// A node's histogram is split into the one of its smaller child, built from rows, and its sibling's, by
// subtraction in place. Sums are integers, so neither the cut of the work nor the order of nodes changes a
// bit: large nodes are shared by all threads, smaller ones go to one thread each.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/boosting/histograms.hpp"
#include "glasswood/boosting/leaf_step.hpp"
#include "glasswood/boosting/split_candidates.hpp"

namespace glasswood::boosting {

struct GrowOptions {
    GainKind gain = GainKind::newton;
    StepRule step;
    double rho = 1.0;
    double min_weight_leaf = 1.0;
    double min_gain = 0.0;
    std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t max_leaf_nodes = 0;    // 0: depth by depth, no limit
    std::uint32_t min_samples_leaf = 1;  // rows, whatever they weigh; above 1 every scan counts the rows of its node
};

struct GrownNode {
    Split split{};           // of an inner node
    std::int32_t left = -1;  // -1: a leaf
    std::int32_t right = -1;
    Sums sums{};
    double value = 0.0;  // of a leaf
    double weight = 0.0;
    double lower = -std::numeric_limits<double>::infinity();  // bounds that keep the tree monotone
    double upper = std::numeric_limits<double>::infinity();
    std::size_t begin = 0;  // its rows
    std::size_t end = 0;
    std::uint32_t depth = 0;
    std::vector<std::uint32_t> groups;  // of features that may still interact with the path
    Histograms::Cells cells;            // its histogram, while it may be split

    bool is_leaf() const { return left < 0; }
    std::size_t n_rows() const { return end - begin; }
};

struct Children {
    GrownNode left;
    GrownNode right;
};

// Statistics of the rows a tree is grown on.
struct TreeRows {
    RowStats stats;
    std::span<const double> grad, hess, weight;  // what leaves are computed from if `stats` are quantised
    std::span<const std::uint32_t> rows;         // those to use, ascending
};

class Grower {
 public:
    Grower(const BinnedRows& bins, BinnedFeatures features, const GrowOptions& options);
    Grower(const Grower&) = delete;
    Grower& operator=(const Grower&) = delete;

    // Nodes with the root first; children after their parent. `columns`: features to use, ascending.
    std::deque<GrownNode> grow(const TreeRows& data, std::span<const std::uint32_t> columns, int n_threads,
                               const base::Interrupt& interrupt);

    // Rows of the last tree; those of a node are [begin, end).
    std::span<const std::uint32_t> rows() const { return rows_; }

    const BinnedRows& bins() const { return bins_; }
    const BinnedFeatures& features() const { return features_; }

 private:
    using Nodes = std::deque<GrownNode>;

    GrownNode make_root(int n_threads);
    bool may_split(const GrownNode& node) const;
    bool is_allowed(const GrownNode& node, std::size_t feature) const;
    Children make_children(const GrownNode& node, std::size_t n_left) const;
    Children divide(GrownNode& node, int n_threads);
    void unite(const GrownNode& node, Children& children);
    void give_histograms(GrownNode& small, GrownNode& large, Histograms::Cells cells, int n_threads);
    ScanTask task_of(const GrownNode& node) const;
    void scan(const GrownNode& node, const Sums* cells, std::size_t first, std::size_t last,
              std::vector<Candidate>& found) const;
    void count_rows(const GrownNode& node, std::size_t feature, std::vector<std::uint32_t>& counts) const;
    void choose(GrownNode& node, Histograms::Cells cells, const std::vector<Candidate>& found);
    void grow_below_root(Nodes& nodes, int n_threads);
    base::Work work_below_root() const;
    void set_values(Nodes& nodes, int n_threads) const;

    BinnedRows bins_;
    BinnedFeatures features_;
    GrowOptions options_;
    const BoostKernels* kernels_ = nullptr;
    const base::Interrupt* interrupt_ = nullptr;
    TreeRows data_{};
    NodeSums unit_{};
    Histograms histograms_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> spare_;
};

}  // namespace glasswood::boosting

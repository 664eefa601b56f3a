// Grower: one tree of boosting on histograms, depth by depth, best leaf first or with one question per level.
//
// A node's histogram is split into the one of its smaller child, built from rows, and its sibling's, by
// subtraction in place. Sums are integers, so neither the cut of the work nor the order of nodes changes a
// bit: large nodes are shared by all threads, smaller ones go to one thread each.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/boosting/contest.hpp"
#include "glasswood/boosting/feature_batches.hpp"
#include "glasswood/boosting/histograms.hpp"
#include "glasswood/boosting/node_rules.hpp"
#include "glasswood/boosting/symmetric_split.hpp"
#include "glasswood/boosting/wide_levels.hpp"

namespace glasswood::boosting {

class Grower {
 public:
    // `bundles`: whether features may share columns, which changes the time a tree takes and nothing else; in tables of
    // at least `least_rows` bytes hold the codes of several.
    Grower(const BinnedRows& bins, const WideColumns& wide, NodeRules rules, bool bundles = true,
           std::size_t least_rows = 32768);
    // The same on bundles that have codes by column, without the bins they were made of.
    Grower(std::shared_ptr<const ColumnBundles> bundles, const WideColumns& wide, NodeRules rules);
    // A grower of the same rows by the same rules, for another thread.
    explicit Grower(const Grower* twin);
    Grower(const Grower&) = delete;
    Grower& operator=(const Grower&) = delete;

    // Nodes with the root first; children after their parent. `columns`: features to use, ascending.
    std::deque<GrownNode> grow(const TreeRows& data, std::span<const std::uint32_t> columns, int n_threads,
                               const base::Interrupt& interrupt);

    // Rows of the last tree; those of a node are [begin, end).
    std::span<const std::uint32_t> rows() const { return rows_; }

    const BinnedRows& bins() const { return bins_; }
    const std::shared_ptr<const ColumnBundles>& bundles() const { return histograms_.bundles(); }
    const WideColumns& wide() const { return wide_.columns(); }
    const NodeRules& rules() const { return rules_; }

 private:
    class Scan;
    using Nodes = std::deque<GrownNode>;

    GrownNode make_root(int n_threads);
    void choose_root(GrownNode& root, int n_threads);
    bool may_split(const GrownNode& node) const { return rules_.may_split(node, node.n_rows()); }
    Children divide(GrownNode& node, bool are_leaves, int n_threads);
    void unite(const GrownNode& node, Children& children);
    void give_histograms(GrownNode& small, GrownNode& large, Histograms::Cells cells, int n_threads);
    void scan(const GrownNode& node, const Sums* cells, std::size_t first, std::size_t last, Contest& contest) const;
    void scan(const GrownNode& node, const Sums* cells, std::span<const std::uint32_t> places, Contest& contest) const;
    Candidate candidate_of(const GrownNode& node, const Contest::Entry& winner, const Sums* cells) const;
    std::vector<LevelList> scan_wide(const GrownNode& node, int n_threads, Contest& contest);
    Split split_of(const GrownNode& node, std::size_t k, const Candidate& candidate, const Sums* cells,
                   std::span<const LevelList> wide) const;
    void choose(GrownNode& node, Histograms::Cells cells, Contest& contest, int n_threads);
    bool is_small(const GrownNode& node) const;
    void choose_small(GrownNode& node);
    void give_back(Histograms::Cells& cells);
    std::size_t least_shared(std::size_t n_threads) const;
    void grow_below_root(Nodes& nodes, int n_threads);
    base::Work work_below_root() const;
    // Symmetric trees: one question per level.
    void grow_by_level(Nodes& nodes, int n_threads);
    LevelCells cells_of_level(const OpenLevel& open, std::size_t k, ColumnBundles::Spare* spare, int n_threads);
    std::vector<Candidate> scan_level(const OpenLevel& open, int n_threads);
    std::vector<NodeSplit> splits_of_level(const OpenLevel& open, std::size_t k, const Candidate& candidate,
                                           int n_threads);
    std::size_t send_rows(const GrownNode& node, int n_threads);
    void give_cells(GrownNode& small, GrownNode& large, Histograms::Cells cells, int n_threads);
    void set_values(Nodes& nodes, int n_threads) const;

    BinnedRows bins_;
    NodeRules rules_;
    const BoostKernels* kernels_ = nullptr;
    const base::Interrupt* interrupt_ = nullptr;
    TreeRows data_{};
    Histograms histograms_;
    FeatureBatches batches_;
    WideLevels wide_;
    std::vector<std::size_t> wide_at_;  // places of wide categories among the features of the tree
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> spare_;
};

}  // namespace glasswood::boosting

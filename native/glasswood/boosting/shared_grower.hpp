// SharedGrower: the symmetric trees of all outputs of a round, grown together: every level asks one question, and all
// trees ask it.
//
// The trees send the same rows the same way, so rows are kept once. A feature's cells are filled for all outputs at
// once, level by level, and kept only while the feature is looked at: however many outputs and features there are, a
// thread holds the cells of one feature.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/boosting/node_rules.hpp"
#include "glasswood/boosting/symmetric_split.hpp"
#include "glasswood/boosting/tree_grower.hpp"
#include "glasswood/boosting/wide_levels.hpp"

namespace glasswood::boosting {

class SharedGrower {
 public:
    // On the same table and by the same rules as `like`, which may grow trees in between.
    SharedGrower(const Grower& like, std::size_t n_outputs);
    SharedGrower(const SharedGrower&) = delete;
    SharedGrower& operator=(const SharedGrower&) = delete;

    // A tree for every output, on the same rows. `outputs`: exact statistics. `columns`: features to use, ascending.
    std::vector<std::deque<GrownNode>> grow(std::span<const TreeRows> outputs, std::span<const std::uint32_t> columns,
                                            int n_threads, const base::Interrupt& interrupt);

    // Rows of the last trees; those of a node are [begin, end).
    std::span<const std::uint32_t> rows() const { return rows_; }

    const BinnedRows& bins() const { return bins_; }
    std::size_t n_outputs() const { return rules_.size(); }

 private:
    using Nodes = std::deque<GrownNode>;

    std::span<const std::uint32_t> rows_of(const GrownNode& node) const {
        return std::span(rows_).subspan(node.begin, node.n_rows());
    }
    bool may_split(const GrownNode& node) const { return rules_.front().may_split(node, node.n_rows()); }
    void start(std::span<const std::uint32_t> rows, int n_threads);
    void gather_sums(int n_threads);
    OpenLevel open_level(std::span<const std::size_t> open) const;
    LevelCells room_for(const OpenLevel& open, std::size_t n_cells) const;
    LevelCells cells_of(const OpenLevel& open, std::size_t feature);
    template <class SetBins>
    LevelCells cells_by(const OpenLevel& open, std::size_t n_cells, const SetBins& set_bins) const;
    void divide(std::span<const std::size_t> open, std::span<const std::vector<NodeSplit>> splits, int n_threads);

    BinnedRows bins_;
    std::shared_ptr<const ColumnBundles> bundles_;
    WideLevels wide_;
    std::vector<NodeRules> rules_;  // of every output; they differ in their units
    std::vector<RowStats> stats_;   // of every output
    std::vector<Nodes> nodes_;      // of every output
    std::vector<std::uint32_t> rows_, spare_;
    std::vector<Sums> sums_;  // (n_rows, n_outputs), in the order of rows_
};

}  // namespace glasswood::boosting

// LevelTree: one tree, grown on the rows of one machine (a rank) of several that hold the table together: level by
// level, or best leaf first, where a level is one split.
//
// The features of a tree are dealt out to the ranks. Per level every rank fills the histograms of its own rows. The
// code that drives the ranks adds them up as integers, block by block, and gives each rank the block of the features it
// owns. Of a wide category, which has no histogram, every rank gives the owner the levels of its own rows, node by
// node. The owner scans all that and answers with the splits that may be the best. Every rank then chooses among the
// splits of all, by the same rule, and sends its own rows left and right. Sums are integers and the rules are those of
// `Grower`, so the tree is equal to the bit, however the rows are divided.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "glasswood/boosting/histograms.hpp"
#include "glasswood/boosting/node_rules.hpp"
#include "glasswood/boosting/split_record.hpp"
#include "glasswood/boosting/symmetric_split.hpp"
#include "glasswood/boosting/wide_levels.hpp"

namespace glasswood::boosting {

class LevelTree {
 public:
    // What has to come next.
    enum class Stage { begin, fill, scan, choose, finish };

    LevelTree(const BinnedRows& bins, const WideColumns& wide, NodeRules rules, std::size_t rank, std::size_t n_ranks);
    LevelTree(const LevelTree&) = delete;
    LevelTree& operator=(const LevelTree&) = delete;

    // The root is open. `columns`: features to use, ascending, the same on every rank. There may be no rows here.
    void begin(const TreeRows& data, std::span<const std::uint32_t> columns);

    // Numbers in each rank's block of this level; their sum is what `fill` writes.
    std::vector<std::size_t> segments() const;

    // The sums of the rows here, one rank's block after the other. A block begins with the rows of every open node
    // (and the sums of the root); for one child of every split, the lighter one, follow the cells of the owner's
    // features and, if rows must be counted, the rows in these cells. Where statistics are pairs, a cell has two
    // numbers instead of four, and the square of the lighter child stands beside its rows.
    void fill(std::span<std::int64_t> out, int n_threads);

    // For each rank the levels of its wide categories that rows here have in the open nodes; empty if no feature of the
    // tree is wide.
    std::vector<std::vector<LevelRecord>> levels(int n_threads);

    // What is wrong with the levels that all ranks found for this one; empty: nothing.
    std::string fault_of(std::span<const SentLevels> levels) const;

    // `own`: the block of this rank, added up over all ranks; `levels`: what each rank found for it. Every split of its
    // features that may be the best of its node.
    std::vector<SentSplit> scan(std::span<const std::int64_t> own, std::span<const SentLevels> levels, int n_threads);

    // The same for symmetric trees of several outputs that share their questions, in two steps: every tree reads its
    // block, then all are scanned together. Records are those of each tree.
    void read(std::span<const std::int64_t> own, std::span<const SentLevels> levels, int n_threads);
    static std::vector<std::vector<SentSplit>> scan_shared(std::span<LevelTree* const> trees, int n_threads);

    // What is wrong with records that came from elsewhere; empty: nothing.
    std::string fault_of(std::span<const SentSplit> records) const;

    // Splits the nodes, best first one of all that are open. `all`: the records of all ranks, in any order. How many
    // splits the next level looks into; with 0 the tree is to be finished.
    std::size_t choose(std::span<const SentSplit> all, int n_threads);

    // The same for trees that share their questions. `all`: the records of each tree, in one order of ranks.
    static std::size_t choose_shared(std::span<LevelTree* const> trees, std::span<const std::vector<SentSplit>> all,
                                     int n_threads);

    // Three numbers per leaf to be added up over all ranks, where statistics are quantised; else none.
    std::vector<std::int64_t> leaf_sums(int n_threads) const;

    // Nodes with the root first; children after their parent.
    std::deque<GrownNode> finish(std::span<const std::int64_t> leaf_sums);
    std::size_t n_leaf_sums() const;

    Stage stage() const { return stage_; }
    std::size_t rank() const { return rank_; }
    std::span<const std::uint32_t> rows() const { return rows_; }
    const BinnedRows& bins() const { return bins_; }
    const NodeRules& rules() const { return rules_; }

 private:
    using Cells = base::Pages<std::int64_t>;  // n_fields_ numbers each
    // The children of a split, or the root alone, with the owner's part of their parent's histogram.
    struct Family {
        std::size_t light;  // places in nodes_
        std::size_t heavy;  // the root: the same
        Cells cells{};
        std::vector<std::int64_t> counts{};

        bool is_root() const { return light == heavy; }
    };
    // A node whose split is looked for, with the owner's part of its histogram and the levels of its wide categories.
    struct Candidacy {
        std::size_t node;
        Cells cells{};
        std::vector<std::int64_t> counts{};
        std::vector<LevelList> levels{};
        std::vector<Candidate> found{};
    };

    bool is_symmetric() const { return rules_.options().is_symmetric; }
    bool is_best_first() const { return rules_.options().max_leaf_nodes > 0; }
    bool is_quantised() const { return data_.is_quantised; }
    bool are_pairs() const { return data_.are_pairs; }
    bool is_full() const {
        return is_best_first() && nodes_.size() + 1 >= 2 * std::size_t{rules_.options().max_leaf_nodes};
    }
    std::size_t min_shared() const;
    std::span<const std::uint32_t> rows_of(const GrownNode& node) const;
    std::size_t n_head() const;
    std::size_t n_head_of_family() const { return are_pairs() ? 3 : 2; }
    std::size_t n_per_cell() const { return n_fields_ + (rules_.counts_rows() ? 1 : 0); }
    std::size_t n_cells(std::size_t rank) const;
    bool is_wide(std::size_t column) const { return rules_.features().is_wide(histograms_.feature(column)); }
    std::span<const std::size_t> wide_of(std::size_t rank) const;
    std::vector<std::size_t> listed_nodes() const;
    void merge_levels(std::span<const SentLevels> levels, int n_threads);
    std::size_t place_of_levels(std::size_t column) const;
    void fill_family(std::size_t at, std::span<const std::size_t> starts, std::span<std::int64_t> out, int n_threads);
    Sums sums_of_rows(std::span<const std::uint32_t> rows, const Sums* cells) const;
    std::int64_t square_of_rows(std::span<const std::uint32_t> rows) const;
    void read_head(std::span<const std::int64_t> own);
    const Sums* column_cells(const Candidacy& candidacy, std::size_t column, std::span<Sums> space) const;
    void scan_columns(std::size_t family, std::size_t first, std::size_t last, std::span<const std::int64_t> block);
    void scan_node(Candidacy& candidacy, std::size_t first, std::size_t last) const;
    Split split_of(const Candidacy& candidacy, std::size_t column, const Candidate& found) const;
    void add_records(const Candidacy& candidacy, std::vector<SentSplit>& out) const;
    // Symmetric trees: one question per level, about the nodes that wait too.
    void join_waiting();
    static OpenLevel open_level(std::span<LevelTree* const> trees);
    static LevelCells cells_of_level(std::span<LevelTree* const> trees, std::size_t k);
    using Chosen = std::vector<const SentSplit*>;  // of every node; null: it is not split
    static std::vector<Chosen> choose_symmetric(std::span<LevelTree* const> trees,
                                                std::span<const std::span<const SentSplit>> all);
    std::size_t split_nodes(const Chosen& chosen, int n_threads);
    std::size_t split_best(const Chosen& chosen, int n_threads);
    void divide(std::span<const std::size_t> split, int n_threads);
    Chosen choose_each(std::span<const SentSplit> all) const;
    std::vector<std::size_t> send_rows(std::span<const std::size_t> split, int n_threads);
    Cells take();
    void give(Cells cells);

    BinnedRows bins_;
    NodeRules rules_;
    std::size_t rank_, n_ranks_;
    Stage stage_ = Stage::begin;
    TreeRows data_{};
    Histograms histograms_;
    WideLevels wide_;
    const BoostKernels* kernels_ = nullptr;
    std::vector<std::size_t> first_column_;  // (n_ranks + 1) of each rank
    std::vector<std::size_t> wide_at_;       // columns of wide categories
    std::vector<std::uint32_t> rows_, spare_;
    std::deque<GrownNode> nodes_;
    std::vector<std::size_t> n_rows_;  // of each node, on all ranks, once known
    std::vector<Family> families_;
    std::vector<Candidacy> candidacies_;  // two per family; without cells: not looked for
    std::vector<Candidacy> waiting_;      // open nodes that the last question did not divide or that others precede
    std::uint32_t n_levels_ = 0;
    std::size_t n_fields_ = 4;  // numbers of a cell
    std::size_t pool_numbers_ = 0;
    std::vector<Cells> pool_;
};

}  // namespace glasswood::boosting

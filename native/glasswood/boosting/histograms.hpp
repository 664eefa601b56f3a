// Histograms: the memory and the filling of the histograms of one tree's nodes.
//
// Sums are integers, so rows may be added in any order by any number of threads: large nodes are shared by rows, each
// thread with a histogram of its own, smaller ones by features.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "glasswood/base/huge_pages.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/column_bundles.hpp"
#include "glasswood/boosting/histogram_fill.hpp"
#include "glasswood/boosting/split_scan.hpp"

namespace glasswood::boosting {

// Statistics of every row of the table, of one of three kinds.
struct RowStats {
    std::span<const Sums> wide{};
    std::span<const Narrow> narrow{};
    NodeSums unit{};
    std::span<const Pair> pairs{};
    std::span<const std::int64_t> square{};  // of pairs
};

// Statistics of the rows a tree is grown on.
struct TreeRows {
    RowStats stats;
    std::span<const double> grad, hess, weight;  // what leaves are computed from if `stats` are quantised
    std::size_t n_table;                         // rows of the whole table, on all machines
    std::span<const std::uint32_t> rows;         // those to use, ascending
    bool is_quantised = false;                   // also where there are no rows to tell by, as the next
    bool are_pairs = false;
};

class Histograms {
 public:
    using Cells = base::Pages<Sums>;
    using Range = std::function<void(std::size_t first, std::size_t last)>;

    // `bins` by column, unless the bundles have codes by column, and the columns that histograms are filled from.
    Histograms(const BinnedRows& bins, std::shared_ptr<const ColumnBundles> bundles)
        : bins_(bins), bundles_(std::move(bundles)) {}

    const std::shared_ptr<const ColumnBundles>& bundles() const { return bundles_; }

    // What the next tree is grown from: statistics and features, ascending. Whether the features are other ones than
    // before.
    bool begin(const RowStats& stats, std::span<const std::uint32_t> features);

    std::size_t n_features() const { return features_.size(); }
    std::uint32_t feature(std::size_t k) const { return features_[k]; }
    std::size_t n_cells() const { return n_cells_; }
    std::size_t n_columns() const { return n_columns_; }  // that are filled; features may share one
    // Features that are no lists; they are stored first.
    std::size_t n_unlisted() const { return chunk_first_.back(); }
    // Values that are added for so many rows, about.
    std::size_t n_values(std::size_t n_rows) const { return n_rows * n_columns_ + n_rows * listed_per_row_; }
    // Cells of the first column, if there is one.
    std::size_t n_first() const { return bundles_->n_codes(bundles_->place(features_[order_[0]]).column); }

    // The k-th feature in the order in which features are stored, and its first cell.
    std::size_t stored(std::size_t at) const { return order_[at]; }
    std::size_t first_cell(std::size_t at) const { return first_cell_[at]; }

    // Cells of the k-th feature: in the histogram itself, or in `spare` where the feature shares its column. `total`:
    // sums of the node. A spare serves one histogram. Null where all rows have the feature's usual bin; the second form
    // is never null.
    const Sums* cells_of(std::size_t k, const Sums* histogram, const Sums& total, ColumnBundles::Spare& spare) const {
        return bundles_->cells_of(features_[k], histogram + cell_[k], total, spare);
    }
    const Sums* all_cells_of(std::size_t k, const Sums* histogram, const Sums& total,
                             ColumnBundles::Spare& spare) const {
        return bundles_->all_cells_of(features_[k], histogram + cell_[k], total, spare);
    }

    // Where the cells of the k-th feature are, if they are all but those of its usual bin; otherwise there are none.
    OtherCells other_cells(std::size_t k) const { return bundles_->other_cells(features_[k], cell_[k]); }

    // A histogram, not initialised.
    Cells take();
    void give(Cells cells);

    // Calls body(first, last) for ranges of features in the order in which they are stored, one per thread.
    void for_features(int n_threads, const Range& body) const;

    // Sets `cells` to the sums of the rows and calls done(first, last) for every range of stored features that is
    // complete.
    void fill(std::span<const std::uint32_t> rows, Sums* cells, int n_threads, const Range& done);

    // The same where statistics are pairs; memory of a histogram has room for them.
    void fill(std::span<const std::uint32_t> rows, Pair* cells, int n_threads);

    // Whether the cells of a node of so many rows are better listed than kept in a histogram.
    bool are_listed(std::size_t n_rows) const;

    // Calls body(k, list) for every feature in a column, without a histogram; only where `are_listed`.
    using ListBody = std::function<void(std::size_t k, const CellList& list)>;
    void for_lists(std::span<const std::uint32_t> rows, const Sums& total, const ListBody& body);

    // The same for the features that are lists of values: calls body(cells, places) once. `places`: of those stored
    // features of which rows are away from the usual bin, ascending. Their cells are where a histogram has them.
    using ValuesBody = std::function<void(const Sums* cells, std::span<const std::uint32_t> places)>;
    void for_values(std::span<const std::uint32_t> rows, const ValuesBody& body);

    // The sums of the rows.
    Sums sums_of(std::span<const std::uint32_t> rows) const;

    // Sets `cells` to the sums of the rows by bins of the k-th feature.
    void fill_feature(std::span<const std::uint32_t> rows, std::size_t k, std::span<Sums> cells) const;

    // Sets `counts` to the rows in each bin of the k-th feature.
    void count(std::span<const std::uint32_t> rows, std::size_t k, std::span<std::int64_t> counts) const;

 private:
    struct Space {
        base::Pages<std::uint8_t> tile;
        base::Pages<Sums> stats;
        base::Pages<Narrow> narrow;
        base::Pages<Sums> empty;  // the cells of a chunk, all of them empty
        std::unique_ptr<ColumnBundles::Spare[]> spare;
        base::Pages<Sums> listed{};  // a histogram of empty cells, where features are lists
        std::vector<std::uint64_t> marks{};
        std::vector<std::uint32_t> places{};
    };

    template <class Body>
    void with_bins(std::size_t k, std::span<const std::uint32_t> rows, const Body& body) const;
    ListedTask listed_task(std::span<const std::uint32_t> rows) const;
    Sums of_row(std::uint32_t row) const;
    void lay_out(std::span<const std::uint32_t> features);
    void lay_out_lists();
    template <class Cell>
    void add_values(std::span<const std::uint32_t> rows, Cell* cells) const;
    template <class Cell>
    void fill_cells(std::span<const std::uint32_t> rows, Cell* cells, int n_threads, const Range& done);
    template <class Cell>
    void add_rows(std::span<const std::uint32_t> rows, std::size_t first_chunk, std::size_t last_chunk,
                  const Space& space, Cell* cells) const;
    template <class Cell>
    void share_rows(std::span<const std::uint32_t> rows, Cell* cells, int n_threads, const Range& done);
    base::Work work_of_filling(std::size_t n_rows) const;
    void for_features(int n_threads, base::Work work, const Range& body) const;
    void for_blocks(int n_threads, base::Work work, const Range& chunks) const;
    Space take_space();
    void give_space(Space space);

    BinnedRows bins_;
    std::shared_ptr<const ColumnBundles> bundles_;
    RowStats stats_{};
    std::vector<std::uint32_t> features_;
    std::vector<std::uint32_t> order_;       // positions in features_, as they are stored
    std::vector<std::uint32_t> first_cell_;  // (n_features + 1) of the features as they are stored
    std::vector<std::uint32_t> cell_;        // (n_features) first cell of each feature's column
    std::size_t n_cells_ = 0;
    std::size_t n_columns_ = 0;            // that are filled
    std::size_t n_unlisted_cells_ = 0;     // cells of columns; those of lists follow
    std::size_t listed_per_row_ = 0;       // values of lists that a row has, about
    std::vector<std::uint32_t> place_of_;  // stored feature of each cell of lists
    std::vector<ColumnChunk> chunks_;
    std::vector<std::uint32_t> chunk_first_;  // (n_chunks + 1) first of the stored features of each
    std::mutex guard_;
    std::size_t pool_cells_ = 0;  // size of what the pools hold
    std::vector<Cells> pool_;
    std::vector<Space> spaces_;
};

}  // namespace glasswood::boosting

// Histograms: the memory and the filling of the histograms of one tree's nodes.
//
// Sums are integers, so rows may be added in any order by any number of threads: large nodes are shared by rows, each
// thread with a histogram of its own, smaller ones by features.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "glasswood/base/huge_pages.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/boosting/histogram_fill.hpp"
#include "glasswood/boosting/split_scan.hpp"

namespace glasswood::boosting {

// Statistics of every row of the table, of one kind or the other.
struct RowStats {
    std::span<const Sums> wide;
    std::span<const Narrow> narrow;
    NodeSums unit;
};

// Statistics of the rows a tree is grown on.
struct TreeRows {
    RowStats stats;
    std::span<const double> grad, hess, weight;  // what leaves are computed from if `stats` are quantised
    std::size_t n_table;                         // rows of the whole table, on all machines
    std::span<const std::uint32_t> rows;         // those to use, ascending
};

class Histograms {
 public:
    using Cells = base::Pages<Sums>;
    using Columns = std::function<void(std::size_t first, std::size_t last)>;

    explicit Histograms(const BinnedRows& bins) : bins_(bins) {}

    // What the next tree is grown from: statistics, features (ascending) and the number of cells of each feature.
    void begin(const RowStats& stats, std::span<const std::uint32_t> columns, std::span<const std::uint32_t> n_cells);

    std::size_t n_columns() const { return columns_.size(); }
    std::uint32_t column(std::size_t k) const { return columns_[k]; }
    std::size_t start(std::size_t k) const { return start_[k]; }  // first cell of a column

    // A histogram, not initialised.
    Cells take();
    void give(Cells cells);

    // Calls body(first, last) for ranges of columns, one per thread.
    void for_columns(int n_threads, const Columns& body) const;

    // Sets `cells` to the sums of the rows and calls done(first, last) for every range of columns that is complete.
    void fill(std::span<const std::uint32_t> rows, Sums* cells, int n_threads, const Columns& done);

    // Sets `counts` to the rows in each cell of a column.
    void count(std::span<const std::uint32_t> rows, std::size_t k, std::span<std::int64_t> counts) const;

 private:
    struct Space {
        base::Pages<std::uint8_t> tile;
        base::Pages<Sums> stats;
        base::Pages<Narrow> narrow;
    };

    void add_rows(std::span<const std::uint32_t> rows, std::size_t first_chunk, std::size_t last_chunk,
                  const Space& space, Sums* cells) const;
    void share_rows(std::span<const std::uint32_t> rows, Sums* cells, int n_threads, const Columns& done);
    base::Work work_of_filling(std::size_t n_rows) const;
    void for_blocks(int n_threads, base::Work work, const Columns& chunks) const;
    Space take_space();
    void give_space(Space space);

    BinnedRows bins_;
    RowStats stats_{};
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint32_t> start_;  // (n_columns + 1)
    std::vector<ColumnChunk> chunks_;
    std::vector<std::uint32_t> chunk_column_;  // (n_chunks + 1) first column of each
    std::mutex guard_;
    std::size_t pool_cells_ = 0;  // size of what the pools hold
    std::vector<Cells> pool_;
    std::vector<Space> spaces_;
};

}  // namespace glasswood::boosting

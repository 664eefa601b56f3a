// CountedRows: the rows of a tree and of its open node where every row counts a small whole number of times for one of
// two classes, as bytes. Sums of such rows are exact, so they are the ones that adding doubles gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/forest/cell_tally.hpp"

namespace glasswood::forest {

class CountedRows {
 public:
    // `label` (0 or 1 per row) is empty where the target is not of two classes.
    explicit CountedRows(std::span<const std::int32_t> label);

    // Takes the weights of a tree's rows; `usable` afterwards says whether they are small whole numbers. Borrows
    // counts.
    void begin(std::span<const double> weight);
    void begin(std::span<const std::uint8_t> count);
    bool usable() const { return largest_ > 0; }
    bool has_two_classes() const { return !is_second_.empty(); }

    // Opens a node: sums of its rows.
    struct Totals {
        double weight, second;
    };
    Totals prepare(std::span<const std::uint32_t> rows);

    // Whether asking all rows of the table is faster than going through those of the node.
    bool tally_is_faster(std::size_t n_cells) const {
        return usable() && rows_.size() * 60 >= weight_.size() * n_cells;
    }

    // Pairs (weight, second) of the cells 0 … n_cells − 1 of the open node's rows.
    void tally(const std::uint8_t* cell, std::size_t n_cells, double* out);

 private:
    void spread();

    std::vector<std::uint8_t> is_second_;   // per row 0 or 255
    std::vector<std::uint8_t> whole_;       // weights that came as doubles
    std::span<const std::uint8_t> weight_;  // of the tree's rows
    std::vector<std::uint8_t> second_;      // the part of it that is of the second class
    std::uint32_t largest_ = 0;             // weight; 0: not usable
    std::size_t n_counted_ = 0;             // rows of the root; 0: it has not been opened
    std::span<const std::uint32_t> rows_;   // of the open node
    bool spread_ = false;                   // node_ holds them
    std::vector<std::uint8_t> node_weight_, node_second_;
    std::vector<std::uint64_t> sums_;
};

}  // namespace glasswood::forest

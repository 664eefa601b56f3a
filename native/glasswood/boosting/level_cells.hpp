// LevelCells: one feature in the open nodes of a level: the cells that hold rows, node by node, with the sums of every
// output. Nodes are added one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/boosting/split_candidates.hpp"

namespace glasswood::boosting {

class LevelCells {
 public:
    explicit LevelCells(std::size_t n_outputs = 1) : n_outputs_(n_outputs) {}

    // A node from all its cells, missing values last: `cells` begins with those of an output, for every output.
    // `n_rows` in each cell; none: rows are not counted.
    void add(std::span<const Sums* const> cells, std::size_t n_cells, std::span<const std::int64_t> n_rows);

    // A node from the cells that its rows met, in any order: `sums` has those of all outputs for each cell of the
    // feature; the last cell is that of missing values.
    void add(std::span<std::uint32_t> met, std::span<const Sums> sums, std::span<const std::uint32_t> n_rows);

    // A node from the levels of a wide category in an output. Outputs are added one after the other, from the first on.
    void add(const LevelList& list, std::size_t output = 0);

    // Room for so many cells, so that none is copied when more come.
    void reserve(std::size_t n_cells) { sums_.reserve(n_cells * n_outputs_); }

    std::size_t n_nodes() const { return start_.size() - 1; }
    std::size_t first(std::size_t node) const { return start_[node]; }
    std::size_t last(std::size_t node) const { return start_[node + 1]; }

    // Of a cell: its bin or level, its rows, its sums.
    std::uint32_t level(std::size_t cell) const { return level_[cell]; }
    std::int64_t n_rows(std::size_t cell) const { return n_rows_[cell]; }
    const Sums& sums(std::size_t cell, std::size_t output) const { return sums_[cell * n_outputs_ + output]; }

    // Of the missing values of a node.
    std::int64_t n_missing(std::size_t node) const { return n_missing_[node]; }
    const Sums& missing(std::size_t node, std::size_t output) const { return missing_[node * n_outputs_ + output]; }

 private:
    std::size_t n_outputs_;
    std::vector<std::size_t> start_{0};
    std::vector<std::uint32_t> level_;  // ascending in each node
    std::vector<std::int64_t> n_rows_;
    std::vector<Sums> sums_;
    std::vector<std::int64_t> n_missing_;
    std::vector<Sums> missing_;
};

}  // namespace glasswood::boosting

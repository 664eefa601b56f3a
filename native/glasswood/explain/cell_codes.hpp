// Codes: rows of a table as cells of the Axes, one small integer per row and feature, column by column.
//
// Rows may come in any number of pieces. Rows of weight 0 are left out on arrival, so that they change nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "glasswood/explain/axes.hpp"
#include "glasswood/model/ensemble.hpp"
#include "glasswood/table/encoder.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::explain {

class Codes {
 public:
    Codes(const Axes& axes, const model::Ensemble& ensemble);

    // `weight` is empty, meaning 1 each, or has one entry per row; either in every call or in none.
    void append(const table::Rows& rows, std::span<const double> weight, int n_threads);
    // Sets the unit of the weights, a power of two: what adds weights adds whole numbers of units, in any order.
    // Weights of rows to come are in this unit too.
    void fix(double unit);
    // Forgets the first n rows.
    void drop(std::size_t n);

    std::size_t n_rows() const { return n_rows_; }
    std::span<const double> weight() const { return weight_; }
    std::span<const std::int64_t> whole() const { return whole_; }  // in units; empty where rows weigh 1
    double unit() const { return unit_; }
    bool is_fixed() const { return whole_.size() == weight_.size(); }
    bool is_weighted() const { return !weight_.empty(); }
    // 1, 2 or 4 bytes a code; 0 for a feature that no tree splits, whose rows are all in cell 0.
    std::size_t width(std::size_t feature) const { return widths_[feature]; }

    // The codes may be read up to the next multiple of 64 rows.
    template <class Code>
    const Code* column(std::size_t feature, std::size_t first = 0) const {
        return reinterpret_cast<const Code*>(columns_[feature].data()) + first;
    }

    // The codes of all rows, column after column, and the same read back; `weight` as for append.
    std::vector<std::uint8_t> bytes() const;
    void restore(std::span<const std::uint8_t> bytes, std::size_t n_rows, std::span<const double> weight);
    std::size_t bytes_per_row() const;

    // Adds stride * code to index[r] for n rows from `first`.
    void add_to_index(std::size_t feature, std::size_t first, std::size_t n, std::int64_t stride,
                      std::int64_t* index) const;

 private:
    template <class Code>
    void encode(std::size_t feature, const table::Rows& rows, std::span<const double> weight);

    std::shared_ptr<const table::Encoder> encoder_;  // shared by copies: it is larger than a few rows
    std::vector<std::int32_t> missing_;
    std::vector<std::size_t> widths_;
    std::vector<std::vector<std::byte>> columns_;
    std::vector<double> weight_;
    std::vector<std::int64_t> whole_;
    double unit_ = 0.0;  // 0: not set
    std::size_t n_rows_ = 0;
};

}  // namespace glasswood::explain

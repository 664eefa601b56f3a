// StoredValues: what a sparse table holds of features that few rows have away from their usual bin, as lists.
//
// A column of bytes costs the same for every row; a list costs only its values. Every other bin of every feature has a
// cell. By row there are the cells its values are added to, by feature its rows with the codes of their bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::boosting {

class StoredValues {
 public:
    // A value of one feature: of this row, in this bin among those that are not the usual one.
    struct Value {
        std::uint32_t row;
        std::uint8_t code;
    };

    // Features are added one after the other, their values in the order of rows; then all rows are finished at once.
    void add_feature(std::size_t n_others) {
        first_cell_.push_back(first_cell_.back() + static_cast<std::uint32_t>(n_others));
        start_.push_back(rows_.size());
    }
    void reserve(std::size_t n_values);
    void add(const Value& value) {
        rows_.push_back(value.row);
        codes_.push_back(value.code);
        start_.back() = rows_.size();
    }
    void finish(std::size_t n_rows);

    bool empty() const { return n_features() == 0; }
    std::size_t n_features() const { return first_cell_.size() - 1; }
    std::size_t n_cells() const { return first_cell_.back(); }
    std::size_t n_values() const { return rows_.size(); }
    std::uint32_t first_cell(std::size_t feature) const { return first_cell_[feature]; }

    // Cells of the values of row r: those from row_start()[r] to row_start()[r + 1], ascending.
    std::span<const std::uint64_t> row_start() const { return row_start_; }
    std::span<const std::uint32_t> cells() const { return cells_; }

    // Calls body(i, code) for every one of the rows that has a value of the feature: rows[i]. The rows ascend.
    template <class Body>
    void for_values(std::size_t feature, std::span<const std::uint32_t> rows, Body&& body) const {
        std::size_t i = 0;
        for (std::size_t at = start_[feature]; at < start_[feature + 1] && i < rows.size(); ++at) {
            i = first_from(rows, i, rows_[at]);
            for (; i < rows.size() && rows[i] == rows_[at]; ++i) body(i, codes_[at]);
        }
    }

 private:
    // Place of the first row at or after `row`, which is not before place i. Most are near.
    static std::size_t first_from(std::span<const std::uint32_t> rows, std::size_t i, std::uint32_t row) {
        std::size_t step = 1;
        while (i + step < rows.size() && rows[i + step] < row) {
            i += step;
            step *= 2;
        }
        const auto last = rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), i + step + 1));
        const auto found = std::lower_bound(rows.begin() + static_cast<std::ptrdiff_t>(i), last, row);
        return static_cast<std::size_t>(found - rows.begin());
    }

    std::vector<std::uint32_t> first_cell_{0};  // (n_features + 1)
    std::vector<std::size_t> start_{0};         // (n_features + 1) first value of each
    std::vector<std::uint32_t> rows_;           // of the values, feature by feature
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint64_t> row_start_;  // (n_rows + 1)
    std::vector<std::uint32_t> cells_;      // of the values, row by row
};

}  // namespace glasswood::boosting

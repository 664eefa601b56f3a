// Encoder: turns the values of a table into codes on a Grid, once, so that kernels compare small integers.
//
// A value is first mapped to a slot by (x - low) * scale, which is monotone even when it rounds, overflows or
// meets an infinity; so thresholds of other slots need no comparison, and those of its own slot are compared
// exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/table/rows.hpp"
#include "glasswood/table/threshold_grid.hpp"

namespace glasswood::table {

// Where |x| <= zero_reach counts as missing, for features with zero_is_missing: LightGBM's kZeroThreshold, a
// float32.
inline constexpr double zero_reach = static_cast<double>(1e-35F);

class Encoder {
 public:
    // Keeps a copy of what it needs; the grid may go.
    Encoder(const Grid& grid, std::span<const std::int32_t> n_levels, std::span<const std::uint8_t> zero_is_missing);

    // Codes of rows [first, first + n) of a feature, counted from the lowest value of Code: a signed type
    // serves the vector units, which compare signed. A number's code is the number of thresholds below it; a
    // category's code is its level, n_levels if unseen. A missing row gets the lowest code. Returns whether
    // any row is missing. Code: int8_t, int16_t, uint8_t, uint16_t, uint32_t; it must have room for the
    // feature's codes.
    template <class Code>
    bool encode(std::size_t feature, const Column& column, std::size_t first, std::size_t n, Code* out) const;

    // Writes `code` where the row is missing and leaves the others alone.
    template <class Code>
    void write_missing(std::size_t feature, const Column& column, std::size_t first, std::size_t n, Code code,
                       Code* out) const;

    // Code of one value of a numeric feature, counted from zero.
    std::uint32_t code(std::size_t feature, double x) const;

    std::size_t n_features() const { return tables_.size(); }

 private:
    struct Table {
        double low = 0;
        double scale = 0;
        double last_slot = 0;
        std::uint32_t steps = 0;  // comparisons per value: `steps` in a row, or halvings when many share a slot
        bool halving = false;
        bool narrow = true;  // its part of first is 16 bits wide
        bool zero_is_missing = false;
        std::uint32_t n_levels = 0;  // of a category feature
        std::size_t first = 0;       // its part of narrow_first_ or wide_first_
        std::size_t threshold = 0;   // its part of thresholds_
    };

    template <class Code>
    bool encode_sparse(std::size_t feature, const Column& column, std::size_t first, std::size_t n, Code* out) const;
    void add_numeric(std::span<const double> thresholds, Table& table);
    bool load(const Table& table, const Column& column, std::size_t first, std::size_t n, double* x) const;
    void encode_numbers(const Table& table, const double* x, std::size_t n, std::uint32_t* out) const;

    std::vector<Table> tables_;  // one per feature
    // Number of thresholds in lower slots. Two widths, because large tables are limited by the caches.
    std::vector<std::uint16_t> narrow_first_;
    std::vector<std::uint32_t> wide_first_;
    std::vector<double> thresholds_;  // each feature's followed by enough +inf for the last slot's comparisons
};

}  // namespace glasswood::table

// CellMoments: mean of raw over the rows of each cell, and its standard error.
//
// A row's distance from the baseline of the model is a whole number x of 62 bits; no leaf values can add up to more
// than `largest`, so the unit is known before the first row. Σ w x and Σ w x² are kept exactly, in 128 and 192 bits. So
// neither the order nor the cut of the rows matters, and the scatter of equal values is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/explain/cell_codes.hpp"

namespace glasswood::explain {

__extension__ using Unsigned128 = unsigned __int128;

// A sum of products that needs more than 128 bits; never negative.
struct Wide {
    Unsigned128 low = 0;
    std::uint64_t high = 0;

    void add(const Wide& other) {
        low += other.low;
        high += other.high + (low < other.low ? 1 : 0);
    }
    void subtract(const Wide& other) {
        high -= other.high + (low < other.low ? 1 : 0);
        low -= other.low;
    }
    double value() const { return static_cast<double>(high) * 0x1p128 + static_cast<double>(low); }
};

class CellMoments {
 public:
    // Tables of n_cells cells in all; `largest`: no raw is further from the baseline.
    CellMoments(std::size_t n_cells, std::span<const double> baseline, double largest);

    // Row r of `raw` (n rows, n_outputs) belongs to row first + r of `codes`. Weighted rows must have their unit.
    void add(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
             std::size_t first, std::span<const double> raw, int n_threads);

    // (n_outputs, n_cells) each; `weight` of the cells in units. NaN without rows, the error also below two.
    void finish(std::span<const std::int64_t> weight, double* mean, double* error) const;

    // The sums in words of 64 bits, lowest first: of each cell and output three of Σ w x² and two of Σ w x; of each
    // cell two of Σ w², none where rows weigh 1. Sums of parts are added like long numbers.
    static constexpr std::size_t words = 5;
    std::vector<std::uint64_t> sums() const;
    std::vector<std::uint64_t> squared_weights() const;
    // Adds rows that were added elsewhere.
    void merge(std::span<const std::uint64_t> sums, std::span<const std::uint64_t> squared_weights);

    std::size_t n_outputs() const { return baseline_.size(); }
    std::size_t n_cells() const { return n_cells_; }

 private:
    std::size_t n_cells_;
    std::vector<double> baseline_;
    base::Unit unit_;
    // Side by side, because a row adds to both.
    struct Moments {
        Wide square;           // Σ w x²
        base::Int128 sum = 0;  // Σ w x
    };
    // A row's distance from the baseline, and its square.
    struct Distance {
        std::int64_t x;
        Unsigned128 square;
    };
    std::vector<Distance> distances(std::span<const double> raw) const;
    static void add_rows(const Distance* row, std::size_t n, const std::int64_t* cell, std::size_t width,
                         Moments* table);
    static void add_weighted(const Distance* row, const std::int64_t* weight, std::size_t n, const std::int64_t* cell,
                             std::size_t width, Moments* table);

    std::vector<Moments> moments_;       // (n_cells, n_outputs)
    std::vector<base::Int128> weights_;  // (n_cells) Σ w²; empty where rows weigh 1
};

}  // namespace glasswood::explain

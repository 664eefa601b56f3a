// Quantile pick: the values at the quantiles of a column, found without sorting it.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace glasswood::forest {

// Ascending cuts that are searched by halving, without branches.
class CutSearch {
 public:
    explicit CutSearch(std::span<const double> cuts);

    // Above every result of count_below: the number of cuts and one more, rounded up to a power of two.
    std::size_t size() const { return padded_.size() + 1; }
    // Number of cuts below x; 0 for NaN.
    std::size_t count_below(double x) const {
        std::size_t n_below = 0;
        for (std::size_t step = size() / 2; step > 0; step /= 2) n_below += padded_[n_below + step - 1] < x ? step : 0;
        return n_below;
    }

 private:
    std::vector<double> padded_;  // 2^k − 1 values, those beyond the cuts infinite
};

// The smallest values whose cumulative weight is at least k/n_quantiles of the total, for k = 1 … n_quantiles − 1,
// ascending, duplicates and the largest value left out; of up to n_quantiles distinct values all but the largest.
// `values` are numbers (infinities too), `weight` positive whole numbers, whose sums are exact in any order; empty: 1
// each.
std::vector<double> pick_quantiles(std::span<const double> values, std::span<const double> weight,
                                   std::size_t n_quantiles);

}  // namespace glasswood::forest

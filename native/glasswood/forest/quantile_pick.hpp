// Pick: the values that stand at the quantiles of a column, found without sorting it.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace glasswood::forest {

// Ascending steps that are searched by halving, without branches.
class Ladder {
 public:
    explicit Ladder(std::span<const double> steps);

    // Number of places there may be: the steps and one more, rounded up to a power of two.
    std::size_t size() const { return padded_.size() + 1; }
    // Number of steps below x; 0 for NaN.
    std::size_t place(double x) const {
        std::size_t at = 0;
        for (std::size_t step = size() / 2; step > 0; step /= 2) at += padded_[at + step - 1] < x ? step : 0;
        return at;
    }

 private:
    std::vector<double> padded_;  // 2^k − 1 values, those beyond the steps infinite
};

// The smallest values whose cumulative weight is at least k/n_quantiles of the total, for k = 1 … n_quantiles − 1,
// ascending, duplicates and the largest value left out; of up to n_quantiles distinct values all but the largest.
// `values` are numbers (infinities too), `weight` positive whole numbers, whose sums are exact in any order; empty: 1
// each.
std::vector<double> pick_quantiles(std::span<const double> values, std::span<const double> weight,
                                   std::size_t n_quantiles);

}  // namespace glasswood::forest

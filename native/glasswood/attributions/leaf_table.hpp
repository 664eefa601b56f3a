// LeafTable: what one leaf of value 1 gives to a row, for every mask of the features of its path that the row passes.
//
// Column j holds the part of feature j, or of pair j, for all 2^k masks one after the other: runs of masks that agree
// in a bit are contiguous, so nothing is selected bit by bit.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "glasswood/attributions/plan.hpp"

namespace glasswood::attributions {

// Pairs (i, j), j < i, one after the other.
inline std::size_t pair_index(std::size_t i, std::size_t j) {
    return i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i;
}
inline std::size_t n_pairs(std::size_t k) { return k * (k - 1) / 2; }

// What a feature of a path multiplies the product over the path by at a quadrature point p: f = r + p (o − r), where r
// is the share of the children and o is 1 if the row passes; and g = f' / f. A point lies inside (0, 1), so the
// divisions are safe; where r = 0 and the feature fails, f is 0 and so is every product with it.
struct PathFactor {
    double value, gain;
};
inline PathFactor path_factor(double share, double point, bool passes) {
    if (!passes) return {share * (1 - point), -1 / (1 - point)};
    const double value = share + point * (1 - share);
    return {value, (1 - share) / value};
}

// Holds the working memory of one thread.
class LeafTable {
 public:
    // Children averaged by their shares.
    void prepare_path(std::span<const AttributionSide> sides);
    void prepare_path_pairs(std::span<const AttributionSide> sides);
    // `failing[V]` of the background's weight fails exactly the features V; whole numbers, so sums are exact.
    void prepare_rows(const double* failing, int n_features, double total);
    void prepare_rows_pairs(const double* failing, int n_features, double total);

    const double* column(std::size_t j) const { return columns_.data() + j * n_masks_; }

 private:
    void sum_graded(const double* failing, int n_features);

    std::size_t n_masks_ = 0;
    std::vector<double> columns_, product_, part_, graded_, sums_;
};

// The numbers that `prepare_path` gives for one mask, equal to the bit. `line` has a number per side.
void path_line(std::span<const AttributionSide> sides, Mask mask, double* line);

}  // namespace glasswood::attributions

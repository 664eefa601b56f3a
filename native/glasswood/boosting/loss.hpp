// Loss: gradients and the mean of a loss over the rows of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/boosting/loss_formula.hpp"

namespace glasswood::boosting {

// What a loss is computed from: y (n), raw (n_outputs, n), weight (n) or empty.
struct Fitted {
    std::span<const double> y;  // softmax: the number of the class
    std::span<const double> raw;
    std::span<const double> weight;
    std::size_t n_outputs;
};

struct Loss {
    LossKind kind;
    double parameter;  // quantile: the quantile, tweedie: the power
};

// grad, hess: (n_outputs, n), both times the weight; hess is at least 1e-6 of the weight.
void gradients(const Loss& loss, const Fitted& fitted, int n_threads, std::span<double> grad, std::span<double> hess);

// The loss of each row times its weight, of which the sum is wanted. Machines that share a table compare their largest
// losses before they add them up in one unit.
class RowLosses {
 public:
    // What `fitted` holds is borrowed.
    RowLosses(const Loss& loss, const Fitted& fitted, int n_threads);

    double largest() const { return largest_; }  // of those that are finite
    bool are_finite() const { return are_finite_; }

    // All must be finite.
    base::Int128 whole_sum(const base::Unit& unit, int n_threads) const;

    // The sum if they are not: infinite or NaN.
    double infinite_sum() const;

 private:
    std::size_t n_rows() const { return fitted_.y.size(); }
    void compute(std::size_t first, std::size_t last, double* out) const;

    Loss loss_;
    Fitted fitted_;
    std::unique_ptr<double[]> kept_;
    double largest_ = 0.0;
    bool are_finite_ = true;
};

// Weighted mean of the loss, whatever the order of the rows; NaN without weight.
double mean_loss(const Loss& loss, const Fitted& fitted, int n_threads);

}  // namespace glasswood::boosting

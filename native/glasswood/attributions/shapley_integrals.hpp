// Shapley weights: the two families of numbers from which Shapley values of trees are computed.
//
// A Shapley value is an integral over p in [0, 1] of a polynomial in p. Where it is known as a product, Gauss-Legendre
// points give it exactly; where it is known as counts of sets, it is a sum of beta functions.
#pragma once

#include <cstddef>
#include <vector>

namespace glasswood::attributions {

// Σ weight · f(point) is the integral of f over [0, 1] for polynomials up to degree 2 n - 1.
struct GaussRule {
    std::vector<double> point, weight;
    int size() const { return static_cast<int>(point.size()); }
};

GaussRule make_gauss_rule(int n_points);
// The same, made once; n_points from 1 to 32.
const GaussRule& gauss_rule(int n_points);

// B(a, b + 1) = ∫ p^(a-1) (1-p)^b dp = (a-1)! b! / (a+b)! for a and b up to `max_index`; 0 for a = 0.
class BetaTable {
 public:
    explicit BetaTable(int max_index);
    const double* data() const { return values_.data(); }
    std::size_t stride() const { return stride_; }
    double operator()(int a, int b) const { return values_[static_cast<std::size_t>(a) * stride_ + b]; }

 private:
    std::size_t stride_;
    std::vector<double> values_;
};

// Up to 64, made once.
const BetaTable& beta_table();

}  // namespace glasswood::attributions

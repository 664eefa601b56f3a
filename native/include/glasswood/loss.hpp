// Loss: gradient and hessian of a row's loss in raw, one functor per loss with its equation above it. `raw` is
// on the link scale; what is summed up as a metric is the usual form of the loss (a deviance keeps its 2 and
// its constants).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "glasswood/elementary.hpp"

namespace glasswood::boosting {

enum class LossKind : std::uint8_t {
    squared_error,
    absolute_error,
    quantile,
    poisson,
    gamma,
    tweedie,
    logistic,
    softmax,
};

struct Slope {
    double grad;
    double hess;
};

// exp where neither it nor its square overflows; raw that far out is lost anyway
inline double safe_exp(double raw) { return elementary::exp(std::clamp(raw, -250.0, 250.0)); }

// y·log(y/μ), 0 at y = 0
inline double excess(double y, double mu) { return y > 0.0 ? y * elementary::log(y / mu) : 0.0; }

// (y − p)²: g = p − y, h = 1
struct SquaredError {
    Slope slope(double y, double p) const { return {p - y, 1.0}; }
    double loss(double y, double p) const { return (y - p) * (y - p); }
};

// |y − p|: g = −sign(y − p), h taken as 1
struct AbsoluteError {
    Slope slope(double y, double p) const { return {y > p ? -1.0 : y < p ? 1.0 : 0.0, 1.0}; }
    double loss(double y, double p) const { return std::fabs(y - p); }
};

// α(y − p) above, (1 − α)(p − y) below: g = −α above, 1 − α below, h taken as 1
struct Quantile {
    double alpha;
    Slope slope(double y, double p) const { return {y > p ? -alpha : y < p ? 1.0 - alpha : 0.0, 1.0}; }
    double loss(double y, double p) const { return y > p ? alpha * (y - p) : (1.0 - alpha) * (p - y); }
};

// 2(y log(y/μ) − y + μ), μ = eᵖ: g = μ − y, h = μ of half of it
struct Poisson {
    Slope slope(double y, double p) const {
        const double mu = safe_exp(p);
        return {mu - y, mu};
    }
    double loss(double y, double p) const {
        const double mu = safe_exp(p);
        return 2.0 * (excess(y, mu) - y + mu);
    }
};

// 2(y/μ − log(y/μ) − 1), μ = eᵖ: g = 1 − y/μ, h = y/μ of half of it
struct Gamma {
    Slope slope(double y, double p) const {
        const double ratio = y * safe_exp(-p);
        return {1.0 - ratio, ratio};
    }
    double loss(double y, double p) const {
        const double ratio = y * safe_exp(-p);
        return 2.0 * (ratio - elementary::log(ratio) - 1.0);
    }
};

// 2(y²⁻ᵠ/((1−q)(2−q)) − yμ¹⁻ᵠ/(1−q) + μ²⁻ᵠ/(2−q)), μ = eᵖ, 1 < q < 2:
// g = μ²⁻ᵠ − yμ¹⁻ᵠ, h = (2−q)μ²⁻ᵠ − (1−q)yμ¹⁻ᵠ of half of it
struct Tweedie {
    double power;
    Slope slope(double y, double p) const {
        const double a = safe_exp((2.0 - power) * p);
        const double b = y * safe_exp((1.0 - power) * p);
        return {a - b, (2.0 - power) * a - (1.0 - power) * b};
    }
    double loss(double y, double p) const {
        const double a = safe_exp((2.0 - power) * p) / (2.0 - power);
        const double b = y * safe_exp((1.0 - power) * p) / (1.0 - power);
        const double own = y > 0.0 ? elementary::exp((2.0 - power) * elementary::log(y)) : 0.0;  // y²⁻ᵠ
        return 2.0 * (own / ((1.0 - power) * (2.0 - power)) - b + a);
    }
};

// −y log s − (1−y) log(1−s), s = 1/(1+e⁻ᵖ): g = s − y, h = s(1−s)
struct Logistic {
    Slope slope(double y, double p) const {
        const double e = elementary::exp(-std::fabs(p));
        const double s = (p >= 0.0 ? 1.0 : e) / (1.0 + e);
        return {s - y, e / ((1.0 + e) * (1.0 + e))};
    }
    double loss(double y, double p) const {
        return elementary::log1p(elementary::exp(-std::fabs(p))) + std::max(p, 0.0) - y * p;
    }
};

// What a loss is computed from: y (n), raw (n_outputs, n), weight (n) or empty.
struct Fitted {
    std::span<const double> y;  // softmax: the number of the class
    std::span<const double> raw;
    std::span<const double> weight;
    std::size_t n_outputs;
};

struct Loss {
    LossKind kind;
    double parameter;  // quantile: alpha, tweedie: power
};

// grad, hess: (n_outputs, n), both times the weight; hess is at least 1e-6 of the weight.
void gradients(const Loss& loss, const Fitted& fitted, int n_threads, std::span<double> grad, std::span<double> hess);

// Weighted mean of the loss, whatever the order of the rows; NaN without weight.
double mean_loss(const Loss& loss, const Fitted& fitted, int n_threads);

}  // namespace glasswood::boosting

// Loss formulas: gradient and hessian of a row's loss in raw, one functor per loss with its equation above it. `raw` is
// on the link scale; what is summed up as a metric is the usual form of the loss (a deviance keeps its 2 and its
// constants). No standard header is needed, so that a GPU compiler can read this text as it is.
#pragma once

#include "glasswood/base/elementary.hpp"
#include "glasswood/base/macros.hpp"

namespace glasswood::boosting {

enum class LossKind : unsigned char {
    squared_error,
    absolute_error,
    quantile,
    poisson,
    gamma,
    tweedie,
    logistic,
    softmax,
};

constexpr double least_hess = 1e-6;  // of a row of weight 1

struct Slope {
    double grad;
    double hess;
};

// exp where neither it nor its square overflows; raw that far out is lost anyway
GLASSWOOD_INLINE double safe_exp(double raw) {
    const double below = raw < 250.0 ? raw : 250.0;
    return base::elementary::exp(below > -250.0 ? below : -250.0);
}

// y·log(y/μ), 0 at y = 0
GLASSWOOD_INLINE double excess(double y, double mu) {
    const double value = y * base::elementary::log(y / mu);
    return y > 0.0 ? value : 0.0;
}

GLASSWOOD_INLINE double size(double x) { return x < 0.0 ? -x : x; }

// (y − p)²: g = p − y, h = 1
struct SquaredError {
    GLASSWOOD_INLINE Slope slope(double y, double p) const { return {p - y, 1.0}; }
    GLASSWOOD_INLINE double loss(double y, double p) const { return (y - p) * (y - p); }
};

// |y − p|: g = −sign(y − p), h taken as 1
struct AbsoluteError {
    GLASSWOOD_INLINE Slope slope(double y, double p) const { return {y > p ? -1.0 : y < p ? 1.0 : 0.0, 1.0}; }
    GLASSWOOD_INLINE double loss(double y, double p) const { return size(y - p); }
};

// α(y − p) above, (1 − α)(p − y) below: g = −α above, 1 − α below, h taken as 1
struct Quantile {
    double alpha;
    GLASSWOOD_INLINE Slope slope(double y, double p) const { return {y > p ? -alpha : y < p ? 1.0 - alpha : 0.0, 1.0}; }
    GLASSWOOD_INLINE double loss(double y, double p) const { return y > p ? alpha * (y - p) : (1.0 - alpha) * (p - y); }
};

// 2(y log(y/μ) − y + μ), μ = eᵖ: g = μ − y, h = μ of half of it
struct Poisson {
    GLASSWOOD_INLINE Slope slope(double y, double p) const {
        const double mu = safe_exp(p);
        return {mu - y, mu};
    }
    GLASSWOOD_INLINE double loss(double y, double p) const {
        const double mu = safe_exp(p);
        return 2.0 * (excess(y, mu) - y + mu);
    }
};

// 2(y/μ − log(y/μ) − 1), μ = eᵖ: g = 1 − y/μ, h = y/μ of half of it
struct Gamma {
    GLASSWOOD_INLINE Slope slope(double y, double p) const {
        const double ratio = y * safe_exp(-p);
        return {1.0 - ratio, ratio};
    }
    GLASSWOOD_INLINE double loss(double y, double p) const {
        const double ratio = y * safe_exp(-p);
        return 2.0 * (ratio - base::elementary::log(ratio) - 1.0);
    }
};

// 2(y²⁻ᵠ/((1−q)(2−q)) − yμ¹⁻ᵠ/(1−q) + μ²⁻ᵠ/(2−q)), μ = eᵖ, 1 < q < 2:
// g = μ²⁻ᵠ − yμ¹⁻ᵠ, h = (2−q)μ²⁻ᵠ − (1−q)yμ¹⁻ᵠ of half of it
struct Tweedie {
    double power;
    GLASSWOOD_INLINE Slope slope(double y, double p) const {
        const double a = safe_exp((2.0 - power) * p);
        const double b = y * safe_exp((1.0 - power) * p);
        return {a - b, (2.0 - power) * a - (1.0 - power) * b};
    }
    GLASSWOOD_INLINE double loss(double y, double p) const {
        const double a = safe_exp((2.0 - power) * p) / (2.0 - power);
        const double b = y * safe_exp((1.0 - power) * p) / (1.0 - power);
        const double positive = base::elementary::exp((2.0 - power) * base::elementary::log(y));
        const double own = y > 0.0 ? positive : 0.0;  // y²⁻ᵠ
        return 2.0 * (own / ((1.0 - power) * (2.0 - power)) - b + a);
    }
};

// −y log s − (1−y) log(1−s), s = 1/(1+e⁻ᵖ): g = s − y, h = s(1−s)
struct Logistic {
    GLASSWOOD_INLINE Slope slope(double y, double p) const {
        const double e = base::elementary::exp(-size(p));
        const double s = (p >= 0.0 ? 1.0 : e) / (1.0 + e);
        return {s - y, e / ((1.0 + e) * (1.0 + e))};
    }
    GLASSWOOD_INLINE double loss(double y, double p) const {
        return base::elementary::log1p(base::elementary::exp(-size(p))) + (p > 0.0 ? p : 0.0) - y * p;
    }
};

}  // namespace glasswood::boosting

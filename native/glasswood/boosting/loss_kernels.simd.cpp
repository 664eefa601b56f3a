// Losses and slopes of many rows for one CPU level. No standard header with inline functions may be included here: the
// linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/loss_kernels.hpp"

namespace glasswood::boosting::GLASSWOOD_LEVEL {
namespace {

constexpr std::size_t n_lanes = 8;  // maxima side by side

template <class Body>
GLASSWOOD_INLINE void with_functor(LossKind kind, double parameter, const Body& body) {
    switch (kind) {
        case LossKind::squared_error:
            return body(SquaredError{});
        case LossKind::absolute_error:
            return body(AbsoluteError{});
        case LossKind::quantile:
            return body(Quantile{parameter});
        case LossKind::poisson:
            return body(Poisson{});
        case LossKind::gamma:
            return body(Gamma{});
        case LossKind::tweedie:
            return body(Tweedie{parameter});
        case LossKind::logistic:
            return body(Logistic{});
        case LossKind::softmax:
            return;
    }
}

void slopes(LossKind kind, double parameter, const LossRows& rows, double* grad, double* hess) {
    const double* y = rows.y;
    const double* raw = rows.raw;
    const double* weight = rows.weight;
    with_functor(kind, parameter, [&](const auto& functor) __attribute__((always_inline)) {
        for (std::size_t i = 0; i < rows.n; ++i) {
            const Slope slope = functor.slope(y[i], raw[i]);
            grad[i] = slope.grad;
            hess[i] = slope.hess > least_hess ? slope.hess : least_hess;
        }
    });
    if (weight == nullptr) return;
    for (std::size_t i = 0; i < rows.n; ++i) {
        grad[i] = weight[i] * grad[i];
        hess[i] = weight[i] * hess[i];
    }
}

void losses(LossKind kind, double parameter, const LossRows& rows, double* out) {
    const double* y = rows.y;
    const double* raw = rows.raw;
    const double* weight = rows.weight;
    with_functor(kind, parameter, [&](const auto& functor) __attribute__((always_inline)) {
        for (std::size_t i = 0; i < rows.n; ++i) out[i] = functor.loss(y[i], raw[i]);
    });
    if (weight == nullptr) return;
    for (std::size_t i = 0; i < rows.n; ++i) out[i] = weight[i] > 0.0 ? weight[i] * out[i] : 0.0;
}

double largest(const double* values, std::size_t n, bool* finite) {
    double most[n_lanes] = {};
    std::uint64_t beyond[n_lanes] = {};
    const std::size_t whole = n / n_lanes * n_lanes;
    for (std::size_t i = 0; i < whole; i += n_lanes) {
        for (std::size_t k = 0; k < n_lanes; ++k) {
            const double x = size(values[i + k]);
            most[k] = x > most[k] ? x : most[k];
            beyond[k] += x <= __DBL_MAX__ ? 0 : 1;  // NaN too
        }
    }
    for (std::size_t i = whole; i < n; ++i) {
        const double x = size(values[i]);
        most[0] = x > most[0] ? x : most[0];
        beyond[0] += x <= __DBL_MAX__ ? 0 : 1;
    }
    for (std::size_t k = 1; k < n_lanes; ++k) {
        most[0] = most[k] > most[0] ? most[k] : most[0];
        beyond[0] += beyond[k];
    }
    *finite = beyond[0] == 0;
    return most[0];
}

SplitSum add(const double* values, std::size_t n, double per) {
    std::int64_t high = 0, low = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t whole = __builtin_llrint(values[i] * per);
        high += whole >> 32;
        low += whole & 0xFFFFFFFF;
    }
    return {high, low};
}

}  // namespace

extern const LossKernels loss_table;
const LossKernels loss_table = {slopes, losses, largest, add};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

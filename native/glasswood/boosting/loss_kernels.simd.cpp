// Losses and slopes of many rows for one CPU level. No standard header with inline functions may be included here: the
// linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/loss_kernels.hpp"

#include "glasswood/boosting/blocks.hpp"

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

// The largest raw of each row and the sum of the exponentials below it; the exponentials go to `out` if it is not null.
GLASSWOOD_INLINE void softmax_sums(const SoftmaxRows& rows, std::size_t first, std::size_t n, double* most, double* sum,
                                   double* out) {
    const double* raw = rows.raw + first;
    for (std::size_t i = 0; i < n; ++i) most[i] = raw[i];
    for (std::size_t k = 1; k < rows.n_outputs; ++k) {
        const double* own = raw + k * rows.pitch;
        for (std::size_t i = 0; i < n; ++i) most[i] = most[i] < own[i] ? own[i] : most[i];
    }
    for (std::size_t i = 0; i < n; ++i) sum[i] = 0.0;
    double space[block];
    for (std::size_t k = 0; k < rows.n_outputs; ++k) {
        const double* own = raw + k * rows.pitch;
        double* e = out == nullptr ? space : out + k * rows.pitch + first;
        for (std::size_t i = 0; i < n; ++i) e[i] = base::elementary::exp(own[i] - most[i]);
        for (std::size_t i = 0; i < n; ++i) sum[i] += e[i];
    }
}

// −log s_y, s = softmax(p): g_k = s_k − [k = y], h_k = s_k(1 − s_k), the diagonal
void softmax_slopes(const SoftmaxRows& rows, double* grad, double* hess) {
    for_blocks(rows.n, [&](std::size_t first, std::size_t n) __attribute__((always_inline)) {
        double most[block], sum[block];
        softmax_sums(rows, first, n, most, sum, grad);
        for (std::size_t k = 0; k < rows.n_outputs; ++k) {
            const auto number = static_cast<double>(k);
            double* g = grad + k * rows.pitch + first;
            double* h = hess + k * rows.pitch + first;
            for (std::size_t i = 0; i < n; ++i) {
                const double s = g[i] / sum[i], variance = s * (1.0 - s);
                g[i] = s - (number == rows.y[first + i] ? 1.0 : 0.0);
                h[i] = variance < least_hess ? least_hess : variance;
            }
            for (std::size_t i = 0; rows.weight != nullptr && i < n; ++i) {
                g[i] = rows.weight[first + i] * g[i];
                h[i] = rows.weight[first + i] * h[i];
            }
        }
    });
}

void softmax_losses(const SoftmaxRows& rows, double* out) {
    for_blocks(rows.n, [&](std::size_t first, std::size_t n) __attribute__((always_inline)) {
        double most[block], sum[block];
        softmax_sums(rows, first, n, most, sum, nullptr);
        for (std::size_t i = 0; i < n; ++i) sum[i] = base::elementary::log(sum[i]) + most[i];
        for (std::size_t i = 0; i < n; ++i) {
            const double own = rows.raw[static_cast<std::size_t>(rows.y[first + i]) * rows.pitch + first + i];
            out[first + i] = sum[i] - own;
        }
        for (std::size_t i = 0; rows.weight != nullptr && i < n; ++i) {
            const double weight = rows.weight[first + i];
            out[first + i] = weight > 0.0 ? weight * out[first + i] : 0.0;
        }
    });
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

// Rounded before they are converted: compilers do either for many numbers at once, but not both in one, as llrint does.
GLASSWOOD_INLINE void add_block(const double* values, std::size_t n, double per, SplitSum& sum) {
    double rounded[block];
    for (std::size_t i = 0; i < n; ++i) rounded[i] = __builtin_nearbyint(values[i] * per);
    for (std::size_t i = 0; i < n; ++i) {
        const auto whole = static_cast<std::int64_t>(rounded[i]);
        sum.high += whole >> 32;
        sum.low += whole & 0xFFFFFFFF;
    }
}

SplitSum add(const double* values, std::size_t n, double per) {
    SplitSum sum{0, 0};
    for_blocks(n, [&](std::size_t first, std::size_t n_own)
                      __attribute__((always_inline)) { add_block(values + first, n_own, per, sum); });
    return sum;
}

}  // namespace

extern const LossKernels loss_table;
const LossKernels loss_table = {slopes, softmax_slopes, losses, softmax_losses, largest, add};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

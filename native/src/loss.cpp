#include "glasswood/loss.hpp"

#include <memory>
#include <vector>

#include "glasswood/exact_sum.hpp"
#include "glasswood/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 4096;
constexpr double least_hess = 1e-6;

// Calls body(functor) with the functor of a loss of one output.
template <class Body>
void with_functor(const Loss& loss, Body&& body) {
    switch (loss.kind) {
        case LossKind::squared_error:
            return body(SquaredError{});
        case LossKind::absolute_error:
            return body(AbsoluteError{});
        case LossKind::quantile:
            return body(Quantile{loss.parameter});
        case LossKind::poisson:
            return body(Poisson{});
        case LossKind::gamma:
            return body(Gamma{});
        case LossKind::tweedie:
            return body(Tweedie{loss.parameter});
        case LossKind::logistic:
            return body(Logistic{});
        case LossKind::softmax:
            return;
    }
}

// Losses with an exponential cost more than those without.
Work work_of_rows(const Loss& loss, const Fitted& fitted) {
    const bool plain = loss.kind == LossKind::squared_error || loss.kind == LossKind::absolute_error ||
                       loss.kind == LossKind::quantile;
    return work_of(fitted.y.size() * fitted.n_outputs, plain ? 1.0 : 8.0);
}

template <class Body>
void for_chunks(std::size_t n, Work work, int n_threads, Body&& body) {
    parallel_for((n + chunk_rows - 1) / chunk_rows, n_threads, work,
                 [&](std::size_t c) { body(c, c * chunk_rows, std::min(n, (c + 1) * chunk_rows)); });
}

double weight_of(const Fitted& fitted, std::size_t i) { return fitted.weight.empty() ? 1.0 : fitted.weight[i]; }

double largest(const Fitted& fitted, std::size_t i) {
    const std::size_t n = fitted.y.size();
    double most = fitted.raw[i];
    for (std::size_t k = 1; k < fitted.n_outputs; ++k) most = std::max(most, fitted.raw[k * n + i]);
    return most;
}

double sum_of_exp(const Fitted& fitted, std::size_t i, double most) {
    const std::size_t n = fitted.y.size();
    double sum = 0.0;
    for (std::size_t k = 0; k < fitted.n_outputs; ++k) sum += elementary::exp(fitted.raw[k * n + i] - most);
    return sum;
}

// −log s_y, s = softmax(p): g_k = s_k − [k = y], h_k = s_k(1 − s_k), the diagonal
void softmax_gradients(const Fitted& fitted, std::size_t i, std::span<double> grad, std::span<double> hess) {
    const std::size_t n = fitted.y.size();
    const double most = largest(fitted, i);
    const double sum = sum_of_exp(fitted, i, most);
    const double w = weight_of(fitted, i);
    for (std::size_t k = 0; k < fitted.n_outputs; ++k) {
        const double s = elementary::exp(fitted.raw[k * n + i] - most) / sum;
        grad[k * n + i] = w * (s - (static_cast<double>(k) == fitted.y[i] ? 1.0 : 0.0));
        hess[k * n + i] = w * std::max(s * (1.0 - s), least_hess);
    }
}

double softmax_loss(const Fitted& fitted, std::size_t i) {
    const double most = largest(fitted, i);
    const double own = fitted.raw[static_cast<std::size_t>(fitted.y[i]) * fitted.y.size() + i];
    return elementary::log(sum_of_exp(fitted, i, most)) + most - own;
}

}  // namespace

void gradients(const Loss& loss, const Fitted& fitted, int n_threads, std::span<double> grad, std::span<double> hess) {
    const std::size_t n = fitted.y.size();
    if (loss.kind == LossKind::softmax) {
        for_chunks(n, work_of_rows(loss, fitted), n_threads, [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) softmax_gradients(fitted, i, grad, hess);
        });
        return;
    }
    with_functor(loss, [&](const auto& functor) {
        for_chunks(n, work_of_rows(loss, fitted), n_threads, [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const Slope slope = functor.slope(fitted.y[i], fitted.raw[i]);
                const double w = weight_of(fitted, i);
                grad[i] = w * slope.grad;
                hess[i] = w * std::max(slope.hess, least_hess);
            }
        });
    });
}

double mean_loss(const Loss& loss, const Fitted& fitted, int n_threads) {
    const std::size_t n = fitted.y.size();
    // The losses are kept: the largest decides the unit of the sum, and computing them twice costs more than memory.
    const std::unique_ptr<double[]> losses(new double[n]);
    std::vector<double> largest_of((n + chunk_rows - 1) / chunk_rows, 0.0);
    const auto fill = [&](auto&& loss_of) {
        for_chunks(n, work_of_rows(loss, fitted), n_threads, [&](std::size_t c, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) losses[i] = weight_of(fitted, i) * loss_of(i);
            for (std::size_t i = first; i < last; ++i) {
                losses[i] = weight_of(fitted, i) > 0.0 ? losses[i] : 0.0;
                // written so that a NaN stays
                largest_of[c] = std::fabs(losses[i]) <= largest_of[c] ? largest_of[c] : std::fabs(losses[i]);
            }
        });
    };
    if (loss.kind == LossKind::softmax) {
        fill([&](std::size_t i) { return softmax_loss(fitted, i); });
    } else {
        with_functor(loss, [&](const auto& functor) {
            fill([&](std::size_t i) { return functor.loss(fitted.y[i], fitted.raw[i]); });
        });
    }
    double most = 0.0;
    for (const double part : largest_of) most = part <= most ? most : part;
    if (!std::isfinite(most)) return most;  // a loss beyond all numbers
    ExactSum sum(most);
    std::vector<Int128> parts(largest_of.size(), 0);
    for_chunks(n, work_of(n, 1.0), n_threads, [&](std::size_t c, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) parts[c] += sum.unit().whole(losses[i]);
    });
    for (const Int128 part : parts) sum.merge(part);
    const double total = fitted.weight.empty() ? static_cast<double>(n) : exact_sum(fitted.weight);
    return sum.value() / total;
}

}  // namespace glasswood::boosting

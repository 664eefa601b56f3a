#include "glasswood/boosting/loss.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/loss_kernels.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 4096;
// Losses with an exponential cost more than those without.
base::Work work_of_rows(const Loss& loss, const Fitted& fitted) {
    const bool plain = loss.kind == LossKind::squared_error || loss.kind == LossKind::absolute_error ||
                       loss.kind == LossKind::quantile;
    return base::work_of(fitted.y.size() * fitted.n_outputs, plain ? 1.0 : 4.0);
}

template <class Body>
void for_chunks(std::size_t n, base::Work work, int n_threads, Body&& body) {
    base::parallel_for((n + chunk_rows - 1) / chunk_rows, n_threads, work,
                       [&](std::size_t c) { body(c, c * chunk_rows, std::min(n, (c + 1) * chunk_rows)); });
}

LossRows rows_of(const Fitted& fitted, std::size_t first, std::size_t last) {
    return {fitted.y.data() + first, fitted.raw.data() + first,
            fitted.weight.empty() ? nullptr : fitted.weight.data() + first, last - first};
}

SoftmaxRows softmax_rows_of(const Fitted& fitted, std::size_t first, std::size_t last) {
    const LossRows rows = rows_of(fitted, first, last);
    return {rows.y, rows.raw, rows.weight, rows.n, fitted.n_outputs, fitted.y.size()};
}

}  // namespace

void gradients(const Loss& loss, const Fitted& fitted, int n_threads, std::span<double> grad, std::span<double> hess) {
    const LossKernels& kernels = loss_kernels(base::cpu_level());
    const base::Work work = work_of_rows(loss, fitted);
    for_chunks(fitted.y.size(), work, n_threads, [&](std::size_t, std::size_t first, std::size_t last) {
        if (loss.kind == LossKind::softmax) {
            kernels.softmax_slopes(softmax_rows_of(fitted, first, last), grad.data() + first, hess.data() + first);
        } else {
            kernels.slopes(loss.kind, loss.parameter, rows_of(fitted, first, last), grad.data() + first,
                           hess.data() + first);
        }
    });
}

// The losses are kept: the largest decides the unit of the sum, and computing them twice costs more than memory.
RowLosses::RowLosses(const Loss& loss, const Fitted& fitted, int n_threads)
    : n_(fitted.y.size()), losses_(new double[n_]) {
    struct Part {
        double largest = 0.0;
        bool finite = true;
    };
    const LossKernels& kernels = loss_kernels(base::cpu_level());
    std::vector<Part> parts((n_ + chunk_rows - 1) / chunk_rows);
    for_chunks(n_, work_of_rows(loss, fitted), n_threads, [&](std::size_t c, std::size_t first, std::size_t last) {
        if (loss.kind == LossKind::softmax) {
            kernels.softmax_losses(softmax_rows_of(fitted, first, last), losses_.get() + first);
        } else {
            kernels.losses(loss.kind, loss.parameter, rows_of(fitted, first, last), losses_.get() + first);
        }
        parts[c].largest = kernels.largest(losses_.get() + first, last - first, &parts[c].finite);
    });
    for (const Part& part : parts) {
        largest_ = std::max(largest_, part.largest);
        are_finite_ = are_finite_ && part.finite;
    }
}

base::Int128 RowLosses::whole_sum(const base::Unit& unit, int n_threads) const {
    const LossKernels& kernels = loss_kernels(base::cpu_level());
    std::vector<SplitSum> parts((n_ + chunk_rows - 1) / chunk_rows);
    for_chunks(n_, base::work_of(n_, 1.0), n_threads, [&](std::size_t c, std::size_t first, std::size_t last) {
        parts[c] = kernels.add(losses_.get() + first, last - first, unit.per);
    });
    base::Int128 sum = 0;
    for (const SplitSum& part : parts) sum += (base::Int128{part.high} << 32) + part.low;
    return sum;
}

double mean_loss(const Loss& loss, const Fitted& fitted, int n_threads) {
    const RowLosses losses(loss, fitted, n_threads);
    if (!losses.are_finite()) return base::exact_sum(losses.values());  // infinite or NaN
    base::ExactSum sum(losses.largest());
    sum.merge(losses.whole_sum(sum.unit(), n_threads));
    const auto n = static_cast<double>(fitted.y.size());
    return sum.value() / (fitted.weight.empty() ? n : base::exact_sum(fitted.weight));
}

}  // namespace glasswood::boosting

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

std::size_t n_chunks(std::size_t n) { return (n + chunk_rows - 1) / chunk_rows; }

// Losses with an exponential cost more than those without.
bool is_plain(const Loss& loss) {
    return loss.kind == LossKind::squared_error || loss.kind == LossKind::absolute_error ||
           loss.kind == LossKind::quantile;
}

base::Work work_of_rows(const Loss& loss, const Fitted& fitted) {
    return base::work_of(fitted.y.size() * fitted.n_outputs, is_plain(loss) ? 1.0 : 4.0);
}

template <class Body>
void for_chunks(std::size_t n, base::Work work, int n_threads, Body&& body) {
    base::parallel_for(n_chunks(n), n_threads, work,
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

// The largest decides the unit of the sum. Losses with an exponential are kept, because computing them twice costs more
// than memory; the others are computed twice, because memory costs more.
RowLosses::RowLosses(const Loss& loss, const Fitted& fitted, int n_threads)
    : loss_(loss), fitted_(fitted), kept_(is_plain(loss) ? nullptr : new double[fitted.y.size()]) {
    struct Part {
        double largest = 0.0;
        bool finite = true;
    };
    const LossKernels& kernels = loss_kernels(base::cpu_level());
    std::vector<Part> parts(n_chunks(n_rows()));
    for_chunks(n_rows(), work_of_rows(loss, fitted), n_threads,
               [&](std::size_t c, std::size_t first, std::size_t last) {
                   double space[chunk_rows];
                   double* losses = kept_ ? kept_.get() + first : space;
                   compute(first, last, losses);
                   parts[c].largest = kernels.largest(losses, last - first, &parts[c].finite);
               });
    for (const Part& part : parts) {
        largest_ = std::max(largest_, part.largest);
        are_finite_ = are_finite_ && part.finite;
    }
}

void RowLosses::compute(std::size_t first, std::size_t last, double* out) const {
    const LossKernels& kernels = loss_kernels(base::cpu_level());
    if (loss_.kind == LossKind::softmax) {
        kernels.softmax_losses(softmax_rows_of(fitted_, first, last), out);
    } else {
        kernels.losses(loss_.kind, loss_.parameter, rows_of(fitted_, first, last), out);
    }
}

base::Int128 RowLosses::whole_sum(const base::Unit& unit, int n_threads) const {
    const LossKernels& kernels = loss_kernels(base::cpu_level());
    std::vector<SplitSum> parts(n_chunks(n_rows()));
    for_chunks(n_rows(), base::work_of(n_rows(), 1.0), n_threads,
               [&](std::size_t c, std::size_t first, std::size_t last) {
                   double space[chunk_rows];
                   if (!kept_) compute(first, last, space);
                   parts[c] = kernels.add(kept_ ? kept_.get() + first : space, last - first, unit.per);
               });
    base::Int128 sum = 0;
    for (const SplitSum& part : parts) sum += (base::Int128{part.high} << 32) + part.low;
    return sum;
}

double RowLosses::infinite_sum() const {
    std::vector<double> losses(n_rows());
    compute(0, n_rows(), losses.data());
    return base::exact_sum(losses);
}

double mean_loss(const Loss& loss, const Fitted& fitted, int n_threads) {
    const RowLosses losses(loss, fitted, n_threads);
    if (!losses.are_finite()) return losses.infinite_sum();
    base::ExactSum sum(losses.largest());
    sum.merge(losses.whole_sum(sum.unit(), n_threads));
    const auto n = static_cast<double>(fitted.y.size());
    return sum.value() / (fitted.weight.empty() ? n : base::exact_sum(fitted.weight));
}

}  // namespace glasswood::boosting

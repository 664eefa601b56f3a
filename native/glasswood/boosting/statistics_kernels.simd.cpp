// What rows become before histograms add them up, for one CPU level. No standard header with inline functions may be
// included here: the linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/statistics_kernels.hpp"

namespace glasswood::boosting::GLASSWOOD_LEVEL {
namespace {

constexpr std::size_t n_lanes = 8;  // maxima side by side

GLASSWOOD_INLINE double size(double x) { return x < 0.0 ? -x : x; }
GLASSWOOD_INLINE double larger(double a, double b) { return a > b ? a : b; }

struct Most {
    double lane[n_lanes] = {};

    double all() const {
        double most = lane[0];
        for (std::size_t k = 1; k < n_lanes; ++k) most = larger(lane[k], most);
        return most;
    }
};

NodeSums largest(const GradientRows& rows) {
    Most grad, square, hess, weight;
    const std::size_t whole = rows.n / n_lanes * n_lanes;
    for (std::size_t i = 0; i < whole; i += n_lanes) {
        for (std::size_t k = 0; k < n_lanes; ++k) {
            const double g = rows.grad[i + k], h = rows.hess[i + k];
            grad.lane[k] = larger(size(g), grad.lane[k]);
            square.lane[k] = larger(square_of(g, h), square.lane[k]);
            hess.lane[k] = larger(h, hess.lane[k]);
        }
    }
    for (std::size_t i = whole; i < rows.n; ++i) {
        grad.lane[0] = larger(size(rows.grad[i]), grad.lane[0]);
        square.lane[0] = larger(square_of(rows.grad[i], rows.hess[i]), square.lane[0]);
        hess.lane[0] = larger(rows.hess[i], hess.lane[0]);
    }
    if (rows.weight == nullptr) {
        weight.lane[0] = 1.0;
    } else {
        for (std::size_t i = 0; i < rows.n; ++i) weight.lane[0] = larger(rows.weight[i], weight.lane[0]);
    }
    return {grad.all(), square.all(), hess.all(), weight.all()};
}

Sums rough(const GradientRows& rows, const NodeSums& per) {
    std::int64_t grad = 0, square = 0, hess = 0, weight = 0;
    for (std::size_t i = 0; i < rows.n; ++i) {
        grad += static_cast<std::int32_t>(size(rows.grad[i]) * per.grad);
        square += static_cast<std::int32_t>(square_of(rows.grad[i], rows.hess[i]) * per.square);
        hess += static_cast<std::int32_t>(rows.hess[i] * per.hess);
    }
    for (std::size_t i = 0; rows.weight != nullptr && i < rows.n; ++i)
        weight += static_cast<std::int32_t>(rows.weight[i] * per.weight);
    return {grad, square, hess, weight};
}

void fix(const GradientRows& rows, const NodeSums& per, Sums* out) {
    for (std::size_t i = 0; i < rows.n; ++i) {
        out[i].grad = __builtin_llrint(rows.grad[i] * per.grad);
        out[i].square = __builtin_llrint(square_of(rows.grad[i], rows.hess[i]) * per.square);
        out[i].hess = __builtin_llrint(rows.hess[i] * per.hess);
        out[i].weight = __builtin_llrint((rows.weight == nullptr ? 1.0 : rows.weight[i]) * per.weight);
    }
}

}  // namespace

extern const StatisticsKernels statistics_table;
const StatisticsKernels statistics_table = {largest, rough, fix};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

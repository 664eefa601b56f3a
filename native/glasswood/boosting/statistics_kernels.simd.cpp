// What rows become before histograms add them up, for one CPU level. No standard header with inline functions may be
// included here: the linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/statistics_kernels.hpp"

#include "glasswood/boosting/blocks.hpp"

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

typedef std::int64_t Lanes __attribute__((vector_size(32), aligned(16)));
static_assert(sizeof(Lanes) == sizeof(Sums));

// To the nearest whole numbers, of two the even one. Rounded before they are converted: compilers do either for many
// numbers at once, but not both in one, as llrint does.
GLASSWOOD_INLINE void to_whole(double* values, std::size_t n, std::int64_t* out) {
    for (std::size_t i = 0; i < n; ++i) values[i] = __builtin_nearbyint(values[i]);
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::int64_t>(values[i]);
}

// Field by field first, so that numbers are converted side by side; then rows of a 4 × 4 table become columns.
GLASSWOOD_INLINE void fix_block(const GradientRows& rows, const NodeSums& per, std::size_t first, std::size_t n,
                                Sums* out) {
    double values[block];
    std::int64_t grad[block], square[block], hess[block], weight[block];
    const double* g = rows.grad + first;
    const double* h = rows.hess + first;
    for (std::size_t i = 0; i < n; ++i) values[i] = g[i] * per.grad;
    to_whole(values, n, grad);
    for (std::size_t i = 0; i < n; ++i) values[i] = square_of(g[i], h[i]) * per.square;
    to_whole(values, n, square);
    for (std::size_t i = 0; i < n; ++i) values[i] = h[i] * per.hess;
    to_whole(values, n, hess);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = (rows.weight == nullptr ? 1.0 : rows.weight[first + i]) * per.weight;
    to_whole(values, n, weight);
    auto* to = reinterpret_cast<Lanes*>(out);
    const std::size_t whole = n / 4 * 4;
    for (std::size_t i = 0; i < whole; i += 4) {
        Lanes a, b, c, d;
        __builtin_memcpy(&a, grad + i, sizeof a);
        __builtin_memcpy(&b, square + i, sizeof b);
        __builtin_memcpy(&c, hess + i, sizeof c);
        __builtin_memcpy(&d, weight + i, sizeof d);
        const Lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), AB = __builtin_shufflevector(a, b, 1, 5, 3, 7);
        const Lanes cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), CD = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        to[first + i] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
        to[first + i + 1] = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
        to[first + i + 2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
        to[first + i + 3] = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    }
    for (std::size_t i = whole; i < n; ++i) out[first + i] = {grad[i], square[i], hess[i], weight[i]};
}

void fix(const GradientRows& rows, const NodeSums& per, Sums* out) {
    for_blocks(rows.n, [&](std::size_t first, std::size_t n)
                           __attribute__((always_inline)) { fix_block(rows, per, first, n, out); });
}

GLASSWOOD_INLINE void pair_block(const GradientRows& rows, const NodeSums& per, std::size_t first, std::size_t n,
                                 Pair* out, std::int64_t* square) {
    double values[block];
    std::int64_t grad[block], weight[block];
    const double* g = rows.grad + first;
    const double* h = rows.hess + first;
    for (std::size_t i = 0; i < n; ++i) values[i] = g[i] * per.grad;
    to_whole(values, n, grad);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = (rows.weight == nullptr ? 1.0 : rows.weight[first + i]) * per.weight;
    to_whole(values, n, weight);
    for (std::size_t i = 0; i < n; ++i) out[first + i] = {grad[i], weight[i]};
    for (std::size_t i = 0; i < n; ++i) values[i] = square_of(g[i], h[i]) * per.square;
    to_whole(values, n, square + first);
}

void pair(const GradientRows& rows, const NodeSums& per, Pair* out, std::int64_t* square) {
    for_blocks(rows.n, [&](std::size_t first, std::size_t n)
                           __attribute__((always_inline)) { pair_block(rows, per, first, n, out, square); });
}

}  // namespace

extern const StatisticsKernels statistics_table;
const StatisticsKernels statistics_table = {largest, rough, fix, pair};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

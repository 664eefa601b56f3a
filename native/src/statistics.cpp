#include "glasswood/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "glasswood/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 16384;
constexpr int bits = 61;  // of the largest sum; one is the sign, one is room for rounding

// The power of two for which `sum` has at most `bits` bits.
double unit_of(double sum) {
    if (!(sum > 0.0)) return 1.0;
    int exponent = 0;
    (void)std::frexp(sum, &exponent);
    return std::ldexp(1.0, std::max(exponent - bits, -1000));
}

double square(double grad, double hess) { return hess > 0.0 ? grad * grad / hess : 0.0; }

std::size_t n_chunks(std::size_t n) { return (n + chunk_rows - 1) / chunk_rows; }

}  // namespace

NodeSums to_fixed_point(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                        int n_threads, std::span<Sums> out) {
    const std::size_t n = grad.size();
    std::vector<NodeSums> partial(n_chunks(n));
    parallel_for(partial.size(), n_threads, [&](std::size_t c) {
        NodeSums sums{};
        for (std::size_t i = c * chunk_rows; i < std::min(n, (c + 1) * chunk_rows); ++i) {
            sums.grad += std::fabs(grad[i]);
            sums.square += square(grad[i], hess[i]);
            sums.hess += hess[i];
            sums.weight += weight.empty() ? 1.0 : weight[i];
        }
        partial[c] = sums;
    });
    NodeSums all{};
    for (const NodeSums& sums : partial) {
        all.grad += sums.grad;
        all.square += sums.square;
        all.hess += sums.hess;
        all.weight += sums.weight;
    }
    const NodeSums unit{unit_of(all.grad), unit_of(all.square), unit_of(all.hess), unit_of(all.weight)};
    // A unit is a power of two: multiplying by its inverse is exact.
    const NodeSums per{1.0 / unit.grad, 1.0 / unit.square, 1.0 / unit.hess, 1.0 / unit.weight};
    parallel_for(partial.size(), n_threads, [&](std::size_t c) {
        for (std::size_t i = c * chunk_rows; i < std::min(n, (c + 1) * chunk_rows); ++i) {
            out[i] = {std::llrint(grad[i] * per.grad), std::llrint(square(grad[i], hess[i]) * per.square),
                      std::llrint(hess[i] * per.hess), std::llrint((weight.empty() ? 1.0 : weight[i]) * per.weight)};
        }
    });
    return unit;
}

Sums total(std::span<const Sums> stats, std::span<const std::uint32_t> rows, int n_threads) {
    std::vector<Sums> partial(n_chunks(rows.size()));
    parallel_for(partial.size(), n_threads, [&](std::size_t c) {
        Sums sums{};
        for (std::size_t i = c * chunk_rows; i < std::min(rows.size(), (c + 1) * chunk_rows); ++i) {
            const Sums& row = stats[rows[i]];
            sums = {sums.grad + row.grad, sums.square + row.square, sums.hess + row.hess, sums.weight + row.weight};
        }
        partial[c] = sums;
    });
    Sums all{};
    for (const Sums& sums : partial) {
        all = {all.grad + sums.grad, all.square + sums.square, all.hess + sums.hess, all.weight + sums.weight};
    }
    return all;
}

}  // namespace glasswood::boosting

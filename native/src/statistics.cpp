#include "glasswood/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "glasswood/parallel.hpp"
#include "glasswood/random.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 16384;
constexpr std::size_t written_rows = 4096;  // at a time, by one thread
constexpr int wide_bits = 61;               // of the largest sum; one is the sign, one is room for rounding
constexpr int narrow_bits = 16;             // of the largest row: the sum of narrow_rows of them fits 31

// The power of two for which `largest` has at most `bits` bits.
double unit_of(double largest, int bits) {
    if (!(largest > 0.0)) return 1.0;
    int exponent = 0;
    (void)std::frexp(largest, &exponent);
    return std::ldexp(1.0, std::max(exponent - bits, -1000));
}

double square(double grad, double hess) { return hess > 0.0 ? grad * grad / hess : 0.0; }

std::size_t n_chunks(std::size_t n) { return (n + chunk_rows - 1) / chunk_rows; }

}  // namespace

NodeSums to_fixed_point(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                        int n_threads, std::span<Sums> out) {
    const std::size_t n = grad.size();
    std::vector<NodeSums> partial(n_chunks(n));
    parallel_for(partial.size(), n_threads, work_of(n, 2.0), [&](std::size_t c) {
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
    const NodeSums unit{unit_of(all.grad, wide_bits), unit_of(all.square, wide_bits), unit_of(all.hess, wide_bits),
                        unit_of(all.weight, wide_bits)};
    // A unit is a power of two: multiplying by its inverse is exact.
    const NodeSums per{1.0 / unit.grad, 1.0 / unit.square, 1.0 / unit.hess, 1.0 / unit.weight};
    parallel_for((n + written_rows - 1) / written_rows, n_threads, work_of(n, 5.0), [&](std::size_t c) {
        for (std::size_t i = c * written_rows; i < std::min(n, (c + 1) * written_rows); ++i) {
            out[i] = {std::llrint(grad[i] * per.grad), std::llrint(square(grad[i], hess[i]) * per.square),
                      std::llrint(hess[i] * per.hess), std::llrint((weight.empty() ? 1.0 : weight[i]) * per.weight)};
        }
    });
    return unit;
}

NodeSums to_integers(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                     std::uint64_t seed, std::uint64_t stream, int n_threads, std::span<Narrow> out) {
    const std::size_t n = grad.size();
    std::vector<NodeSums> largest(n_chunks(n));
    parallel_for(largest.size(), n_threads, work_of(n, 2.0), [&](std::size_t c) {
        NodeSums most{};
        for (std::size_t i = c * chunk_rows; i < std::min(n, (c + 1) * chunk_rows); ++i) {
            most.grad = std::max(most.grad, std::fabs(grad[i]));
            most.square = std::max(most.square, square(grad[i], hess[i]));
            most.hess = std::max(most.hess, hess[i]);
            most.weight = std::max(most.weight, weight.empty() ? 1.0 : weight[i]);
        }
        largest[c] = most;
    });
    NodeSums most{};
    for (const NodeSums& other : largest) {
        most = {std::max(most.grad, other.grad), std::max(most.square, other.square), std::max(most.hess, other.hess),
                std::max(most.weight, other.weight)};
    }
    const NodeSums unit{unit_of(most.grad, narrow_bits), unit_of(most.square, narrow_bits),
                        unit_of(most.hess, narrow_bits), unit_of(most.weight, narrow_bits)};
    const NodeSums per{1.0 / unit.grad, 1.0 / unit.square, 1.0 / unit.hess, 1.0 / unit.weight};
    const auto at_least_one = [](double units) {
        return units > 0.0 ? static_cast<std::int32_t>(std::max(std::nearbyint(units), 1.0)) : 0;
    };
    parallel_for(largest.size(), n_threads, work_of(n, 8.0), [&](std::size_t c) {
        Random random(seed, (stream << 24) + c);  // chunks are the same for any number of threads
        for (std::size_t i = c * chunk_rows; i < std::min(n, (c + 1) * chunk_rows); ++i) {
            const std::uint64_t bits = random.next();
            const double up = static_cast<double>(bits >> 32) * 0x1.0p-32;
            const double other_up = static_cast<double>(bits & 0xFFFFFFFFU) * 0x1.0p-32;
            const double w = weight.empty() ? 1.0 : weight[i];
            out[i] = {static_cast<std::int32_t>(std::floor(grad[i] * per.grad + up)),
                      static_cast<std::int32_t>(square(grad[i], hess[i]) * per.square + other_up),
                      at_least_one(hess[i] * per.hess), at_least_one(w * per.weight)};
        }
    });
    return unit;
}

}  // namespace glasswood::boosting

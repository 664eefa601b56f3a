#include "glasswood/boosting/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/statistics_kernels.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 4096;  // sums do not depend on it
constexpr int wide_bits = 61;             // of the largest sum; one is the sign, one is room for rounding
constexpr int narrow_bits = 16;           // of the largest row: the sum of narrow_rows of them fits 31
constexpr int rough_bits = 30;            // of the largest row, to find out the size of a sum: that of 2³² rows fits 63

std::size_t n_chunks(std::size_t n) { return (n + chunk_rows - 1) / chunk_rows; }

GradientRows chunk_of(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                      std::size_t c) {
    const std::size_t first = c * chunk_rows;
    return {grad.data() + first, hess.data() + first, weight.empty() ? nullptr : weight.data() + first,
            std::min(chunk_rows, grad.size() - first)};
}

// The largest size of every statistic. The order of rows does not matter to a maximum.
NodeSums largest_of(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                    int n_threads) {
    const StatisticsKernels& kernels = statistics_kernels(base::cpu_level());
    std::vector<NodeSums> largest(n_chunks(grad.size()));
    base::parallel_for(largest.size(), n_threads, base::work_of(grad.size(), 1.0),
                       [&](std::size_t c) { largest[c] = kernels.largest(chunk_of(grad, hess, weight, c)); });
    NodeSums most{};
    for (const NodeSums& other : largest) {
        most = {std::max(most.grad, other.grad), std::max(most.square, other.square), std::max(most.hess, other.hess),
                std::max(most.weight, other.weight)};
    }
    return most;
}

base::Unit rough_unit(double largest) { return base::Unit::of(largest, rough_bits); }

// The unit in which a sum of n numbers, `rough` in whole rough units when each is rounded down, has at most wide_bits.
base::Unit wide_unit(const base::Unit& rough_unit, std::int64_t rough, std::size_t n) {
    const auto most = static_cast<std::uint64_t>(rough) + n;
    return base::Unit::of_exponent(
        std::max(rough_unit.exponent + static_cast<int>(std::bit_width(most)) - wide_bits, -1000));
}

}  // namespace

NodeSums to_fixed_point(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                        int n_threads, std::span<Sums> out) {
    const std::size_t n = grad.size();
    const NodeSums most = largest_of(grad, hess, weight, n_threads);
    const base::Unit rough_grad = rough_unit(most.grad), rough_square = rough_unit(most.square);
    const base::Unit rough_hess = rough_unit(most.hess), rough_weight = rough_unit(most.weight);
    const StatisticsKernels& kernels = statistics_kernels(base::cpu_level());
    const NodeSums rough_per{rough_grad.per, rough_square.per, rough_hess.per, rough_weight.per};
    std::vector<Sums> partial(n_chunks(n));
    base::parallel_for(partial.size(), n_threads, base::work_of(n, 2.0),
                       [&](std::size_t c) { partial[c] = kernels.rough(chunk_of(grad, hess, weight, c), rough_per); });
    Sums all{};
    for (const Sums& sums : partial) all = plus(all, sums);
    if (weight.empty()) all.weight = static_cast<std::int64_t>(rough_weight.per) * static_cast<std::int64_t>(n);
    const base::Unit of_grad = wide_unit(rough_grad, all.grad, n), of_square = wide_unit(rough_square, all.square, n);
    const base::Unit of_hess = wide_unit(rough_hess, all.hess, n), of_weight = wide_unit(rough_weight, all.weight, n);
    // A unit is a power of two: multiplying by its inverse is exact.
    const NodeSums per{of_grad.per, of_square.per, of_hess.per, of_weight.per};
    base::parallel_for(partial.size(), n_threads, base::work_of(n, 4.0), [&](std::size_t c) {
        kernels.fix(chunk_of(grad, hess, weight, c), per, out.data() + c * chunk_rows);
    });
    return {of_grad.size, of_square.size, of_hess.size, of_weight.size};
}

NodeSums to_integers(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                     const base::RowKeys& keys, std::span<const std::int64_t> number, int n_threads,
                     std::span<Narrow> out) {
    const std::size_t n = grad.size();
    const NodeSums most = largest_of(grad, hess, weight, n_threads);
    const auto narrow_unit = [](double largest) {
        return base::Unit::of_exponent(std::max(base::Unit::of(largest, narrow_bits).exponent, -1000)).size;
    };
    const NodeSums unit{narrow_unit(most.grad), narrow_unit(most.square), narrow_unit(most.hess),
                        narrow_unit(most.weight)};
    const NodeSums per{1.0 / unit.grad, 1.0 / unit.square, 1.0 / unit.hess, 1.0 / unit.weight};
    const auto at_least_one = [](double units) {
        return units > 0.0 ? static_cast<std::int32_t>(std::max(std::nearbyint(units), 1.0)) : 0;
    };
    base::parallel_for(n_chunks(n), n_threads, base::work_of(n, 8.0), [&](std::size_t c) {
        for (std::size_t i = c * chunk_rows; i < std::min(n, (c + 1) * chunk_rows); ++i) {
            const std::uint64_t bits = keys.of(number.empty() ? i : static_cast<std::uint64_t>(number[i]));
            const double up = static_cast<double>(bits >> 32) * 0x1.0p-32;
            const double other_up = static_cast<double>(bits & 0xFFFFFFFFU) * 0x1.0p-32;
            const double w = weight.empty() ? 1.0 : weight[i];
            out[i] = {static_cast<std::int32_t>(std::floor(grad[i] * per.grad + up)),
                      static_cast<std::int32_t>(square_of(grad[i], hess[i]) * per.square + other_up),
                      at_least_one(hess[i] * per.hess), at_least_one(w * per.weight)};
        }
    });
    return unit;
}

NodeSums leaf_units(const NodeSums& narrow_unit, std::size_t n_rows) {
    const int shift = narrow_bits + static_cast<int>(std::bit_width(n_rows)) - wide_bits;
    const auto finer = [&](double unit) { return base::Unit::of_exponent(std::ilogb(unit) + shift).size; };
    return {finer(narrow_unit.grad), finer(narrow_unit.square), finer(narrow_unit.hess), finer(narrow_unit.weight)};
}

}  // namespace glasswood::boosting

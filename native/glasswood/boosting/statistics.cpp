#include "glasswood/boosting/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/quantised_formula.hpp"
#include "glasswood/boosting/statistics_kernels.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 4096;  // sums do not depend on it
constexpr int wide_bits = 61;             // of the largest sum; one is the sign, one is room for rounding
constexpr int rough_bits = 30;            // of the largest row, to find out the size of a sum: that of 2³² rows fits 63

std::size_t n_chunks(std::size_t n) { return (n + chunk_rows - 1) / chunk_rows; }

GradientRows chunk_of(const Gradients& rows, std::size_t c) {
    const std::size_t first = c * chunk_rows;
    return {rows.grad.data() + first, rows.hess.data() + first,
            rows.weight.empty() ? nullptr : rows.weight.data() + first, std::min(chunk_rows, rows.grad.size() - first)};
}

base::Unit rough_unit(double largest) { return base::Unit::of(largest, rough_bits); }

// The unit in which a sum of n numbers, `rough` in whole rough units when each is rounded down, has at most wide_bits.
base::Unit wide_unit(const base::Unit& rough_unit, std::int64_t rough, std::size_t n) {
    const auto most = static_cast<std::uint64_t>(rough) + n;
    return base::Unit::of_exponent(
        std::max(rough_unit.exponent + static_cast<int>(std::bit_width(most)) - wide_bits, -1000));
}

// A unit is a power of two that has an inverse, so multiplying by it is exact.
NodeSums inverse_of(const NodeSums& unit) {
    return {1.0 / unit.grad, 1.0 / unit.square, 1.0 / unit.hess, 1.0 / unit.weight};
}

}  // namespace

NodeSums largest_of(const Gradients& rows, int n_threads) {
    const StatisticsKernels& kernels = statistics_kernels(base::cpu_level());
    const std::size_t n = rows.grad.size();
    std::vector<NodeSums> largest(n_chunks(n));
    base::parallel_for(largest.size(), n_threads, base::work_of(n, 1.0),
                       [&](std::size_t c) { largest[c] = kernels.largest(chunk_of(rows, c)); });
    NodeSums most{};
    for (const NodeSums& other : largest) {
        most = {std::max(most.grad, other.grad), std::max(most.square, other.square), std::max(most.hess, other.hess),
                std::max(most.weight, other.weight)};
    }
    return most;
}

Sums rough_sums(const Gradients& rows, const NodeSums& largest, int n_threads) {
    const StatisticsKernels& kernels = statistics_kernels(base::cpu_level());
    const std::size_t n = rows.grad.size();
    const NodeSums per{rough_unit(largest.grad).per, rough_unit(largest.square).per, rough_unit(largest.hess).per,
                       rough_unit(largest.weight).per};
    std::vector<Sums> partial(n_chunks(n));
    base::parallel_for(partial.size(), n_threads, base::work_of(n, 2.0),
                       [&](std::size_t c) { partial[c] = kernels.rough(chunk_of(rows, c), per); });
    Sums all{};
    for (const Sums& sums : partial) all = plus(all, sums);
    if (rows.weight.empty()) all.weight = static_cast<std::int64_t>(per.weight) * static_cast<std::int64_t>(n);
    return all;
}

NodeSums wide_units(const NodeSums& largest, const Sums& rough, std::size_t n) {
    return {wide_unit(rough_unit(largest.grad), rough.grad, n).size,
            wide_unit(rough_unit(largest.square), rough.square, n).size,
            wide_unit(rough_unit(largest.hess), rough.hess, n).size,
            wide_unit(rough_unit(largest.weight), rough.weight, n).size};
}

NodeSums narrow_units(const NodeSums& largest) {
    const auto narrow_unit = [](double most) { return power_of_two(narrow_exponent(most)); };
    return {narrow_unit(largest.grad), narrow_unit(largest.square), narrow_unit(largest.hess),
            narrow_unit(largest.weight)};
}

void to_fixed_point(const Gradients& rows, const NodeSums& unit, int n_threads, std::span<Sums> out) {
    const StatisticsKernels& kernels = statistics_kernels(base::cpu_level());
    const NodeSums per = inverse_of(unit);
    base::parallel_for(n_chunks(out.size()), n_threads, base::work_of(out.size(), 4.0),
                       [&](std::size_t c) { kernels.fix(chunk_of(rows, c), per, out.data() + c * chunk_rows); });
}

void to_pairs(const Gradients& rows, const NodeSums& unit, int n_threads, std::span<Pair> out,
              std::span<std::int64_t> square) {
    const StatisticsKernels& kernels = statistics_kernels(base::cpu_level());
    const NodeSums per = inverse_of(unit);
    base::parallel_for(n_chunks(out.size()), n_threads, base::work_of(out.size(), 3.0), [&](std::size_t c) {
        kernels.pair(chunk_of(rows, c), per, out.data() + c * chunk_rows, square.data() + c * chunk_rows);
    });
}

void to_integers(const Gradients& rows, const NodeSums& unit, const base::RowKeys& keys,
                 std::span<const std::int64_t> number, int n_threads, std::span<Narrow> out) {
    const std::span grad = rows.grad, hess = rows.hess, weight = rows.weight;
    const std::size_t n = grad.size();
    const NodeSums per = inverse_of(unit);
    base::parallel_for(n_chunks(n), n_threads, base::work_of(n, 8.0), [&](std::size_t c) {
        for (std::size_t i = c * chunk_rows; i < std::min(n, (c + 1) * chunk_rows); ++i) {
            const std::uint64_t bits = keys.of(number.empty() ? i : static_cast<std::uint64_t>(number[i]));
            out[i] = narrow_of(grad[i], hess[i], weight.empty() ? 1.0 : weight[i], per, bits);
        }
    });
}

NodeSums leaf_units(const NodeSums& narrow_unit, std::size_t n_rows) {
    const auto finer = [&](double unit) { return power_of_two(leaf_exponent(std::ilogb(unit), n_rows)); };
    return {finer(narrow_unit.grad), finer(narrow_unit.square), finer(narrow_unit.hess), finer(narrow_unit.weight)};
}

}  // namespace glasswood::boosting

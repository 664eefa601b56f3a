#include "glasswood/explain/cell_table_sums.hpp"

#include <limits>

namespace glasswood::explain {
namespace {

// Rows [0, Rows) below the row `before` (null above the first), side by side: the sum along one row waits for itself.
template <int Rows>
void cumulate_rows(std::int64_t n_columns, const double* before, double* table) {
    double sum[Rows] = {};
    for (std::int64_t j = 0; j < n_columns; ++j) {
        double above = before == nullptr ? 0.0 : before[j];
        for (int i = 0; i < Rows; ++i) {
            sum[i] += table[i * n_columns + j];
            above += sum[i];
            table[i * n_columns + j] = above;
        }
    }
}

// Both axes in one pass over the memory.
void cumulate_pair(std::int64_t n_rows, std::int64_t n_columns, double* table) {
    const auto before = [&](std::int64_t i) { return i == 0 ? nullptr : table + (i - 1) * n_columns; };
    std::int64_t i = 0;
    for (; i + 4 <= n_rows; i += 4) cumulate_rows<4>(n_columns, before(i), table + i * n_columns);
    for (; i < n_rows; ++i) cumulate_rows<1>(n_columns, before(i), table + i * n_columns);
}

}  // namespace

std::vector<std::int64_t> table_starts(const Axes& axes, std::span<const std::int32_t> features, std::size_t degree,
                                       std::size_t n_outputs) {
    std::vector<std::int64_t> start{0};
    for (std::size_t at = 0; at < features.size(); at += degree) {
        auto cells = static_cast<std::int64_t>(n_outputs);
        for (std::size_t k = 0; k < degree; ++k) cells *= axes.size[features[at + k]];
        start.push_back(start.back() + cells);
    }
    return start;
}

void cumulate(std::span<const std::int64_t> shape, double* table) {
    if (shape.size() == 2) {
        cumulate_pair(shape[0], shape[1], table);
        return;
    }
    std::int64_t total = 1;
    for (const std::int64_t n : shape) total *= n;
    std::int64_t stride = total;
    for (const std::int64_t n : shape) {
        if (n == 0) return;
        const std::int64_t outer = stride;
        stride /= n;
        for (std::int64_t first = 0; first < total; first += outer) {
            for (std::int64_t at = first + stride; at < first + outer; ++at) table[at] += table[at - stride];
        }
    }
}

void clear_irregular(const Axes& axes, std::span<const std::int32_t> features, double* table) {
    std::int64_t cells = 1;
    for (const std::int32_t f : features) cells *= axes.size[f];
    std::int64_t stride = cells;
    for (const std::int32_t f : features) {
        const std::int64_t outer = stride;
        stride /= axes.size[f];
        const std::int64_t regular = axes.regular[f] * stride;
        for (std::int64_t first = 0; regular < outer && first < cells; first += outer)
            std::fill(table + first + regular, table + first + outer, 0.0);
    }
}

double weighted_mean(std::span<const double> value, std::span<const double> weight) {
    constexpr std::size_t lanes = 8;  // sums side by side: one alone would wait for itself
    if (value.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double origin = value[0];
    double total[lanes] = {}, sum[lanes] = {};
    const std::size_t whole = value.size() / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            total[lane] += weight[i + lane];
            sum[lane] += weight[i + lane] * (value[i + lane] - origin);
        }
    }
    for (std::size_t i = whole; i < value.size(); ++i) {
        total[0] += weight[i];
        sum[0] += weight[i] * (value[i] - origin);
    }
    for (std::size_t lane = 1; lane < lanes; ++lane) {
        total[0] += total[lane];
        sum[0] += sum[lane];
    }
    if (total[0] > 0.0) return origin + sum[0] / total[0];
    double plain = 0.0;
    for (const double v : value) plain += v - origin;
    return origin + plain / static_cast<double>(value.size());
}

}  // namespace glasswood::explain

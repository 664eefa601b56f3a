#include "glasswood/cuts.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "glasswood/order.hpp"
#include "glasswood/parallel.hpp"

namespace glasswood {
namespace {

// Positions of the cuts among distinct values of the given weights: a cut stands after its position.
std::vector<std::size_t> cut_positions(std::span<const double> weight, std::size_t n_quantiles) {
    std::vector<std::size_t> cuts;
    if (weight.empty()) return cuts;
    if (weight.size() <= n_quantiles) {
        cuts.resize(weight.size() - 1);
        std::iota(cuts.begin(), cuts.end(), std::size_t{0});
        return cuts;
    }
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    double below = 0;
    std::size_t k = 1;
    for (std::size_t i = 0; i + 1 < weight.size(); ++i) {
        below += weight[i];
        // Products instead of quotients: exact where the weights are whole numbers.
        const std::size_t before = k;
        while (k < n_quantiles && below * static_cast<double>(n_quantiles) >= static_cast<double>(k) * total) ++k;
        if (k > before) cuts.push_back(i);
    }
    return cuts;
}

CutFeature cut_numbers(const Column& column, std::span<const double> weight, std::size_t n_quantiles,
                       std::span<std::uint8_t> cell) {
    const SortedColumn sorted = sort_column(column, cell.size());
    std::vector<double> values, mass;
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
        const double w = weight[sorted.rows[i]];
        if (w == 0) continue;
        if (values.empty() || sorted.values[i] != values.back()) {
            values.push_back(sorted.values[i]);
            mass.push_back(0);
        }
        mass.back() += w;
    }
    CutFeature feature;
    for (const std::size_t position : cut_positions(mass, n_quantiles)) feature.cuts.push_back(values[position]);
    feature.n_cells = static_cast<std::uint32_t>(feature.cuts.size() + 1);
    std::uint8_t place = 0;
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
        while (place < feature.cuts.size() && sorted.values[i] > feature.cuts[place]) ++place;
        cell[sorted.rows[i]] = place;
    }
    for (const std::uint32_t row : sorted.missing) cell[row] = static_cast<std::uint8_t>(feature.n_cells);
    return feature;
}

// Levels that have rows, in the order of their mean place.
std::vector<std::uint32_t> level_order(std::span<const double> mass, std::span<const double> sum) {
    std::vector<std::uint32_t> levels;
    for (std::uint32_t level = 0; level < mass.size(); ++level) {
        if (mass[level] > 0) levels.push_back(level);
    }
    std::ranges::stable_sort(levels, {}, [&](std::uint32_t level) { return sum[level] / mass[level]; });
    return levels;
}

CutFeature cut_levels(const Column& column, std::size_t n_levels, std::span<const double> weight,
                      std::span<const double> place, std::span<std::uint8_t> cell) {
    std::vector<std::int32_t> code(cell.size());
    std::vector<double> mass(n_levels), sum(n_levels);
    for (std::size_t row = 0; row < cell.size(); ++row) {
        std::memcpy(&code[row], column.data + static_cast<std::ptrdiff_t>(row) * column.stride, sizeof code[row]);
        if (code[row] < 0) continue;
        mass[code[row]] += weight[row];
        sum[code[row]] += weight[row] * place[row];
    }
    const std::vector<std::uint32_t> levels = level_order(mass, sum);
    std::vector<double> ordered;
    for (const std::uint32_t level : levels) ordered.push_back(mass[level]);
    const std::vector<std::size_t> cuts = cut_positions(ordered, most_cells);
    CutFeature feature;
    feature.is_category = true;
    feature.n_cells = levels.empty() ? 0 : static_cast<std::uint32_t>(cuts.size() + 1);
    feature.level_cell.assign(n_levels, absent_level);
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        feature.level_cell[levels[i]] = at;
        if (at < cuts.size() && cuts[at] == i) ++at;
    }
    for (std::size_t row = 0; row < cell.size(); ++row) {
        // A level without weight has no cell; no tree ever looks at its rows.
        const std::uint32_t own = code[row] < 0 ? absent_level : feature.level_cell[code[row]];
        cell[row] = static_cast<std::uint8_t>(own == absent_level ? feature.n_cells : own);
    }
    return feature;
}

}  // namespace

CutTable cut_table(const Rows& rows, std::span<const std::int32_t> n_levels, std::span<const double> weight,
                   std::span<const double> place, std::size_t n_quantiles, int n_threads, const Interrupt& interrupt) {
    const std::size_t n_features = rows.columns.size(), n_rows = rows.n_rows;
    CutTable out{n_rows, std::vector<std::uint8_t>(n_features * n_rows), std::vector<CutFeature>(n_features)};
    parallel_for(n_features, n_threads, [&](std::size_t f) {
        interrupt.check();
        const std::span cell(out.cell.data() + f * n_rows, n_rows);
        const Column& column = rows.columns[f];
        out.features[f] = column.type == ColumnType::code
                              ? cut_levels(column, static_cast<std::size_t>(n_levels[f]), weight, place, cell)
                              : cut_numbers(column, weight, n_quantiles, cell);
    });
    return out;
}

}  // namespace glasswood

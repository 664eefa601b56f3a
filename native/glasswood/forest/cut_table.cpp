#include "glasswood/forest/cut_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "glasswood/base/parallel.hpp"
#include "glasswood/base/rounding_grid.hpp"
#include "glasswood/forest/quantile_pick.hpp"
#include "glasswood/table/column_numbers.hpp"
#include "glasswood/table/sorted_column.hpp"

namespace glasswood::forest {
namespace {

constexpr std::size_t at_once = 8;          // columns read together: 8 doubles of a row are one cache line
constexpr double largest_whole = 0x1.0p20;  // weights up to it, times 2³¹ rows and 255 quantiles, fit 64 bits

// Indices of the cuts among distinct values of the given weights: a cut stands after the value of its index.
std::vector<std::size_t> cut_indices(std::span<const double> weight, std::size_t n_quantiles) {
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

// Cuts where the weights are whole numbers: values at the quantiles are picked instead of sorting all.
CutFeature pick_numbers(std::span<const double> all, std::span<const double> weight, std::size_t n_quantiles,
                        bool all_ones, std::span<std::uint8_t> cell) {
    const bool missing = std::ranges::any_of(all, [](double x) { return std::isnan(x); });
    CutFeature feature;
    if (all_ones && !missing) {
        feature.cuts = pick_quantiles(all, {}, n_quantiles);
    } else {
        std::vector<double> values, weights;
        for (std::size_t row = 0; row < all.size(); ++row) {
            if (weight[row] == 0 || std::isnan(all[row])) continue;
            values.push_back(all[row]);
            weights.push_back(weight[row]);
        }
        feature.cuts = pick_quantiles(values, weights, n_quantiles);
    }
    feature.n_cells = static_cast<std::uint32_t>(feature.cuts.size() + 1);
    const CutSearch search(feature.cuts);
    std::ranges::transform(all, cell.begin(),
                           [&](double x) { return static_cast<std::uint8_t>(search.count_below(x)); });
    if (!missing) return feature;
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (std::isnan(all[row])) cell[row] = static_cast<std::uint8_t>(feature.n_cells);
    }
    return feature;
}

CutFeature cut_numbers(const table::Column& column, std::span<const double> weight, std::size_t n_quantiles,
                       std::span<std::uint8_t> cell) {
    const table::SortedColumn sorted = table::sort_column(column, cell.size());
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
    for (const std::size_t i : cut_indices(mass, n_quantiles)) feature.cuts.push_back(values[i]);
    feature.n_cells = static_cast<std::uint32_t>(feature.cuts.size() + 1);
    std::uint8_t n_below = 0;
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
        while (n_below < feature.cuts.size() && sorted.values[i] > feature.cuts[n_below]) ++n_below;
        cell[sorted.rows[i]] = n_below;
    }
    for (const std::uint32_t row : sorted.missing) cell[row] = static_cast<std::uint8_t>(feature.n_cells);
    return feature;
}

// Columns of numbers from `first` on, row by row: those of one row often share a cache line.
void read_numbers(const table::Rows& rows, std::size_t first, std::vector<std::vector<double>>& out) {
    std::vector<std::size_t> wanted;
    for (std::size_t j = 0; j < out.size(); ++j) {
        if (rows.columns[first + j].type == table::ColumnType::code) continue;
        out[j].resize(rows.n_rows);
        wanted.push_back(j);
    }
    const auto is_sparse = [&](std::size_t j) { return rows.columns[first + j].is_sparse; };
    for (const std::size_t j : wanted) {
        if (is_sparse(j)) table::load_numbers(rows.columns[first + j], 0, rows.n_rows, out[j].data());
    }
    std::erase_if(wanted, is_sparse);
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
        for (const std::size_t j : wanted) out[j][row] = table::number_at(rows.columns[first + j], row);
    }
}

// Levels that have rows, in the order of their means.
std::vector<std::uint32_t> level_order(std::span<const double> mass, std::span<const double> sum) {
    std::vector<std::uint32_t> levels;
    for (std::uint32_t level = 0; level < mass.size(); ++level) {
        if (mass[level] > 0) levels.push_back(level);
    }
    std::ranges::stable_sort(levels, {}, [&](std::uint32_t level) { return sum[level] / mass[level]; });
    return levels;
}

CutFeature cut_levels(const table::Column& column, std::size_t n_levels, std::span<const double> weight,
                      std::span<const double> order_by, std::span<std::uint8_t> cell) {
    std::vector<std::int32_t> code(cell.size());
    std::vector<double> mass(n_levels), sum(n_levels);
    double largest = 0;
    for (std::size_t row = 0; row < cell.size(); ++row)
        largest = std::max(largest, weight[row] * std::abs(order_by[row]));
    const base::RoundingGrid grid(largest, cell.size());
    for (std::size_t row = 0; row < cell.size(); ++row) {
        code[row] = table::value_at<std::int32_t>(column, row);
        if (code[row] < 0) continue;
        mass[code[row]] += weight[row];
        sum[code[row]] += grid.round(weight[row] * order_by[row]);
    }
    const std::vector<std::uint32_t> levels = level_order(mass, sum);
    std::vector<double> ordered;
    for (const std::uint32_t level : levels) ordered.push_back(mass[level]);
    const std::vector<std::size_t> cuts = cut_indices(ordered, max_cells);
    CutFeature feature;
    feature.is_category = true;
    feature.n_cells = levels.empty() ? 0 : static_cast<std::uint32_t>(cuts.size() + 1);
    feature.level_cell.assign(n_levels, absent_level);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        feature.level_cell[levels[i]] = next;
        if (next < cuts.size() && cuts[next] == i) ++next;
    }
    for (std::size_t row = 0; row < cell.size(); ++row) {
        // A level without weight has no cell; no tree ever looks at its rows.
        const std::uint32_t found = code[row] < 0 ? absent_level : feature.level_cell[code[row]];
        cell[row] = static_cast<std::uint8_t>(found == absent_level ? feature.n_cells : found);
    }
    return feature;
}

// Keeps the cells of stored rows, and the one that all others share.
void keep_stored(const table::Column& column, std::span<const std::uint8_t> cell, std::uint8_t* stored,
                 CutFeature& feature) {
    std::size_t next = 0;
    for (std::size_t row = 0; row < cell.size(); ++row) {
        if (next < column.stored.size() && static_cast<std::size_t>(column.stored[next]) == row) {
            stored[next++] = cell[row];
        } else {
            feature.fill_cell = cell[row];
        }
    }
}

}  // namespace

const std::uint8_t* CutTable::of(std::size_t feature, std::vector<std::uint8_t>& spare) const {
    const std::uint8_t* own = cell.data() + start[feature];
    const table::Column& column = columns[feature];
    if (!column.is_sparse) return own;
    spare.assign(n_rows, features[feature].fill_cell);
    for (std::size_t i = 0; i < column.stored.size(); ++i) spare[column.stored[i]] = own[i];
    return spare.data();
}

CutTable cut_table(const table::Rows& rows, std::span<const std::int32_t> n_levels, std::span<const double> weight,
                   std::span<const double> order_by, std::size_t n_quantiles, int n_threads,
                   const base::Interrupt& interrupt) {
    const std::size_t n_features = rows.columns.size(), n_rows = rows.n_rows;
    CutTable out{n_rows, {}, {0}, std::vector<CutFeature>(n_features), rows.columns};
    for (const table::Column& column : rows.columns) {
        out.start.push_back(out.start.back() + (column.is_sparse ? column.stored.size() : n_rows));
    }
    out.cell.resize(out.start.back());
    const bool whole = std::ranges::all_of(weight, [](double w) { return w <= largest_whole && w == std::floor(w); });
    // No sum of rounded weights depends on the order of the rows.
    const base::RoundingGrid grid(weight.empty() ? 0 : std::ranges::max(weight), n_rows);
    std::vector<double> rounded(weight.begin(), weight.end());
    if (!whole)
        std::ranges::transform(weight, rounded.begin(),
                               [&](double w) { return w > 0 ? std::max(grid.round(w), grid.unit()) : 0.0; });
    weight = rounded;
    const bool all_ones = std::ranges::all_of(weight, [](double w) { return w == 1; });
    const base::Work work = base::work_of(n_features * n_rows, 20.0);
    base::parallel_for((n_features + at_once - 1) / at_once, n_threads, work, [&](std::size_t chunk) {
        const std::size_t first = chunk * at_once, last = std::min(n_features, first + at_once);
        std::vector<std::vector<double>> numbers(last - first);
        if (whole) read_numbers(rows, first, numbers);
        std::vector<std::uint8_t> spare;
        for (std::size_t f = first; f < last; ++f) {
            interrupt.check();
            const table::Column& column = rows.columns[f];
            spare.resize(column.is_sparse ? n_rows : 0);
            const std::span cell(column.is_sparse ? spare.data() : out.cell.data() + out.start[f], n_rows);
            out.features[f] = column.type == table::ColumnType::code
                                  ? cut_levels(column, static_cast<std::size_t>(n_levels[f]), weight, order_by, cell)
                              : whole ? pick_numbers(numbers[f - first], weight, n_quantiles, all_ones, cell)
                                      : cut_numbers(column, weight, n_quantiles, cell);
            if (column.is_sparse) keep_stored(column, cell, out.cell.data() + out.start[f], out.features[f]);
        }
    });
    return out;
}

}  // namespace glasswood::forest

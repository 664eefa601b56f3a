// What the bindings of boosting share: bins as arrays, and statistics with the arrays they borrow.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "glasswood/boosting/column_bundles.hpp"
#include "glasswood/boosting/level_tree.hpp"
#include "glasswood/boosting/node_rules.hpp"
#include "glasswood/boosting/row_statistics.hpp"

namespace glasswood::bind {

using Bins = nanobind::ndarray<const std::uint8_t, nanobind::ndim<2>, nanobind::device::cpu>;

// Strides of an array without rows, or with one, say nothing.
inline boosting::BinnedRows rows_of(const Bins& bins) {
    const std::size_t n = bins.shape(0), n_features = bins.shape(1), stride = boosting::stride_of(n_features);
    if ((n > 1 && !std::cmp_equal(bins.stride(0), stride)) || (n > 0 && n_features > 1 && bins.stride(1) != 1)) {
        throw nanobind::value_error("bins must come from bin_rows");
    }
    return {bins.data(), n, n_features, stride, nullptr};
}

// Both copies of the bins, which must fit each other and the rules.
inline boosting::BinnedRows rows_of(const Bins& bins, const Array2<std::uint8_t>& by_column,
                                    const boosting::NodeRules& rules) {
    boosting::BinnedRows rows = rows_of(bins);
    if (by_column.shape(0) != rows.n_features || by_column.shape(1) != rows.n_rows) {
        throw nanobind::value_error("bins by row and by column differ in shape");
    }
    check_size(rules.features().n_bins.size(), rows.n_features, "rules");
    rows.columns = by_column.data();
    return rows;
}

// Rows of a sparse table in columns that features share.
struct BundledRows {
    std::shared_ptr<const boosting::ColumnBundles> bundles;
    std::size_t n_features;

    std::size_t n_rows() const { return bundles->rows().n_rows; }
};

using Wide = std::optional<Array2<std::uint16_t>>;

// Wide columns, none if none are given; at least as many as needed, of as many rows as the bins.
inline boosting::WideColumns columns_of(const Wide& wide, std::size_t n_needed, std::size_t n_rows) {
    const boosting::WideColumns columns =
        wide ? boosting::WideColumns{wide->data(), wide->shape(0), wide->shape(1)} : boosting::WideColumns{};
    if (columns.n_columns < n_needed) {
        throw nanobind::value_error(("wide has " + std::to_string(columns.n_columns) + " columns, but the trees need " +
                                     std::to_string(n_needed))
                                        .c_str());
    }
    if (columns.n_columns > 0) check_size(columns.n_rows, n_rows, "wide");
    return columns;
}

// The wide columns that trees of these rules are grown on.
inline boosting::WideColumns columns_of(const Wide& wide, const boosting::NodeRules& rules, std::size_t n_rows) {
    const std::vector<std::uint16_t>& n_wide = rules.features().n_wide;
    const auto n_needed = n_wide.size() - static_cast<std::size_t>(std::ranges::count(n_wide, 0));
    const boosting::WideColumns columns = columns_of(wide, n_needed, n_rows);
    if (!boosting::are_known(columns, n_wide)) {
        throw nanobind::value_error("wide holds codes beyond those of missing values");
    }
    return columns;
}

struct StatisticsOwner {
    StatisticsOwner(bool exact, bool are_pairs) : statistics(exact, are_pairs) {}

    boosting::RowStatistics statistics;
    Array1<double> grad, hess, weight;
    std::uint64_t n_sets = 0;  // how often they were set: a tree in growth needs the same ones to its end
};

// A tree by level with the statistics it borrows, which Python keeps alive.
struct LevelTreeOwner {
    LevelTreeOwner(const boosting::BinnedRows& bins, const boosting::WideColumns& wide,
                   const boosting::NodeRules& rules, std::size_t rank, std::size_t n_ranks)
        : tree(bins, wide, rules, rank, n_ranks),
          takes_pairs(rules.take_pairs()),
          is_symmetric(rules.options().is_symmetric) {}

    boosting::LevelTree tree;
    bool takes_pairs, is_symmetric;
    const StatisticsOwner* statistics = nullptr;
    std::uint64_t n_sets = 0;
    std::size_t n_values = 0;  // rows times columns

    std::span<const std::uint32_t> rows() const { return tree.rows(); }
    const boosting::BinnedRows& bins() const { return tree.bins(); }
};

// The rows and columns of a tree to be grown.
template <class Grower>
void check_tree(const Grower& grower, const StatisticsOwner& stats, const Array1<std::uint32_t>& rows,
                const Array1<std::uint32_t>& columns) {
    check_size(stats.statistics.n_rows(), grower.bins().n_rows, "stats");
    check_below(view(rows), grower.bins().n_rows, "rows");
    check_below(view(columns), grower.bins().n_features, "columns");
}

// Pairs lack what trees of one machine are grown from.
inline void refuse_pairs(const StatisticsOwner& stats) {
    if (stats.statistics.are_pairs()) throw nanobind::value_error("only a LevelTree is grown from pairs");
}

// Steps of growing a tree on so many values that somebody may lose patience.
inline constexpr std::size_t least_interruptible = std::size_t{1} << 22;

}  // namespace glasswood::bind

#include "glasswood/boosting/table_binner.hpp"

#include <algorithm>
#include <vector>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/table/sparse_column.hpp"

namespace glasswood::boosting {
namespace {

void bin_levels(const table::Column& column, std::span<const std::uint8_t> bin_of, std::size_t first, std::size_t n,
                std::uint8_t* out) {
    const int n_bins = bin_of.empty() ? 0 : *std::max_element(bin_of.begin(), bin_of.end()) + 1;
    const auto missing = static_cast<std::uint8_t>(n_bins);
    const auto unseen = static_cast<std::uint8_t>(n_bins + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t code = table::value_at<std::int32_t>(column, first + i);
        const bool known = static_cast<std::size_t>(code) < bin_of.size();
        out[i] = code < 0 ? missing : known ? bin_of[code] : unseen;
    }
}

}  // namespace

TableBinner::TableBinner(const table::Rows& table, const table::Grid& edges, const LevelBins& levels)
    : table_(table),
      edges_(edges),
      levels_(levels),
      encoder_(edges, std::vector<std::int32_t>(table.columns.size(), 0),
               std::vector<std::uint8_t>(table.columns.size(), 0)),
      float_bins_(table.columns, edges),
      kernels_(float_bin_kernels(base::cpu_level())) {}

void TableBinner::bin(std::size_t feature, std::size_t first, std::size_t n, std::uint8_t* out) const {
    const table::Column& column = table_.columns[feature];
    if (column.type == table::ColumnType::code) {
        const auto begin = levels_.start[feature];
        bin_levels(column, levels_.bin.subspan(begin, levels_.start[feature + 1] - begin), first, n, out);
    } else if (const FloatEdges* prepared = float_bins_.of(feature); prepared != nullptr && !column.is_sparse) {
        kernels_.bin(*prepared, column.data + static_cast<std::ptrdiff_t>(first) * column.stride, column.stride, n,
                     out);
    } else {
        bin_numbers(feature, column, first, n, out);
    }
}

void TableBinner::bin_numbers(std::size_t feature, const table::Column& column, std::size_t first, std::size_t n,
                              std::uint8_t* out) const {
    if (!encoder_.encode(feature, column, first, n, out)) return;
    const auto missing = static_cast<std::uint8_t>(edges_.of(feature).size() + 1);
    encoder_.write_missing(feature, column, first, n, missing, out);
}

void TableBinner::bin_stored(std::size_t feature, std::uint8_t* out) const {
    const table::Column& column = table_.columns[feature];
    bin_numbers(feature, table::stored_values(column, 0), 0, column.stored.size(), out);
}

std::uint8_t TableBinner::bin_of_others(std::size_t feature) const {
    const double fill = table_.columns[feature].fill;
    std::uint8_t bin = 0;
    bin_numbers(feature, {reinterpret_cast<const std::byte*>(&fill), 0, table::ColumnType::float64}, 0, 1, &bin);
    return bin;
}

}  // namespace glasswood::boosting

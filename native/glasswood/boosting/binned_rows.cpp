#include "glasswood/boosting/binned_rows.hpp"

#include <algorithm>
#include <bit>

#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/float_binning.hpp"
#include "glasswood/table/encoder.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t tile = float_tile;  // rows: what a tile reads and writes stays in the second cache

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

std::size_t stride_of(std::size_t n_features) {
    constexpr std::size_t line = 64;
    if (n_features > line) return (n_features + line - 1) / line * line;
    return std::max<std::size_t>(std::bit_ceil(n_features), 8);
}

void bin_rows(const table::Rows& table, const table::Grid& edges, const LevelBins& levels, int n_threads,
              std::size_t stride, std::uint8_t* out, std::uint8_t* columns) {
    const std::size_t n_features = table.columns.size();
    const std::vector<std::int32_t> n_levels(n_features, 0);
    const std::vector<std::uint8_t> zero_is_missing(n_features, 0);
    const table::Encoder encoder(edges, n_levels, zero_is_missing);
    const FloatBins float_bins(table.columns, edges);
    const FloatBinKernels& kernels = float_bin_kernels(base::cpu_level());
    base::parallel_for(
        (table.n_rows + tile - 1) / tile, n_threads, base::work_of(table.n_rows * n_features, 3.0), [&](std::size_t t) {
            const std::size_t first = t * tile;
            const std::size_t n = std::min(tile, table.n_rows - first);
            std::uint8_t bins[tile];
            for (std::size_t f = 0; f < n_features; ++f) {
                const table::Column& column = table.columns[f];
                if (column.type == table::ColumnType::code) {
                    bin_levels(column, levels.bin.subspan(levels.start[f], levels.start[f + 1] - levels.start[f]),
                               first, n, bins);
                } else if (const FloatEdges* prepared = float_bins.of(f); prepared != nullptr && !column.is_sparse) {
                    kernels.bin(*prepared, column.data + static_cast<std::ptrdiff_t>(first) * column.stride,
                                column.stride, n, bins);
                } else if (encoder.encode(f, column, first, n, bins)) {
                    const auto missing = static_cast<std::uint8_t>(edges.of(f).size() + 1);
                    encoder.write_missing(f, column, first, n, missing, bins);
                }
                if (columns != nullptr) std::copy_n(bins, n, columns + f * table.n_rows + first);
                std::uint8_t* to = out + first * stride + f;
                for (std::size_t i = 0; i < n; ++i) to[i * stride] = bins[i];
            }
            for (std::size_t i = first; i < first + n; ++i) {
                std::fill(out + i * stride + n_features, out + (i + 1) * stride, std::uint8_t{0});
            }
        });
}

}  // namespace glasswood::boosting

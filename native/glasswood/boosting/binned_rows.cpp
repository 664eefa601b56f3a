#include "glasswood/boosting/binned_rows.hpp"

#include <algorithm>
#include <bit>

#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/table_binner.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t tile = float_tile;  // rows: what a tile reads and writes stays in the second cache

}  // namespace

std::size_t stride_of(std::size_t n_features) {
    constexpr std::size_t line = 64;
    if (n_features > line) return (n_features + line - 1) / line * line;
    return std::max<std::size_t>(std::bit_ceil(n_features), 8);
}

bool are_n_bins(std::span<const std::uint16_t> n_bins, std::span<const std::uint8_t> is_category,
                const table::Grid& edges, const LevelBins& levels) {
    constexpr std::size_t most = 255;
    for (std::size_t f = 0; f < n_bins.size(); ++f) {
        const auto own = levels.bin.subspan(levels.start[f], levels.start[f + 1] - levels.start[f]);
        const bool fits = is_category[f] != 0
                              ? std::ranges::all_of(own, [&](std::uint8_t bin) { return bin < n_bins[f]; })
                              : n_bins[f] == edges.of(f).size() + 1;
        if (!fits || n_bins[f] > most) return false;
    }
    return true;
}

void bin_rows(const table::Rows& table, const table::Grid& edges, const LevelBins& levels, int n_threads,
              std::size_t stride, std::uint8_t* out, std::size_t pitch, std::uint8_t* columns) {
    const std::size_t n_features = table.columns.size();
    const TableBinner binner(table, edges, levels);
    base::parallel_for((table.n_rows + tile - 1) / tile, n_threads, base::work_of(table.n_rows * n_features, 3.0),
                       [&](std::size_t t) {
                           const std::size_t first = t * tile;
                           const std::size_t n = std::min(tile, table.n_rows - first);
                           std::uint8_t bins[tile];
                           for (std::size_t f = 0; f < n_features; ++f) {
                               binner.bin(f, first, n, bins);
                               if (columns != nullptr) std::copy_n(bins, n, columns + f * pitch + first);
                               std::uint8_t* to = out + first * stride + f;
                               for (std::size_t i = 0; i < n; ++i) to[i * stride] = bins[i];
                           }
                           for (std::size_t i = first; i < first + n; ++i) {
                               std::fill(out + i * stride + n_features, out + (i + 1) * stride, std::uint8_t{0});
                           }
                       });
}

}  // namespace glasswood::boosting

#include "glasswood/attributions/row_lines.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace glasswood::attributions {
namespace {

constexpr std::size_t max_unrolled = 32;
constexpr std::size_t tile_bytes = 32768;  // results of a tile stay in the first cache while all groups add to it

template <std::size_t Width, class Index>
void add_unrolled(const double* lines, const Index* index, std::size_t n, const std::int32_t* offset,
                  std::size_t stride, double* out) {
    std::int32_t to[Width];
    for (std::size_t j = 0; j < Width; ++j) to[j] = offset[j];
    for (std::size_t r = 0; r < n; ++r, out += stride) {
        const double* line = lines + static_cast<std::size_t>(index[r]) * Width;
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            ((out[to[J]] += line[J]), ...);
        }(std::make_index_sequence<Width>{});
    }
}

template <class Index>
void add_any(const double* lines, const Index* index, std::size_t n, std::span<const std::int32_t> offset,
             std::size_t stride, double* out) {
    for (std::size_t r = 0; r < n; ++r, out += stride) {
        const double* line = lines + static_cast<std::size_t>(index[r]) * offset.size();
        for (std::size_t j = 0; j < offset.size(); ++j) out[offset[j]] += line[j];
    }
}

template <class Index>
using Adder = void (*)(const double*, const Index*, std::size_t, const std::int32_t*, std::size_t, double*);

// A width the compiler knows keeps the offsets in registers.
template <class Index>
constexpr std::array<Adder<Index>, max_unrolled + 1> adders = []<std::size_t... W>(std::index_sequence<W...>) {
    return std::array<Adder<Index>, max_unrolled + 1>{nullptr, &add_unrolled<W + 1, Index>...};
}(std::make_index_sequence<max_unrolled>{});

template <class Index>
void add_group(const double* lines, const Index* index, std::size_t n, std::span<const std::int32_t> offset,
               std::size_t stride, double* out) {
    if (offset.empty()) return;
    if (offset.size() <= max_unrolled) {
        adders<Index>[offset.size()](lines, index, n, offset.data(), stride, out);
    } else {
        add_any(lines, index, n, offset, stride, out);
    }
}

}  // namespace

void add_lines(std::span<const LinesOfRows> groups, std::size_t first, std::size_t last, std::size_t stride,
               double* out) {
    const std::size_t tile = std::clamp<std::size_t>(tile_bytes / (8 * std::max<std::size_t>(1, stride)), 16, 128);
    for (std::size_t at = first; at < last; at += tile) {
        const std::size_t n = std::min(tile, last - at);
        for (const LinesOfRows& group : groups)
            std::visit(
                [&](auto* index) { add_group(group.lines, index + at, n, group.offset, stride, out + at * stride); },
                group.index);
    }
}

}  // namespace glasswood::attributions

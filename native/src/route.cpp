#include "glasswood/route.hpp"

#include <algorithm>
#include <vector>

#include "glasswood/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 16384;
constexpr std::size_t ahead = 24;  // rows

// Writes rows to `left` or `right`; `left` may be `rows` itself, which is read ahead of where it is written. The bin of
// row r is column[r * step].
std::size_t divide(const std::uint8_t* column, std::size_t step, const Route& route, const std::uint32_t* rows,
                   std::size_t n, std::uint32_t* left, std::uint32_t* right) {
    std::size_t n_left = 0;
    std::size_t n_right = 0;
    for (std::size_t i = 0; i < n; ++i) {
        __builtin_prefetch(column + rows[std::min(i + ahead, n - 1)] * step);
        const std::uint32_t row = rows[i];
        const std::uint8_t goes_left = route[column[row * step]];
        left[n_left] = row;
        right[n_right] = row;
        n_left += goes_left;
        n_right += 1U - goes_left;
    }
    return n_left;
}

}  // namespace

BinSet to_set(const Route& route) {
    BinSet set{};
    for (std::size_t bin = 0; bin < route.size(); ++bin) {
        set[bin >> 6] |= static_cast<std::uint64_t>(route[bin]) << (bin & 63);
    }
    return set;
}

std::size_t partition(const BinnedRows& bins, std::size_t feature, const Route& route, std::span<std::uint32_t> rows,
                      Spare spare, int n_threads) {
    const std::size_t n = rows.size();
    const bool by_column = bins.columns != nullptr;
    const std::uint8_t* column = by_column ? bins.columns + feature * bins.n_rows : bins.data + feature;
    const std::size_t step = by_column ? 1 : bins.stride;
    if (n_threads <= 1 || n <= chunk_rows) {
        const std::size_t n_left = divide(column, step, route, rows.data(), n, rows.data(), spare.right.data());
        std::copy_n(spare.right.data(), n - n_left, rows.data() + n_left);
        return n_left;
    }
    const std::size_t n_chunks = (n + chunk_rows - 1) / chunk_rows;
    std::vector<std::size_t> lefts(n_chunks + 1, 0);  // rows that go left in chunks before
    const auto size = [&](std::size_t c) { return std::min(chunk_rows, n - c * chunk_rows); };
    parallel_for(n_chunks, n_threads, work_of(n, 2.0), [&](std::size_t c) {
        const std::size_t at = c * chunk_rows;
        lefts[c + 1] =
            divide(column, step, route, rows.data() + at, size(c), spare.left.data() + at, spare.right.data() + at);
    });
    for (std::size_t c = 0; c < n_chunks; ++c) lefts[c + 1] += lefts[c];
    parallel_for(n_chunks, n_threads, work_of(n, 0.5), [&](std::size_t c) {
        const std::size_t at = c * chunk_rows;
        const std::size_t n_left = lefts[c + 1] - lefts[c];
        std::copy_n(spare.left.data() + at, n_left, rows.data() + lefts[c]);
        std::copy_n(spare.right.data() + at, size(c) - n_left, rows.data() + lefts[n_chunks] + at - lefts[c]);
    });
    return lefts[n_chunks];
}

}  // namespace glasswood::boosting

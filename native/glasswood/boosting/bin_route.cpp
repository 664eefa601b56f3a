#include "glasswood/boosting/bin_route.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "glasswood/base/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t max_parts = 16;
constexpr std::size_t ahead = 24;                   // rows
constexpr std::size_t near = std::size_t{1} << 18;  // bytes: so small a column is in the second cache

// A column of bins or of levels: that of row r is data[r * step].
template <class Code>
struct Codes {
    const Code* data;
    std::size_t n_rows;
    std::size_t step;

    bool is_near() const { return n_rows * step * sizeof(Code) <= near; }
};

// Writes rows to `left` or `right`; `left` may be `rows` itself, which is read ahead of where it is written.
template <bool fetches, class Code, class Side>
std::size_t divide(const Codes<Code>& column, const Side& side, const std::uint32_t* rows, std::size_t n,
                   std::uint32_t* left, std::uint32_t* right) {
    std::size_t n_left = 0;
    std::size_t n_right = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (fetches) __builtin_prefetch(column.data + rows[std::min(i + ahead, n - 1)] * column.step);
        const std::uint32_t row = rows[i];
        const std::uint8_t goes_left = side(column.data[row * column.step]);
        left[n_left] = row;
        right[n_right] = row;
        n_left += goes_left;
        n_right += 1U - goes_left;
    }
    return n_left;
}

// Divides the rows, which ascend, in parts that lie in one stretch of the table each: the statistics of a stretch stay
// in the cache of one thread from node to node. `spare` is twice as long as rows.
template <class Code, class Side>
std::size_t send_parts(const Codes<Code>& column, const Side& side, std::span<std::uint32_t> rows,
                       std::span<std::uint32_t> spare, int n_threads) {
    const auto send = column.is_near() ? &divide<false, Code, Side> : &divide<true, Code, Side>;
    const std::size_t n_parts = std::min<std::size_t>(static_cast<std::size_t>(n_threads), max_parts);
    std::array<std::size_t, max_parts + 1> start{};
    for (std::size_t p = 0; p <= n_parts; ++p) start[p] = owned_start(rows, column.n_rows, p, n_parts);
    std::uint32_t *left = spare.data(), *right = spare.data() + rows.size();
    std::array<std::size_t, max_parts + 1> n_left{};  // of all parts up to this one
    base::parallel_for(n_parts, n_threads, base::work_of(rows.size(), 1.5), [&](std::size_t p) {
        n_left[p + 1] =
            send(column, side, rows.data() + start[p], start[p + 1] - start[p], left + start[p], right + start[p]);
    });
    for (std::size_t p = 0; p < n_parts; ++p) n_left[p + 1] += n_left[p];
    base::parallel_for(n_parts, n_threads, base::work_of(rows.size(), 0.5), [&](std::size_t p) {
        const std::size_t own = n_left[p + 1] - n_left[p], n = start[p + 1] - start[p];
        std::copy_n(left + start[p], own, rows.data() + n_left[p]);
        std::copy_n(right + start[p], n - own, rows.data() + n_left[n_parts] + start[p] - n_left[p]);
    });
    return n_left[n_parts];
}

template <class Code, class Side>
std::size_t send_rows(const Codes<Code>& column, const Side& side, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads) {
    if (n_threads > 1) return send_parts(column, side, rows, spare, n_threads);
    const auto send = column.is_near() ? &divide<false, Code, Side> : &divide<true, Code, Side>;
    const std::size_t n_left = send(column, side, rows.data(), rows.size(), rows.data(), spare.data());
    std::copy_n(spare.data(), rows.size() - n_left, rows.data() + n_left);
    return n_left;
}

}  // namespace

std::size_t partition(const BinnedRows& bins, std::size_t feature, const BinSet& left, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads) {
    const bool by_column = bins.columns != nullptr;
    const std::uint8_t* column = by_column ? bins.columns + feature * bins.n_rows : bins.data + feature;
    const Codes<std::uint8_t> codes{column, bins.n_rows, by_column ? 1 : bins.stride};
    const auto by_set = [&left](std::uint8_t bin) { return static_cast<std::uint8_t>(contains(left, bin) ? 1 : 0); };
    if (rows.size() < max_bins) return send_rows(codes, by_set, rows, spare, n_threads);
    std::array<std::uint8_t, max_bins> goes_left;  // a byte per bin is read faster than a bit
    for (std::size_t bin = 0; bin < max_bins; ++bin) goes_left[bin] = by_set(static_cast<std::uint8_t>(bin));
    return send_rows(codes, [&](std::uint8_t bin) { return goes_left[bin]; }, rows, spare, n_threads);
}

std::size_t partition(const WideColumns& columns, const WideSet& set, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads) {
    const auto side = [&set](std::uint16_t code) { return static_cast<std::uint8_t>(set.contains(code) ? 1 : 0); };
    return send_rows(Codes<std::uint16_t>{columns.column(set.column), columns.n_rows, 1}, side, rows, spare, n_threads);
}

}  // namespace glasswood::boosting

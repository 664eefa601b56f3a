#include "glasswood/boosting/bin_route.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "glasswood/base/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t part_rows = 8192;  // at least
constexpr std::size_t max_parts = 16;
constexpr std::size_t ahead = 24;                   // rows
constexpr std::size_t near = std::size_t{1} << 18;  // bytes: so small a column is in the second cache

// A column of bins or of levels: that of row r is data[r * step].
template <class Code>
struct Codes {
    const Code* data;
    std::size_t n_rows;
    std::size_t step;
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

// Each part is divided in its own place, by any thread; then one thread moves the parts together, which is a copy and
// far faster.
template <class Code, class Side>
std::size_t send_rows(const Codes<Code>& column, const Side& side, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads) {
    const std::size_t n = rows.size();
    const std::size_t n_parts = n_threads > 1 ? std::clamp<std::size_t>(n / part_rows, 1, max_parts) : 1;
    const auto start = [&](std::size_t p) { return p * n / n_parts; };
    std::array<std::size_t, max_parts> n_left{};
    base::parallel_for(n_parts, n_threads, base::work_of(n, 1.5), [&](std::size_t p) {
        std::uint32_t* own = rows.data() + start(p);
        const bool is_near = column.n_rows * column.step * sizeof(Code) <= near;
        const auto send = is_near ? &divide<false, Code, Side> : &divide<true, Code, Side>;
        n_left[p] = send(column, side, own, start(p + 1) - start(p), own, spare.data() + start(p));
    });
    std::size_t to = n_left[0];
    for (std::size_t p = 1; p < n_parts; ++p) {
        std::memmove(rows.data() + to, rows.data() + start(p), n_left[p] * sizeof(std::uint32_t));
        to += n_left[p];
    }
    const std::size_t all_left = to;
    for (std::size_t p = 0; p < n_parts; ++p) {
        const std::size_t n_right = start(p + 1) - start(p) - n_left[p];
        std::copy_n(spare.data() + start(p), n_right, rows.data() + to);
        to += n_right;
    }
    return all_left;
}

}  // namespace

BinSet to_set(const Route& route) {
    BinSet set{};
    for (std::size_t bin = 0; bin < route.size(); ++bin) {
        set[bin >> 6] |= static_cast<std::uint64_t>(route[bin]) << (bin & 63);
    }
    return set;
}

Route to_route(const BinSet& set) {
    Route route{};
    for (std::size_t bin = 0; bin < route.size(); ++bin) {
        route[bin] = contains(set, static_cast<std::uint8_t>(bin)) ? 1 : 0;
    }
    return route;
}

std::size_t partition(const BinnedRows& bins, std::size_t feature, const Route& route, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads) {
    const bool by_column = bins.columns != nullptr;
    const std::uint8_t* column = by_column ? bins.columns + feature * bins.n_rows : bins.data + feature;
    const auto side = [&route](std::uint8_t bin) { return route[bin]; };
    return send_rows(Codes{column, bins.n_rows, by_column ? 1 : bins.stride}, side, rows, spare, n_threads);
}

std::size_t partition(const WideColumns& columns, const WideSet& set, std::span<std::uint32_t> rows,
                      std::span<std::uint32_t> spare, int n_threads) {
    const auto side = [&set](std::uint16_t code) { return static_cast<std::uint8_t>(set.contains(code) ? 1 : 0); };
    return send_rows(Codes{columns.column(set.column), columns.n_rows, std::size_t{1}}, side, rows, spare, n_threads);
}

}  // namespace glasswood::boosting

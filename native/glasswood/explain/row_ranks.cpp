#include "glasswood/explain/row_ranks.hpp"

namespace glasswood::explain {

RowRanks rank_rows(const Axes& axes, const Codes& codes, std::size_t feature) {
    const std::size_t n_rows = codes.n_rows(), n_cells = axes.size[feature];
    std::vector<std::int64_t> cell(n_rows, 0);
    codes.add_to_index(feature, 0, n_rows, 1, cell.data());
    std::vector<std::int32_t> held(n_cells, 0);
    for (const std::int64_t c : cell) ++held[c];

    RowRanks out;
    out.below.reserve(n_cells + 1);
    out.start.push_back(0);
    for (const std::int32_t n : held) {
        out.below.push_back(out.n);
        if (n == 0) continue;
        ++out.n;
        out.start.push_back(out.start.back() + n);
    }
    out.below.push_back(out.n);
    out.rank.reserve(n_rows);
    for (const std::int64_t c : cell) out.rank.push_back(out.below[c]);
    out.rows.resize(n_rows);
    std::vector<std::int32_t> next(out.start.begin(), out.start.end() - 1);
    for (std::size_t r = 0; r < n_rows; ++r) out.rows[next[out.rank[r]]++] = static_cast<std::int32_t>(r);
    return out;
}

}  // namespace glasswood::explain

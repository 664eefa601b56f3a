#include "glasswood/forest/rank_table.hpp"

#include <algorithm>
#include <cmath>

#include "glasswood/base/parallel.hpp"
#include "glasswood/table/sorted_column.hpp"
#include "glasswood/table/sparse_column.hpp"

namespace glasswood::forest {
namespace {

// What a column gives beside the ranks of its rows, or of its stored rows.
struct Ranked {
    bool has_missing = false;
    std::uint32_t fill = 0;
};

Ranked rank_codes(const table::Column& column, std::size_t n_rows, std::uint32_t* rank) {
    Ranked out;
    const auto rank_of = [&](std::int32_t code) {
        out.has_missing |= code < 0;
        return code < 0 ? missing_rank : static_cast<std::uint32_t>(code);
    };
    const table::Column values = column.is_sparse ? table::stored_values(column, 0) : column;
    const std::size_t n_values = column.is_sparse ? column.stored.size() : n_rows;
    for (std::size_t i = 0; i < n_values; ++i) rank[i] = rank_of(table::value_at<std::int32_t>(values, i));
    if (n_values < n_rows) out.fill = rank_of(static_cast<std::int32_t>(column.fill));
    return out;
}

// The value of all rows that are not stored takes its place among the stored ones.
Ranked rank_numbers(const table::Column& column, std::size_t n_rows, std::uint32_t* rank) {
    const table::Column values = column.is_sparse ? table::stored_values(column, 0) : column;
    const std::size_t n_values = column.is_sparse ? column.stored.size() : n_rows;
    const table::SortedColumn sorted = table::sort_column(values, n_values);
    Ranked out{!sorted.missing.empty(), missing_rank};
    const bool has_fill = n_values < n_rows && !std::isnan(column.fill);
    if (n_values < n_rows && !has_fill) out.has_missing = true;
    bool waits = has_fill;  // for its place
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
        const bool is_new = i == 0 || sorted.values[i] != sorted.values[i - 1];
        if (is_new && waits && column.fill <= sorted.values[i]) {
            waits = false;
            out.fill = next;
            next += column.fill < sorted.values[i] ? 1 : 0;
        }
        next += is_new ? 1 : 0;
        rank[sorted.rows[i]] = next - 1;
    }
    if (waits) out.fill = next;
    for (const std::uint32_t row : sorted.missing) rank[row] = missing_rank;
    return out;
}

}  // namespace

std::uint32_t RankColumn::of(std::uint32_t row) const {
    if (!is_sparse) return rank[row];
    const auto at = std::ranges::lower_bound(stored, static_cast<std::int32_t>(row));
    return at != stored.end() && *at == static_cast<std::int32_t>(row) ? rank[at - stored.begin()] : fill;
}

void RankColumn::read(std::span<const std::uint32_t> rows, std::vector<std::uint32_t>& out) const {
    out.resize(rows.size());
    if (!is_sparse || rows.size() <= stored.size()) {
        std::ranges::transform(rows, out.begin(), [&](std::uint32_t row) { return of(row); });
        return;
    }
    std::ranges::fill(out, fill);
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const auto at = std::ranges::lower_bound(rows, static_cast<std::uint32_t>(stored[i]));
        if (at != rows.end() && *at == static_cast<std::uint32_t>(stored[i])) out[at - rows.begin()] = rank[i];
    }
}

Ranks make_ranks(const table::Rows& rows, int n_threads, const base::Interrupt& interrupt) {
    const std::size_t n_features = rows.columns.size();
    Ranks out{{}, {0}, std::vector<std::uint32_t>(n_features), std::vector<std::uint8_t>(n_features), rows.columns};
    for (const table::Column& column : rows.columns) {
        out.start.push_back(out.start.back() + (column.is_sparse ? column.stored.size() : rows.n_rows));
    }
    out.rank.resize(out.start.back());
    base::parallel_for(n_features, n_threads, base::work_of(out.rank.size(), 40.0), [&](std::size_t f) {
        interrupt.check();
        const table::Column& column = rows.columns[f];
        const auto make = column.type == table::ColumnType::code ? rank_codes : rank_numbers;
        const Ranked ranked = make(column, rows.n_rows, out.rank.data() + out.start[f]);
        out.has_missing[f] = ranked.has_missing ? 1 : 0;
        out.fill[f] = ranked.fill;
    });
    return out;
}

}  // namespace glasswood::forest

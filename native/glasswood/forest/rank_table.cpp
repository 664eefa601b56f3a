#include "glasswood/forest/rank_table.hpp"

#include "glasswood/base/parallel.hpp"
#include "glasswood/table/sorted_column.hpp"

namespace glasswood::forest {
namespace {

bool rank_codes(const table::Column& column, std::size_t n_rows, std::uint32_t* rank) {
    bool has_missing = false;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const auto code = table::value_at<std::int32_t>(column, row);
        has_missing |= code < 0;
        rank[row] = code < 0 ? missing_rank : static_cast<std::uint32_t>(code);
    }
    return has_missing;
}

bool rank_numbers(const table::Column& column, std::size_t n_rows, std::uint32_t* rank) {
    const table::SortedColumn sorted = table::sort_column(column, n_rows);
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
        if (i > 0 && sorted.values[i] != sorted.values[i - 1]) ++place;
        rank[sorted.rows[i]] = place;
    }
    for (const std::uint32_t row : sorted.missing) rank[row] = missing_rank;
    return !sorted.missing.empty();
}

}  // namespace

Ranks make_ranks(const table::Rows& rows, int n_threads, const base::Interrupt& interrupt) {
    const std::size_t n_features = rows.columns.size();
    Ranks out{rows.n_rows, std::vector<std::uint32_t>(n_features * rows.n_rows), std::vector<std::uint8_t>(n_features)};
    base::parallel_for(n_features, n_threads, base::work_of(n_features * rows.n_rows, 40.0), [&](std::size_t f) {
        interrupt.check();
        const table::Column& column = rows.columns[f];
        const auto make = column.type == table::ColumnType::code ? rank_codes : rank_numbers;
        out.has_missing[f] = make(column, rows.n_rows, out.rank.data() + f * rows.n_rows) ? 1 : 0;
    });
    return out;
}

}  // namespace glasswood::forest

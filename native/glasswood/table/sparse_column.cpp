#include "glasswood/table/sparse_column.hpp"

#include <algorithm>
#include <functional>

namespace glasswood::table {

bool are_stored_rows(std::span<const std::int32_t> rows, std::size_t n_rows) {
    if (rows.empty()) return true;
    const bool ascend = std::ranges::adjacent_find(rows, std::greater_equal<>()) == rows.end();
    return ascend && rows.front() >= 0 && static_cast<std::size_t>(rows.back()) < n_rows;
}

bool are_starts(std::span<const std::int64_t> starts, std::size_t n_stored) {
    return !starts.empty() && starts.front() == 0 && std::ranges::is_sorted(starts) &&
           static_cast<std::size_t>(starts.back()) == n_stored;
}

Column stored_values(const Column& column, std::size_t first) {
    return {column.data + static_cast<std::ptrdiff_t>(first) * column.stride, column.stride, column.type};
}

}  // namespace glasswood::table

// Types: the words every kernel shares. A table arrives as borrowed columns; nothing is copied or converted
// on the way in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace glasswood::table {

enum class ColumnType : std::uint8_t {
    float64,  // NaN is missing
    float32,  // NaN is missing
    code,     // int32 category code: -1 is missing, a code at or above the feature's number of levels is unseen
};

// What a feature's column must be: a model that never splits a feature takes it either way.
enum class FeatureKind : std::uint8_t { number, category, unused };

// One feature of the caller's table, at any stride: a column of a row-major matrix and a plain array look the
// same. A sparse column stores the values of some rows only, one after the other; all others hold `fill`.
struct Column {
    const std::byte* data;
    std::ptrdiff_t stride;  // bytes from one row, or stored value, to the next
    ColumnType type;
    bool is_sparse = false;
    std::span<const std::int32_t> stored = {};  // of a sparse column: its stored rows, ascending
    double fill = 0.0;                          // of a sparse column; a whole number where it holds codes
};

// Place of the first stored value at or after a row.
inline std::size_t stored_from(const Column& column, std::size_t row) {
    const auto before = [](std::int32_t stored, std::size_t wanted) {
        return static_cast<std::size_t>(stored) < wanted;
    };
    return static_cast<std::size_t>(std::lower_bound(column.stored.begin(), column.stored.end(), row, before) -
                                    column.stored.begin());
}

// Value of one row; copied, because a caller's column need not be aligned.
template <class T>
T value_at(const Column& column, std::size_t row) {
    if (column.is_sparse) {
        const std::size_t place = stored_from(column, row);
        const bool is_stored = place < column.stored.size() && static_cast<std::size_t>(column.stored[place]) == row;
        if (!is_stored) return static_cast<T>(column.fill);
        row = place;
    }
    T value;
    std::memcpy(&value, column.data + static_cast<std::ptrdiff_t>(row) * column.stride, sizeof value);
    return value;
}

struct Rows {
    std::span<const Column> columns;  // one per feature of the ensemble, in its order
    std::size_t n_rows;
};

}  // namespace glasswood::table

// Types: the words every kernel shares. A table arrives as borrowed columns; nothing is copied or converted
// on the way in.
#pragma once

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
// same.
struct Column {
    const std::byte* data;
    std::ptrdiff_t stride;  // bytes from one row to the next
    ColumnType type;
};

// Value of one row; copied, because a caller's column need not be aligned.
template <class T>
T value_at(const Column& column, std::size_t row) {
    T value;
    std::memcpy(&value, column.data + static_cast<std::ptrdiff_t>(row) * column.stride, sizeof value);
    return value;
}

struct Rows {
    std::span<const Column> columns;  // one per feature of the ensemble, in its order
    std::size_t n_rows;
};

}  // namespace glasswood::table

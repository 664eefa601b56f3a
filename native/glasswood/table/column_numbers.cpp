#include "glasswood/table/column_numbers.hpp"

#include <algorithm>
#include <cstring>

namespace glasswood::table {
namespace {

template <class T>
T read(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);  // a caller's column need not be aligned
    return value;
}

template <class T>
void load_plain(const Column& column, std::size_t first, std::size_t n, double* x) {
    const std::byte* data = column.data + static_cast<std::ptrdiff_t>(first) * column.stride;
    if (column.stride == sizeof(T)) {  // a stride known to the compiler lets it vectorise
        for (std::size_t i = 0; i < n; ++i) x[i] = read<T>(data + i * sizeof(T));
    } else {
        for (std::size_t i = 0; i < n; ++i) x[i] = read<T>(data + static_cast<std::ptrdiff_t>(i) * column.stride);
    }
}

template <class T>
void load_sparse(const Column& column, std::size_t first, std::size_t n, double* x) {
    std::fill_n(x, n, column.fill);
    for (std::size_t i = stored_from(column, first); i < column.stored.size(); ++i) {
        const std::size_t row = static_cast<std::size_t>(column.stored[i]) - first;
        if (row >= n) break;
        x[row] = read<T>(column.data + static_cast<std::ptrdiff_t>(i) * column.stride);
    }
}

template <class T>
void load_as(const Column& column, std::size_t first, std::size_t n, double* x) {
    if (column.is_sparse) {
        load_sparse<T>(column, first, n, x);
    } else {
        load_plain<T>(column, first, n, x);
    }
}

}  // namespace

void load_numbers(const Column& column, std::size_t first, std::size_t n, double* x) {
    if (column.type == ColumnType::float64) {
        load_as<double>(column, first, n, x);
    } else if (column.type == ColumnType::float32) {
        load_as<float>(column, first, n, x);
    } else {
        load_as<std::int32_t>(column, first, n, x);
    }
}

}  // namespace glasswood::table

#include "glasswood/table/sorted_column.hpp"

#include <cmath>

#include "glasswood/base/radix_sort.hpp"
#include "glasswood/table/column_numbers.hpp"

namespace glasswood::table {
namespace {

struct Item {
    std::uint64_t key;
    std::uint32_t row;
};

std::uint64_t key_of(const Item& item) { return item.key; }

}  // namespace

double number_at(const Column& column, std::size_t row) {
    return column.type == ColumnType::float32 ? value_at<float>(column, row) : value_at<double>(column, row);
}

SortedColumn sort_column(const Column& column, std::size_t n_rows) {
    SortedColumn sorted;
    std::vector<Item> items;
    items.reserve(n_rows);
    const auto add = [&](std::size_t row, double x) {
        if (std::isnan(x)) {
            sorted.missing.push_back(static_cast<std::uint32_t>(row));
        } else {
            items.push_back({base::to_key(x), static_cast<std::uint32_t>(row)});
        }
    };
    if (column.is_sparse) {
        std::vector<double> numbers(n_rows);
        load_numbers(column, 0, n_rows, numbers.data());
        for (std::size_t row = 0; row < n_rows; ++row) add(row, numbers[row]);
    } else {
        for (std::size_t row = 0; row < n_rows; ++row) add(row, number_at(column, row));
    }
    std::vector<Item> spare;
    base::sort_by_key(items, spare);
    sorted.rows.reserve(items.size());
    sorted.values.reserve(items.size());
    for (const Item& item : items) {
        sorted.rows.push_back(item.row);
        sorted.values.push_back(base::from_key(item.key));
    }
    return sorted;
}

}  // namespace glasswood::table

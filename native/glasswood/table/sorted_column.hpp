// SortedColumn: the rows of a numeric column in the order of their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glasswood/table/rows.hpp"

namespace glasswood::table {

// Value of one row of a numeric column.
double number_at(const Column& column, std::size_t row);

struct SortedColumn {
    std::vector<std::uint32_t> rows;  // rows with a number, ascending by value, equal values by row
    std::vector<double> values;       // their values; -0 is given as 0
    std::vector<std::uint32_t> missing;
};

// Sorts a numeric column; infinities are numbers, NaN is missing.
SortedColumn sort_column(const Column& column, std::size_t n_rows);

}  // namespace glasswood::table

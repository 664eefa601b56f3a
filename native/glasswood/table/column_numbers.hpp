// Numbers of a column: a stretch of its rows as doubles, whatever the column's type and however it is stored.
#pragma once

#include <cstddef>

#include "glasswood/table/rows.hpp"

namespace glasswood::table {

// Rows [first, first + n); codes become numbers too.
void load_numbers(const Column& column, std::size_t first, std::size_t n, double* x);

}  // namespace glasswood::table

// Order: sorting by radix, which for the integer keys of tree growing is several times faster than by comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/types.hpp"

namespace glasswood {

// Value of one row of a numeric column.
double number_at(const Column& column, std::size_t row);

struct SortedColumn {
    std::vector<std::uint32_t> rows;  // rows with a number, ascending by value, equal values by row
    std::vector<double> values;       // their values; -0 is given as 0
    std::vector<std::uint32_t> missing;
};

// Sorts a numeric column; infinities are numbers, NaN is missing.
SortedColumn sort_column(const Column& column, std::size_t n_rows);

// Sorts keys by their upper 32 bits, which lie in [low, high]; equal ones keep their order. Either buffer may end up
// holding the result, which is returned; both have the same size.
std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, std::uint32_t low,
                                   std::uint32_t high);

}  // namespace glasswood

// Sparse columns: whether what a caller hands over is one, and its stored values alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "glasswood/table/rows.hpp"

namespace glasswood::table {

// Whether rows can be those of the stored values of a column: ascending, each once, from 0 to below n_rows.
bool are_stored_rows(std::span<const std::int32_t> rows, std::size_t n_rows);

// Whether the columns of a matrix can start there: from 0 to n_stored, never going back.
bool are_starts(std::span<const std::int64_t> starts, std::size_t n_stored);

// The stored values of a sparse column from place `first` on, as a plain column.
Column stored_values(const Column& column, std::size_t first);

}  // namespace glasswood::table

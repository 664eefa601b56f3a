// Row lines: adds to every row the line of the row's pattern at each group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace glasswood::attributions {

struct LinesOfRows {
    const double* lines;
    std::variant<const std::uint8_t*, const std::uint16_t*> index;  // line of each row
    std::span<const std::int32_t> offset;                           // in a row, of each number of a line
};

// Adds to rows [first, last) of out, whose rows are `stride` numbers long, group after group.
void add_lines(std::span<const LinesOfRows> groups, std::size_t first, std::size_t last, std::size_t stride,
               double* out);

}  // namespace glasswood::attributions

// Partition: the rows of a node, divided between its children.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glasswood::forest {

// Moves rows for which goes_left(row) is 1 and not 0 to the front, keeping the order on both sides. Returns their
// number. Both writes happen for every row and the answer is a number: a branch would be mispredicted half of the time.
template <class GoesLeft>
std::size_t partition_rows(std::span<std::uint32_t> rows, std::span<std::uint32_t> scratch, GoesLeft goes_left) {
    std::size_t n_left = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t row = rows[i];
        const std::size_t left = goes_left(row);
        rows[n_left] = row;
        scratch[i - n_left] = row;
        n_left += left;
    }
    std::copy_n(scratch.begin(), rows.size() - n_left, rows.begin() + static_cast<std::ptrdiff_t>(n_left));
    return n_left;
}

}  // namespace glasswood::forest

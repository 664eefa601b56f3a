// Partition: the rows of a node, divided between its children.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glasswood {

// Moves rows for which goes_left(row) holds to the front, keeping the order on both sides. Returns their number.
// Both writes happen for every row: a branch would be mispredicted half of the time.
template <class GoesLeft>
std::size_t partition_rows(std::span<std::uint32_t> rows, std::span<std::uint32_t> scratch, GoesLeft goes_left) {
    std::size_t n_left = 0, n_right = 0;
    for (const std::uint32_t row : rows) {
        const bool left = goes_left(row);
        rows[n_left] = row;
        scratch[n_right] = row;
        n_left += left ? 1 : 0;
        n_right += left ? 0 : 1;
    }
    std::copy_n(scratch.begin(), n_right, rows.begin() + static_cast<std::ptrdiff_t>(n_left));
    return n_left;
}

inline bool has_member(std::span<const std::uint64_t> members, std::uint32_t code) {
    return ((members[code >> 6] >> (code & 63)) & 1U) != 0;
}

}  // namespace glasswood

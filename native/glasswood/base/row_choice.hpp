// Row choice: draws of rows without replacement, by the keys of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::base {

// Draws n of `rows`: those with the n smallest keys of the stream, so the draw does not depend on the order of the
// rows. A row's key is that of number[row], or of its position where `number` is empty. Both lists keep the order of
// `rows`.
void choose_rows(std::span<const std::uint32_t> rows, std::span<const std::int64_t> number, std::size_t n,
                 std::uint64_t seed, std::uint64_t stream, std::vector<std::uint32_t>& drawn,
                 std::vector<std::uint32_t>& left_out);

// The key of each of `rows`, that of number[row]; the n rows with the smallest keys are drawn.
std::vector<std::uint64_t> row_keys(std::span<const std::uint32_t> rows, std::span<const std::int64_t> number,
                                    std::uint64_t seed, std::uint64_t stream);

bool all_below(std::span<const std::uint32_t> rows, std::size_t end);

}  // namespace glasswood::base

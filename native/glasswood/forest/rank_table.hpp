// Ranks: every value of a training table replaced by its place among the distinct values of its feature. Trees are
// grown on these integers alone; the numbers themselves are only asked for when a threshold is written down.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::forest {

inline constexpr std::uint32_t missing_rank = std::numeric_limits<std::uint32_t>::max();

struct Ranks {
    std::size_t n_rows = 0;
    std::vector<std::uint32_t> rank;        // (n_features, n_rows) a category's rank is its code
    std::vector<std::uint8_t> has_missing;  // (n_features)

    const std::uint32_t* of(std::size_t feature) const { return rank.data() + feature * n_rows; }
};

Ranks make_ranks(const table::Rows& rows, int n_threads, const base::Interrupt& interrupt);

}  // namespace glasswood::forest

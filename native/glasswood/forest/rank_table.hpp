// Ranks: every value of a training table replaced by its rank among the distinct values of its feature. Trees are
// grown on these integers alone; the numbers themselves are only read to write a threshold.
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

// Ranks of one feature. A sparse one has those of its stored rows; all others have the rank `fill`.
struct RankColumn {
    const std::uint32_t* rank;
    bool is_sparse;
    std::span<const std::int32_t> stored;
    std::uint32_t fill;

    std::uint32_t of(std::uint32_t row) const;
    // Ranks of several rows, which ascend.
    void read(std::span<const std::uint32_t> rows, std::vector<std::uint32_t>& out) const;
};

// Borrows the stored rows of sparse columns.
struct Ranks {
    std::vector<std::uint32_t> rank;        // feature after feature; a category's rank is its code
    std::vector<std::size_t> start;         // (n_features + 1) where the ranks of a feature are
    std::vector<std::uint32_t> fill;        // (n_features)
    std::vector<std::uint8_t> has_missing;  // (n_features)
    std::span<const table::Column> columns;

    RankColumn of(std::size_t feature) const {
        const table::Column& column = columns[feature];
        return {rank.data() + start[feature], column.is_sparse, column.stored, fill[feature]};
    }
};

Ranks make_ranks(const table::Rows& rows, int n_threads, const base::Interrupt& interrupt);

}  // namespace glasswood::forest

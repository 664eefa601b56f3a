// LevelRecord: a level of a wide category in one node, as machines send it to each other: plain data of one layout.
//
// A list of levels begins with a record of missing values, in which `level` is the number of levels that follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "glasswood/boosting/split_candidates.hpp"

namespace glasswood::boosting {

struct LevelRecord {
    std::uint32_t level;
    std::uint32_t n_rows;  // a machine holds fewer than 2**32
    std::int64_t sums[4];  // grad, square, hess, weight
};

static_assert(std::is_trivially_copyable_v<LevelRecord> && std::is_standard_layout_v<LevelRecord>);
static_assert(sizeof(LevelRecord) == 40 && offsetof(LevelRecord, sums) == 8);

inline Sums sums_of(const LevelRecord& record) {
    return {record.sums[0], record.sums[1], record.sums[2], record.sums[3]};
}

using SentLevels = std::span<const LevelRecord>;

void append_records(const LevelList& list, std::vector<LevelRecord>& out);

// The list of a category with so many levels that the records begin with; they move on to what follows it. Empty: they
// begin with none.
SentLevels take_list(SentLevels& records, std::size_t n_levels);

}  // namespace glasswood::boosting

// SplitRecord: a split as machines send it to each other: plain data of one layout, whichever compiler made it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "glasswood/boosting/split_candidates.hpp"

namespace glasswood::boosting {

inline constexpr std::uint8_t split_record_version = 1;  // counts up whenever the layout changes its meaning

struct SplitRecord {
    std::uint8_t version;
    std::uint8_t missing_left;
    std::uint8_t unseen_left;
    std::uint8_t unused;  // 0
    std::uint32_t node;   // by the order in which the tree opened them
    std::uint32_t feature;
    std::int32_t bin;  // numbers: bins up to this one go left
    double gain;
    std::int64_t left[4];       // sums of the left child: grad, square, hess, weight
    std::uint64_t left_set[4];  // bins that go left, as bits
};

static_assert(std::is_trivially_copyable_v<SplitRecord> && std::is_standard_layout_v<SplitRecord>);
static_assert(sizeof(SplitRecord) == 88 && alignof(SplitRecord) == 8);
static_assert(offsetof(SplitRecord, node) == 4 && offsetof(SplitRecord, gain) == 16);
static_assert(offsetof(SplitRecord, left) == 24 && offsetof(SplitRecord, left_set) == 56);

SplitRecord record_of(const Split& split, std::size_t node);
Split split_of(const SplitRecord& record);

}  // namespace glasswood::boosting

// SplitRecord: a split as machines send it to each other: plain data of one layout, whichever compiler made it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

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

// A record with the codes that go left, as bits, if it splits a wide category; in bytes they follow the record.
struct SentSplit : SplitRecord {
    std::vector<std::uint64_t> wide{};
};

SentSplit record_of(const Split& split, std::size_t node);

// `column`: that of the feature, if it is a wide category.
Split split_of(const SentSplit& record, std::uint32_t column);

std::vector<std::byte> to_bytes(std::span<const SentSplit> records);

// Appends the records in these bytes; whether the bytes end with one. `n_wide`: as in BinnedFeatures.
bool read_records(std::span<const std::byte> bytes, std::span<const std::uint16_t> n_wide, std::vector<SentSplit>& out);

}  // namespace glasswood::boosting

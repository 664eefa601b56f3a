#include "glasswood/attributions/distinct_masks.hpp"

#include <algorithm>

namespace glasswood::attributions {
namespace {

std::size_t hash(Mask mask) { return static_cast<std::size_t>((mask * 0x9E3779B97F4A7C15ULL) >> 32); }

}  // namespace

void DistinctMasks::prepare(int n_bits) {
    if (direct_) {
        for (const Mask mask : masks_) slots_[mask] = none;
    }
    direct_ = n_bits <= max_direct;
    masks_.clear();
    if (direct_) {
        const std::size_t n = std::size_t{1} << n_bits;
        if (slots_.size() < n) slots_.resize(n, none);
    } else {
        table_.assign(1024, none);
    }
}

std::uint32_t DistinctMasks::number_hashed(Mask mask) {
    std::size_t at = hash(mask) & (table_.size() - 1);
    for (; table_[at] != none; at = (at + 1) & (table_.size() - 1)) {
        if (masks_[table_[at]] == mask) return table_[at];
    }
    table_[at] = static_cast<std::uint32_t>(masks_.size());
    masks_.push_back(mask);
    if (2 * masks_.size() > table_.size()) grow();
    return static_cast<std::uint32_t>(masks_.size() - 1);
}

void DistinctMasks::grow() {
    table_.assign(2 * table_.size(), none);
    for (std::size_t i = 0; i < masks_.size(); ++i) {
        std::size_t at = hash(masks_[i]) & (table_.size() - 1);
        while (table_[at] != none) at = (at + 1) & (table_.size() - 1);
        table_[at] = static_cast<std::uint32_t>(i);
    }
}

}  // namespace glasswood::attributions

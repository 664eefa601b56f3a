#include "glasswood/base/radix_sort.hpp"

#include <algorithm>

namespace glasswood::base {
namespace {

// Turns counts into first positions.
void accumulate(std::span<std::uint32_t> counts) {
    std::uint32_t before = 0;
    for (std::uint32_t& count : counts) before += std::exchange(count, before);
}

void insertion_sort(std::span<std::uint64_t> keys) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        const std::uint64_t key = keys[i];
        std::size_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

}  // namespace

std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, std::uint32_t low,
                                   std::uint32_t high) {
    constexpr std::size_t max_insertion = 24;
    if (keys.size() <= max_insertion) {
        insertion_sort(keys);
        return keys;
    }
    // As many bits a pass as there are keys to fill the counters with.
    const int bits = std::bit_width(high - low);
    const int widest = std::clamp(static_cast<int>(std::bit_width(keys.size())), 5, 11);
    const int passes = (bits + widest - 1) / widest;
    if (passes == 0) return keys;
    const int width = (bits + passes - 1) / passes;
    std::array<std::uint32_t, std::size_t{1} << 11> counts;
    const std::span used(counts.data(), std::size_t{1} << width);
    const std::uint32_t mask = (1U << width) - 1;
    for (int pass = 0; pass < passes; ++pass) {
        const int shift = pass * width;
        const auto digit = [=](std::uint64_t key) {
            return ((static_cast<std::uint32_t>(key >> 32) - low) >> shift) & mask;
        };
        std::ranges::fill(used, 0);
        for (const std::uint64_t key : keys) ++used[digit(key)];
        accumulate(used);
        for (const std::uint64_t key : keys) scratch[used[digit(key)]++] = key;
        std::swap(keys, scratch);
    }
    return keys;
}

}  // namespace glasswood::base

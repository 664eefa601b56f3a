// Bitset: sets of small numbers as bits, 64 to a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace glasswood::base {

constexpr std::size_t words_for(std::size_t n_bits) { return (n_bits + 63) / 64; }

inline bool has_bit(std::span<const std::uint64_t> words, std::size_t bit) {
    return ((words[bit >> 6] >> (bit & 63)) & 1U) != 0;
}

inline void set_bit(std::span<std::uint64_t> words, std::size_t bit, bool value = true) {
    const std::uint64_t mask = std::uint64_t{1} << (bit & 63);
    words[bit >> 6] = value ? words[bit >> 6] | mask : words[bit >> 6] & ~mask;
}

// Sets the first n bits; the others of the last word become 0. `words` holds exactly words_for(n).
inline void set_first_bits(std::span<std::uint64_t> words, std::size_t n) {
    for (std::uint64_t& word : words) word = ~std::uint64_t{0};
    if (n % 64 != 0) words.back() = (std::uint64_t{1} << (n % 64)) - 1;
}

}  // namespace glasswood::base

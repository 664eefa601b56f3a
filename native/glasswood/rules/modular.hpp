// Modular: arithmetic modulo the prime 2⁶¹ − 1, in which ranks are decided without rounding.
#pragma once

#include <cstdint>

namespace glasswood::rules {

struct Modular {
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

    static std::uint64_t times(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(a) * b;
        // 2⁶¹ is 1: the high bits are added to the low ones
        const std::uint64_t sum =
            (static_cast<std::uint64_t>(product) & prime) + static_cast<std::uint64_t>(product >> 61);
        return sum >= prime ? sum - prime : sum;
    }

    static std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + prime - b; }

    // a^(p − 2), by Fermat
    static std::uint64_t inverse(std::uint64_t a) {
        std::uint64_t result = 1;
        for (std::uint64_t exponent = prime - 2; exponent > 0; exponent >>= 1) {
            if (exponent & 1) result = times(result, a);
            a = times(a, a);
        }
        return result;
    }
};

}  // namespace glasswood::rules

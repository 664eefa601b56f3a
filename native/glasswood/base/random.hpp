// Random: streams of random numbers that depend on a seed and a stream number only, so that tree t draws the same
// numbers whichever thread grows it. SplitMix64 (Steele, Lea, Flood 2014): number i of a stream is a hash of key + i.
#pragma once

#include <cstdint>

namespace glasswood::base {

// One random number per row, which depends on seed, stream and the row's number alone: on no other row, and not on
// where the row lies. Different rows of a stream have different numbers.
class RowKeys {
 public:
    RowKeys(std::uint64_t seed, std::uint64_t stream) : key_(mix(seed + golden * (2 * mix(stream + golden) + 1))) {}

    std::uint64_t of(std::uint64_t row) const { return mix(key_ + golden * row); }

 private:
    friend class Random;
    static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    std::uint64_t key_;
};

class Random {
 public:
    Random(std::uint64_t seed, std::uint64_t stream) : state_(RowKeys(seed, stream).key_) {}

    std::uint64_t next() { return RowKeys::mix(state_ += RowKeys::golden); }

    // Uniform on [0, n) without bias (Lemire 2019); n is at least 1.
    std::uint32_t below(std::uint32_t n) {
        std::uint64_t product = (next() >> 32) * n;
        if (static_cast<std::uint32_t>(product) < n) {
            const std::uint32_t least = (0U - n) % n;
            while (static_cast<std::uint32_t>(product) < least) product = (next() >> 32) * n;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // Uniform on [0, 1), a multiple of 2⁻⁵³.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
    std::uint64_t state_;
};

}  // namespace glasswood::base

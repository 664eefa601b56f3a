// Random: streams of random numbers that depend on a seed and a stream number only, so that tree t draws the same
// numbers whichever thread grows it. SplitMix64 (Steele, Lea, Flood 2014): number i of a stream is a hash of key + i.
// No standard header is needed, so that a GPU compiler can read this text as it is.
#pragma once

#include "glasswood/base/integers.hpp"
#include "glasswood/base/macros.hpp"

namespace glasswood::base {

// One random number per row, which depends on seed, stream and the row's number alone: on no other row, and not on
// where the row lies. Different rows of a stream have different numbers.
class RowKeys {
 public:
    GLASSWOOD_INLINE RowKeys(UInt64 seed, UInt64 stream) : key_(mix(seed + golden * (2 * mix(stream + golden) + 1))) {}

    GLASSWOOD_INLINE UInt64 of(UInt64 row) const { return mix(key_ + golden * row); }

 private:
    friend class Random;
    static constexpr UInt64 golden = 0x9E3779B97F4A7C15ULL;

    GLASSWOOD_INLINE static UInt64 mix(UInt64 z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    UInt64 key_;
};

class Random {
 public:
    GLASSWOOD_INLINE Random(UInt64 seed, UInt64 stream) : state_(RowKeys(seed, stream).key_) {}

    GLASSWOOD_INLINE UInt64 next() { return RowKeys::mix(state_ += RowKeys::golden); }

    // Uniform on [0, n) without bias (Lemire 2019); n is at least 1.
    GLASSWOOD_INLINE UInt32 below(UInt32 n) {
        UInt64 product = (next() >> 32) * n;
        if (static_cast<UInt32>(product) < n) {
            const UInt32 least = (0U - n) % n;
            while (static_cast<UInt32>(product) < least) product = (next() >> 32) * n;
        }
        return static_cast<UInt32>(product >> 32);
    }

    // Uniform on [0, 1), a multiple of 2⁻⁵³.
    GLASSWOOD_INLINE double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
    UInt64 state_;
};

}  // namespace glasswood::base

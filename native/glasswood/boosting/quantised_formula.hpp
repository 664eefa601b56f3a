// Quantised: a row's statistics in whole units of at most 17 bits, and the units. No standard header is needed, so that
// a GPU compiler can read this text as it is.
#pragma once

#include "glasswood/base/elementary.hpp"
#include "glasswood/base/integers.hpp"
#include "glasswood/base/macros.hpp"
#include "glasswood/boosting/sums.hpp"

namespace glasswood::boosting {

constexpr int narrow_bits = 16;  // of the largest row: the sum of narrow_rows of them fits 31
constexpr int leaf_bits = 61;    // of the largest sum of a leaf; one is the sign, one is room for rounding

// 2ᵉ, -1022 <= e <= 1023
GLASSWOOD_INLINE double power_of_two(int exponent) {
    return base::elementary::from_bits(static_cast<base::elementary::Word>(exponent + 1023) << 52);
}

GLASSWOOD_INLINE int within_exponents(int exponent) {
    return exponent < -1021 ? -1021 : exponent > 1021 ? 1021 : exponent;
}

// The unit 2ᵉ in which numbers up to `largest`, which is finite, have at most `bits` bits; 0 for 0.
GLASSWOOD_INLINE int unit_exponent(double largest, int bits) {
    if (!(largest > 0.0)) return 0;
    const int above = static_cast<int>(base::elementary::bits_of(largest) >> 52 & 0x7FF) - 1022;  // largest < 2^above
    return within_exponents(above - bits);
}

// Of quantised statistics: the largest has 16 bits.
GLASSWOOD_INLINE int narrow_exponent(double largest) {
    const int exponent = unit_exponent(largest, narrow_bits);
    return exponent < -1000 ? -1000 : exponent;
}

GLASSWOOD_INLINE int bit_width(base::UInt64 n) {
    int bits = 0;
    for (; n > 0; n >>= 1) ++bits;
    return bits;
}

// Of 64-bit sums of the numbers themselves, at most 2¹⁶ narrow units each, over n_rows rows.
GLASSWOOD_INLINE int leaf_exponent(int narrow, base::UInt64 n_rows) {
    return within_exponents(narrow + narrow_bits + bit_width(n_rows) - leaf_bits);
}

// The nearest whole number, at least 1 where there is anything.
GLASSWOOD_INLINE base::Int32 at_least_one(double units) {
    const double nearest = base::elementary::nearest_whole(units);
    return units > 0.0 ? static_cast<base::Int32>(nearest < 1.0 ? 1.0 : nearest) : 0;
}

// Gradient and square go up or down by the row's random bits, so that their expectation is kept.
GLASSWOOD_INLINE Narrow narrow_of(double grad, double hess, double weight, const NodeSums& per, base::UInt64 bits) {
    const double up = static_cast<double>(bits >> 32) * 0x1.0p-32;
    const double other_up = static_cast<double>(bits & 0xFFFFFFFFU) * 0x1.0p-32;
    return {static_cast<base::Int32>(base::elementary::whole_below(grad * per.grad + up)),
            static_cast<base::Int32>(square_of(grad, hess) * per.square + other_up), at_least_one(hess * per.hess),
            at_least_one(weight * per.weight)};
}

}  // namespace glasswood::boosting

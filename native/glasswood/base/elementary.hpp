// Elementary functions as fixed sequences of IEEE additions, multiplications and divisions, none of them fused: the
// same bits with every compiler, on every CPU and on a GPU (--fmad=false). Within 1 ulp of the true value. No standard
// header is needed, so that a GPU compiler can read this text as it is.
#pragma once

#include "glasswood/base/macros.hpp"

namespace glasswood::base::elementary {

using Word = unsigned long long;

// What every processor rounds alike, by the names each compiler has for it; NVRTC has no __builtin functions.
#if defined(__CUDA_ARCH__)
GLASSWOOD_INLINE Word bits_of(double x) { return static_cast<Word>(__double_as_longlong(x)); }
GLASSWOOD_INLINE double from_bits(Word bits) { return __longlong_as_double(static_cast<long long>(bits)); }
GLASSWOOD_INLINE double absolute(double x) { return fabs(x); }
GLASSWOOD_INLINE double square_root(double x) { return __dsqrt_rn(x); }
GLASSWOOD_INLINE double whole_below(double x) { return floor(x); }
GLASSWOOD_INLINE double nearest_whole(double x) { return rint(x); }  // of two equally near the even one
#else
GLASSWOOD_INLINE Word bits_of(double x) { return __builtin_bit_cast(Word, x); }
GLASSWOOD_INLINE double from_bits(Word bits) { return __builtin_bit_cast(double, bits); }
GLASSWOOD_INLINE double absolute(double x) { return __builtin_fabs(x); }
GLASSWOOD_INLINE double square_root(double x) { return __builtin_sqrt(x); }
GLASSWOOD_INLINE double whole_below(double x) { return __builtin_floor(x); }
GLASSWOOD_INLINE double nearest_whole(double x) { return __builtin_nearbyint(x); }
#endif

constexpr double log2_e = 0x1.71547652b82fep+0;
// log 2 in two parts; the first ends in zeros, so that its product with an exponent is exact.
constexpr double ln2_high = 0x1.62e42fee00000p-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double to_whole = 0x1.8p52;  // added and subtracted: the nearest whole number
constexpr Word one_exponent = 0x3FF0000000000000ULL;
constexpr Word infinity_bits = 0x7FF0000000000000ULL;
constexpr Word nan_bits = 0x7FF8000000000000ULL;

// A sum of two numbers that carries what the first lost in rounding; |low| is far below |high|.
struct Pair {
    double high, low;
};

// a + b where |a| >= |b| or a is 0
GLASSWOOD_INLINE Pair exact_sum_of(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

// The first 26 bits of x: products of two such numbers are exact.
GLASSWOOD_INLINE double front_of(double x) { return from_bits(bits_of(x) & 0xFFFFFFFFF8000000ULL); }

// eˣ = near_one·2ᵏ
struct Scaled {
    double r, rest;        // near_one = 1 + (r + rest)
    double first, second;  // 2ᵏ as two factors: 2ᵏ itself need not be a normal number
};

// x = k·log 2 + r with |r| <= log(2)/2, and eʳ by its Taylor series
GLASSWOOD_INLINE Scaled exp_parts(double x) {
    x = x > 710.0 ? 710.0 : x;  // infinite from here on
    x = x < -746.0 ? -746.0 : x;
    const double shifted = x * log2_e + to_whole;
    const double k = shifted - to_whole;
    const double high = x - k * ln2_high;  // exact
    const double low = k * ln2_low;
    const double r = high - low;
    const double lost = (high - r) - low;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    // Biased exponents, because their sum is never negative.
    const Word twice = bits_of(shifted) - bits_of(to_whole) + 2046;
    const Word half = twice >> 1;
    return {r, p * (r * r) + lost, from_bits(half << 52), from_bits((twice - half) << 52)};
}

GLASSWOOD_INLINE double exp(double x) {
    const Scaled at = exp_parts(x);
    return (1.0 + (at.r + at.rest)) * at.first * at.second;
}

// x = 2ᵏ·(1 + f) with 1 + f in [√½, √2).
struct Parts {
    double f;
    double k;
};

GLASSWOOD_INLINE Parts parts_of(double x) {
    const bool tiny = x < 0x1p-1022;
    const Word bits = bits_of(tiny ? x * 0x1p54 : x);
    constexpr Word root_half = 0x3FE6A09E667F3BCDULL;
    const Word moved = bits - root_half + one_exponent;  // its exponent is that of x, counted from √½
    const double biased = from_bits((moved >> 52) | 0x4330000000000000ULL) - 0x1p52;
    const double m = from_bits((moved & 0x000FFFFFFFFFFFFFULL) + root_half);
    return {m - 1.0, biased - (tiny ? 1023.0 + 54.0 : 1023.0)};
}

// With s = f/(2 + f): log(1 + f) = 2 artanh(s), and 2s = f − f²/2 + s·f²/2, which leaves the largest term without an
// error. This is log(1 + f) − f + f²/2 for 1 + f in [√½, √2).
GLASSWOOD_INLINE double log_tail(double f, double half_square) {
    const double s = f / (2.0 + f);
    const double z = s * s;
    double p = 2.0 / 23.0;
    p = p * z + 2.0 / 21.0;
    p = p * z + 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    return s * (half_square + p * z);
}

// log(1 + f) − f, and what is added last
GLASSWOOD_INLINE double log_rest(double f, double added) {
    const double half_square = 0.5 * f * f;
    return (log_tail(f, half_square) + added) - half_square;
}

// log(1 + f) as a pair: f²/2 is split so that its square is exact.
GLASSWOOD_INLINE Pair log_pair(double f) {
    const double front = front_of(f);
    const double back = f - front;
    const double half_square = 0.5 * front * front;           // exact
    const double half_square_low = 0.5 * (front + f) * back;  // f² − front² = (f + front)·(f − front)
    const Pair largest = exact_sum_of(f, -half_square);
    return exact_sum_of(largest.high, largest.low + (log_tail(f, 0.5 * f * f) - half_square_low));
}

// What log gives for x; `value` where x is an ordinary positive number.
GLASSWOOD_INLINE double log_or_special(double x, double value) {
    value = x == from_bits(infinity_bits) ? x : value;
    value = x == 0.0 ? -from_bits(infinity_bits) : value;
    return x >= 0.0 ? value : from_bits(nan_bits);
}

GLASSWOOD_INLINE double log(double x) {
    const Parts at = parts_of(x);
    const double value = at.k * ln2_high + (at.f + log_rest(at.f, at.k * ln2_low));
    return log_or_special(x, value);
}

// log₂ x = k + log(1 + f)·log₂ e, with the factors in parts whose products are exact; a power of two gives a whole
// number.
GLASSWOOD_INLINE double log2(double x) {
    constexpr double log2_e_front = 0x1.7154760000000p+0, log2_e_back = 0x1.4ae0bf85ddf44p-26;
    const Parts at = parts_of(x);
    const Pair natural = log_pair(at.f);
    const double front = front_of(natural.high);
    const double back = (natural.high - front) + natural.low;
    const Pair whole = exact_sum_of(at.k, front * log2_e_front);
    const double value = whole.high + (whole.low + (back * log2_e_front + (front + back) * log2_e_back));
    return log_or_special(x, value);
}

// log(1 + x) = log(u) + (x − (u − 1))/u, where u is 1 + x, rounded
GLASSWOOD_INLINE double log1p(double x) {
    const double u = 1.0 + x;
    const Parts at = parts_of(u);
    const double lost = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
    const double ratio = lost / u;
    const double correction = u < 0x1p60 ? ratio : 0.0;
    const double value = at.k * ln2_high + (at.f + log_rest(at.f, at.k * ln2_low + correction));
    // so small that 1 + x forgets its last bits: log(1 + x) = x − x²/2
    return log_or_special(u, (x < 0.0 ? -x : x) < 0x1p-30 ? x - 0.5 * x * x : value);
}

// 1/(1 + e⁻ˣ), which never overflows. With s = e⁻|x| it is 1 − s/(1 + s) or s/(1 + s); the quotient is its first 26
// bits and what they leave of s.
GLASSWOOD_INLINE double expit(double x) {
    const Scaled at = exp_parts(x < 0.0 ? x : -x);
    const Pair inner = exact_sum_of(at.r, at.rest);
    const Pair near_one = exact_sum_of(1.0, inner.high);
    const double s = near_one.high * at.first * at.second;
    const double s_low = (near_one.low + inner.low) * at.first * at.second;
    const Pair below = exact_sum_of(1.0, s);
    const double below_front = front_of(below.high);
    const double reciprocal = 1.0 / below.high;
    const double quotient = front_of(s * reciprocal);
    const double left = ((s - quotient * below_front) - quotient * (below.high - below_front)) +
                        (s_low - quotient * (below.low + s_low));
    const double rest = left * reciprocal;
    const Pair from_one = exact_sum_of(1.0, -quotient);
    return x < 0.0 ? quotient + rest : from_one.high + (from_one.low - rest);
}

}  // namespace glasswood::base::elementary

// Extended: numbers of 64 binary digits, rounded after each operation like the long double of x86. Elsewhere long
// double is another type (53 digits on Windows and Apple's arm64, 113 on Linux's), and would give other last bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace glasswood::base {

class Extended {
 public:
    constexpr Extended() = default;
    constexpr explicit Extended(std::int64_t whole)
        : Extended(rounded(whole < 0, whole < 0 ? 0 - static_cast<Wide>(whole) : static_cast<Wide>(whole), 0, false)) {}

    // The nearest double; for numbers that are neither tiny nor huge.
    explicit operator double() const {
        const double size = std::ldexp(static_cast<double>(digits_), exponent_);
        return negative_ ? -size : size;
    }

    friend constexpr Extended operator-(Extended a) {
        a.negative_ = !a.negative_;
        return a;
    }
    friend constexpr Extended operator+(Extended a, Extended b) {
        if (a.digits_ == 0) return b;
        if (b.digits_ == 0) return a;
        if (a.exponent_ < b.exponent_ || (a.exponent_ == b.exponent_ && a.digits_ < b.digits_)) std::swap(a, b);
        const int shift = a.exponent_ - b.exponent_;
        const Wide large = static_cast<Wide>(a.digits_) << 62, whole = static_cast<Wide>(b.digits_) << 62;
        const Wide small = shift < 128 ? whole >> shift : 0;
        const bool lost = shift >= 128 || (small << shift) != whole;
        if (a.negative_ == b.negative_) return rounded(a.negative_, large + small, a.exponent_ - 62, lost);
        return rounded(a.negative_, large - small - (lost ? 1 : 0), a.exponent_ - 62, lost);
    }
    friend constexpr Extended operator-(Extended a, Extended b) { return a + -b; }
    friend constexpr Extended operator*(Extended a, Extended b) {
        const Wide product = static_cast<Wide>(a.digits_) * b.digits_;
        return rounded(a.negative_ != b.negative_, product, a.exponent_ + b.exponent_, false);
    }
    // b must not be 0.
    friend constexpr Extended operator/(Extended a, Extended b) {
        const Wide dividend = static_cast<Wide>(a.digits_) << 64, rest = (dividend % b.digits_) << 32;
        const Wide quotient = ((dividend / b.digits_) << 32) | (rest / b.digits_);
        const bool lost = rest % b.digits_ != 0;
        return rounded(a.negative_ != b.negative_, quotient, a.exponent_ - b.exponent_ - 96, lost);
    }
    friend constexpr bool operator<(Extended a, Extended b) {
        const Extended difference = a - b;
        return difference.negative_ && difference.digits_ != 0;
    }

 private:
    __extension__ using Wide = unsigned __int128;

    // The nearest number to ± (wide + something below 1, if `lost`) · 2^exponent; of two equally near ones the even
    // one.
    static constexpr Extended rounded(bool negative, Wide wide, int exponent, bool lost) {
        Extended number;
        if (wide == 0) return number;
        const auto high = static_cast<std::uint64_t>(wide >> 64);
        const int drop = high != 0 ? 64 - std::countl_zero(high) : -std::countl_zero(static_cast<std::uint64_t>(wide));
        number.negative_ = negative;
        number.exponent_ = exponent + drop;
        if (drop <= 0) {
            number.digits_ = static_cast<std::uint64_t>(wide) << -drop;
            return number;
        }
        const Wide half = static_cast<Wide>(1) << (drop - 1), rest = wide & (2 * half - 1);
        number.digits_ = static_cast<std::uint64_t>(wide >> drop);
        if (rest > half || (rest == half && (lost || number.digits_ % 2 != 0))) ++number.digits_;
        if (number.digits_ == 0) {  // all ones became a power of two
            number.digits_ = std::uint64_t{1} << 63;
            ++number.exponent_;
        }
        return number;
    }

    bool negative_ = false;
    int exponent_ = 0;
    std::uint64_t digits_ = 0;  // the highest bit is set, but for 0
};

// Numbers of 64 digits: the machine's own where it has them.
using Digits64 = std::conditional_t<std::numeric_limits<long double>::digits == 64, long double, Extended>;

}  // namespace glasswood::base

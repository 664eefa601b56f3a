// RoundingGrid: rounds numbers to multiples of a power of two, so that float64 sums of them are exact and have no
// order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace glasswood::base {

class RoundingGrid {
 public:
    // For sums of up to `count` numbers, none larger than `largest` in size: 2⁵³ units hold them all.
    RoundingGrid(double largest, std::size_t count) {
        const auto count_bits = static_cast<int>(std::bit_width(std::max<std::size_t>(count, 4)));
        const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52) - 1023;
        // A unit below 2⁻¹⁰²² would not be a normal number; one above 2⁹⁷⁰ would make the shift infinite.
        unit_ = power_of_two(std::clamp(exponent + count_bits - 52, -1022, 970));
        shift_ = 0x1.8p52 * unit_;
    }

    double unit() const { return unit_; }
    double round(double x) const { return (x + shift_) - shift_; }

 private:
    static double power_of_two(int exponent) {
        return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
    }

    double unit_, shift_;
};

}  // namespace glasswood::base

// Grain: numbers rounded to multiples of a power of two, so that float64 sums of them are exact and have no order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace glasswood {

class Grain {
 public:
    // For sums of up to `count` numbers, none larger than `largest` in size: 2⁵³ units hold them all.
    Grain(double largest, std::size_t count) {
        const double most = static_cast<double>(std::max<std::size_t>(count, 4));
        // A unit below 2⁻¹⁰⁷⁴ does not exist; one above 2⁹⁷⁰ would make the shift infinite.
        const int exponent = largest > 0 ? std::ilogb(largest) + std::ilogb(most) - 50 : 0;
        unit_ = std::ldexp(1.0, std::clamp(exponent, -1074, 970));
        shift_ = 0x1.8p52 * unit_;
    }

    double unit() const { return unit_; }
    double round(double x) const { return (x + shift_) - shift_; }

 private:
    double unit_, shift_;
};

}  // namespace glasswood

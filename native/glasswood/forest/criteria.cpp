#include "glasswood/forest/criteria.hpp"

#include "glasswood/base/exact_sum.hpp"

namespace glasswood::forest {

Numbers make_numbers(std::span<const double> y, std::span<const double> weight) {
    Numbers numbers{y, std::vector<double>(y.size())};
    const double mean = base::exact_mean(y, weight);
    numbers.centre = std::isfinite(mean) ? mean : 0;  // no row has weight
    // Halving first: the distance of values near the largest double must not overflow.
    double spread = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        spread = std::max(spread, std::abs(y[i] / 2 - numbers.centre / 2));
    }
    // Above 2^1000 the scale itself would overflow; below 2^-1000 its inverse would.
    const int exponent = spread > 0 ? std::clamp(std::ilogb(spread) + 2, -1000, 1000) : 0;
    numbers.scale = std::ldexp(1.0, exponent);
    for (std::size_t i = 0; i < y.size(); ++i) {
        numbers.scaled[i] = 2 * ((y[i] / 2 - numbers.centre / 2) / numbers.scale);
    }
    return numbers;
}

}  // namespace glasswood::forest

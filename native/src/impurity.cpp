#include "glasswood/impurity.hpp"

namespace glasswood {

Numbers make_numbers(std::span<const double> y, std::span<const double> weight) {
    Numbers numbers{y, std::vector<double>(y.size())};
    // Halving first: the mean of values near the largest double must not overflow.
    double largest = 0, sum = 0, total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) largest = std::max(largest, std::abs(y[i]));
    const double rough = largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        sum += weight[i] * (y[i] / rough);
        total += weight[i];
    }
    numbers.centre = total > 0 ? sum / total * rough : 0;
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

}  // namespace glasswood

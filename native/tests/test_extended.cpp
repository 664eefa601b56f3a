#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "glasswood/base/extended.hpp"
#include "glasswood/base/random.hpp"
#include "tests.hpp"

namespace glasswood::tests {
namespace {

// What is left of a number after its double, and after that: together they tell all 64 digits apart.
[[maybe_unused]] std::vector<double> parts(base::Extended number) {
    const auto first = static_cast<double>(number);
    std::vector<double> found{first};
    if (first == 0) return found;
    int exponent = 0;
    const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(first, &exponent), 53));
    base::Extended power(1);
    for (int k = 53; k < exponent; ++k) power = power * base::Extended(2);
    for (int k = exponent; k < 53; ++k) power = power / base::Extended(2);
    found.push_back(static_cast<double>(number - base::Extended(digits) * power));
    return found;
}

[[maybe_unused]] std::vector<double> parts(long double number) {
    const auto first = static_cast<double>(number);
    if (first == 0) return {first};
    return {first, static_cast<double>(number - static_cast<long double>(first))};
}

// What is left of sums just beside the middle of two neighbours: 2 and -2, where ties would leave 0.
template <class Real>
std::vector<double> beside_ties() {
    const Real four(std::int64_t{4}), large = static_cast<Real>(std::int64_t{1} << 62) * four;
    const Real more = large + four, tiny = static_cast<Real>(std::int64_t{2}) / large;
    const Real small = static_cast<Real>(std::int64_t{1}) + tiny;
    return {static_cast<double>(large + small - large), static_cast<double>(more - small - more)};
}

template <class Real>
std::vector<double> computed(std::int64_t a, std::int64_t b, std::int64_t c) {
    const auto x = static_cast<Real>(a), y = static_cast<Real>(b), z = static_cast<Real>(c);
    std::vector<double> all;
    for (const Real number : {x + y, x - y, x * y, x / y, x / y + z, z - x / y, x / y - x / (y + z), x / y * (z / x)}) {
        const std::vector<double> one = parts(number);
        all.insert(all.end(), one.begin(), one.end());
    }
    all.push_back(x < y ? 1 : 0);
    return all;
}

}  // namespace

// Sums, products and quotients have the digits that x86's long double gives, ties and cancellation among them.
void test_extended() {
    CHECK(static_cast<double>(base::Extended(1) / base::Extended(3)) == 1.0 / 3);
    CHECK(static_cast<double>(base::Extended(-7)) == -7 && static_cast<double>(base::Extended(0)) == 0);
    CHECK((beside_ties<base::Extended>() == std::vector<double>{2, -2}));
    if constexpr (std::numeric_limits<long double>::digits == 64) {
        CHECK((beside_ties<long double>() == std::vector<double>{2, -2}));
        base::Random random(9, 1);
        for (int i = 0; i < 20'000; ++i) {
            const auto draw = [&] {
                const double size = std::ldexp(random.uniform() - 0.5, 1 + static_cast<int>(62 * random.uniform()));
                return static_cast<std::int64_t>(size) * 2 + 1;  // odd, so never 0
            };
            const std::int64_t a = draw(), b = draw(), c = draw() + 1;
            if (b + c == 0 || a == 0) continue;
            CHECK(computed<base::Extended>(a, b, c) == computed<long double>(a, b, c));
        }
    }
}

}  // namespace glasswood::tests

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "glasswood/base/random.hpp"
#include "glasswood/base/rounding_grid.hpp"
#include "tests.hpp"

namespace glasswood::tests {

// Sums of rounded numbers are the same forwards and backwards, and rounding takes at most half a unit.
void test_rounding_grid() {
    base::Random random(3, 1);
    for (const double scale : {1.0, 1e-280, 1e300, 5e-324}) {
        for (const std::size_t n : {1UL, 3UL, 1000UL, 100000UL}) {
            std::vector<double> numbers(n);
            for (double& x : numbers) x = (random.uniform() - 0.5) * scale;
            const base::RoundingGrid grid(std::ranges::max(numbers, {}, [](double x) { return std::abs(x); }), n);
            double forwards = 0, backwards = 0;
            for (std::size_t i = 0; i < n; ++i) {
                CHECK(std::abs(grid.round(numbers[i]) - numbers[i]) <= grid.unit() / 2);
                forwards += grid.round(numbers[i]);
                backwards += grid.round(numbers[n - 1 - i]);
            }
            CHECK(forwards == backwards);
        }
    }
    CHECK(base::RoundingGrid(0, 5).round(0) == 0);
    CHECK(std::isfinite(base::RoundingGrid(std::numeric_limits<double>::max(), 1UL << 40).round(1e300)));
}

}  // namespace glasswood::tests

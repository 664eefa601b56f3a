#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/base/random.hpp"
#include "tests.hpp"

namespace glasswood::tests {

// Sums of parts, merged in any order, are the sum of all; numbers at both ends of float64 have a unit.
void test_exact_sum() {
    base::Random random(5, 1);
    for (const double scale : {1.0, 1e-300, 1e300, 5e-324}) {
        std::vector<double> numbers(1000);
        for (double& x : numbers) x = (random.uniform() - 0.5) * scale;
        base::ExactSum whole(scale), first(scale), second(scale), merged(scale);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            whole.add(numbers[i]);
            (i % 3 == 0 ? first : second).add(numbers[i]);
        }
        merged.merge(second.state());
        merged.merge(first.state());
        CHECK(merged.state() == whole.state() && merged.value() == whole.value());
        CHECK(std::isfinite(whole.value()));
    }
    CHECK(base::exact_sum({}) == 0);
}

}  // namespace glasswood::tests

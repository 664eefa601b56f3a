#include <stdexcept>
#include <vector>

#include "glasswood/base/parallel.hpp"
#include "tests.hpp"

namespace glasswood::tests {

void test_parallel() {
    for (const int n_threads : {1, 2, 7}) {
        std::vector<int> times(1000, 0);
        base::parallel_for(times.size(), n_threads, base::large_work, [&](std::size_t chunk) { ++times[chunk]; });
        CHECK(times == std::vector<int>(1000, 1));

        bool thrown = false;
        try {
            base::parallel_for(100, n_threads, base::large_work, [](std::size_t chunk) {
                if (chunk == 42) throw std::out_of_range("42");
            });
        } catch (const std::out_of_range&) {
            thrown = true;
        }
        CHECK(thrown);
    }
    CHECK(base::usable_threads(0) == 1);
    CHECK(base::usable_threads(-3) == 1);
}

}  // namespace glasswood::tests

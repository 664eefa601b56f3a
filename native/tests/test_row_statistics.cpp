#include <vector>

#include "glasswood/base/random.hpp"
#include "glasswood/boosting/row_statistics.hpp"
#include "tests.hpp"

namespace glasswood::tests {
namespace {

using namespace boosting;

std::vector<double> numbers(std::size_t n, std::uint64_t stream) {
    base::Random random(1, stream);
    std::vector<double> out(n);
    for (double& x : out) x = random.uniform() + 0.01;
    return out;
}

std::vector<std::int64_t> grads(const RowStatistics& statistics) {
    const TreeRows rows = statistics.rows({});
    std::vector<std::int64_t> out;
    for (const Sums& row : rows.stats.wide) out.push_back(row.grad);
    for (const Narrow& row : rows.stats.narrow) out.push_back(row.grad);
    return out;
}

}  // namespace

// Memory that held a larger or a smaller table before gives the statistics of the table it holds now.
void test_row_statistics() {
    for (const bool exact : {true, false}) {
        RowStatistics used(exact);
        for (const std::size_t n : {5UL, 40000UL, 3UL, 70000UL}) {
            const auto grad = numbers(n, 1), hess = numbers(n, 2), weight = numbers(n, 3);
            RowStatistics fresh(exact);
            fresh.set({grad, hess, weight}, base::RowKeys(7, 8), {}, 1);
            used.set({grad, hess, weight}, base::RowKeys(7, 8), {}, 2);
            CHECK(used.n_rows() == n);
            CHECK(grads(used).size() == n);
            CHECK(grads(used) == grads(fresh));
        }
    }
}

}  // namespace glasswood::tests

#include "glasswood/explain/cell_sums.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/cell_table_sums.hpp"

namespace glasswood::explain {
namespace {

constexpr std::size_t task_rows = 16384;

}  // namespace

void count_cells(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                 std::size_t first, std::size_t last, int n_threads, std::int64_t* weight) {
    const std::vector<std::int64_t> start = table_starts(axes, features, degree, 1);
    base::parallel_for(features.size() / degree, n_threads, base::work_of(features.size() * (last - first), 2.0),
                       [&](std::size_t i) {
                           std::int64_t* table = weight + start[i];
                           for_each_tile(axes, codes, features.subspan(i * degree, degree), first, last,
                                         [&](std::size_t n, std::size_t at, const std::int64_t* cell) {
                                             if (codes.is_weighted()) {
                                                 for (std::size_t r = 0; r < n; ++r)
                                                     table[cell[r]] += codes.whole()[at + r];
                                             } else {
                                                 for (std::size_t r = 0; r < n; ++r) ++table[cell[r]];
                                             }
                                         });
                       });
}

void to_numbers(std::span<std::int64_t> whole, double unit) {
    for (std::int64_t& number : whole) {
        number = std::bit_cast<std::int64_t>(static_cast<double>(number) * unit);
    }
}

void subtract_tables(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                     std::span<const double> tables, std::size_t n_outputs, int n_threads, double* raw) {
    const std::vector<std::int64_t> start = table_starts(axes, features, degree, n_outputs);
    const std::size_t n_tasks = (codes.n_rows() + task_rows - 1) / task_rows;
    const base::Work work = base::work_of(codes.n_rows() * features.size(), 1.0 + static_cast<double>(n_outputs));
    base::parallel_for(n_tasks, n_threads, work, [&](std::size_t s) {
        const std::size_t last = std::min(codes.n_rows(), (s + 1) * task_rows);
        for (std::size_t i = 0; i < features.size() / degree; ++i) {
            const std::int64_t cells = (start[i + 1] - start[i]) / static_cast<std::int64_t>(n_outputs);
            for_each_tile(axes, codes, features.subspan(i * degree, degree), s * task_rows, last,
                          [&](std::size_t n, std::size_t at, const std::int64_t* cell) {
                              for (std::size_t o = 0; o < n_outputs; ++o) {
                                  const double* table = tables.data() + start[i] + static_cast<std::int64_t>(o) * cells;
                                  double* out = raw + at * n_outputs + o;
                                  for (std::size_t r = 0; r < n; ++r) out[r * n_outputs] -= table[cell[r]];
                              }
                          });
        }
    });
}

}  // namespace glasswood::explain

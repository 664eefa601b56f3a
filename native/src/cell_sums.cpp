#include "glasswood/cell_sums.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "glasswood/parallel.hpp"
#include "glasswood/tables.hpp"

namespace glasswood {
namespace {

constexpr std::size_t tile = 1024;      // rows whose cells are looked up at once
constexpr std::size_t stretch = 16384;  // rows of one task

// Calls visit(n, first row, cells) for tiles of rows [first, last).
template <class Visit>
void for_each_tile(const Axes& axes, const Codes& codes, std::span<const std::int32_t> tuple, std::size_t first,
                   std::size_t last, Visit&& visit) {
    std::array<std::int64_t, tile> cell;
    for (std::size_t at = first; at < last; at += tile) {
        const std::size_t n = std::min(tile, last - at);
        std::fill_n(cell.begin(), n, 0);
        std::int64_t stride = 1;
        for (std::size_t d = tuple.size(); d-- > 0;) {
            codes.add_to_index(tuple[d], at, n, stride, cell.data());
            stride *= axes.size[tuple[d]];
        }
        visit(n, at, cell.data());
    }
}

}  // namespace

void count_cells(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                 std::size_t first, std::size_t last, int n_threads, double* weight) {
    const std::vector<std::int64_t> start = table_starts(axes, features, degree, 1);
    parallel_for(features.size() / degree, n_threads, work_of(features.size() * (last - first), 2.0),
                 [&](std::size_t i) {
                     double* table = weight + start[i];
                     for_each_tile(axes, codes, features.subspan(i * degree, degree), first, last,
                                   [&](std::size_t n, std::size_t at, const std::int64_t* cell) {
                                       if (codes.is_weighted()) {
                                           for (std::size_t r = 0; r < n; ++r) table[cell[r]] += codes.weight()[at + r];
                                       } else {
                                           for (std::size_t r = 0; r < n; ++r) table[cell[r]] += 1.0;
                                       }
                                   });
                 });
}

void add_moments(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                 std::size_t first, std::span<const double> raw, std::size_t n_outputs, int n_threads,
                 const CellMoments& moments) {
    const std::vector<std::int64_t> start = table_starts(axes, features, degree, 1);
    const std::size_t n_rows = raw.size() / n_outputs;
    const Work work = work_of(features.size() * raw.size(), 6.0);
    parallel_for(features.size() / degree, n_threads, work, [&](std::size_t i) {
        for_each_tile(axes, codes, features.subspan(i * degree, degree), first, first + n_rows,
                      [&](std::size_t n, std::size_t at, const std::int64_t* cell) {
                          for (std::size_t r = 0; r < n; ++r) {
                              const std::int64_t c = start[i] + cell[r];
                              const double w = codes.is_weighted() ? codes.weight()[at + r] : 1.0;
                              moments.weight[c] += w;
                              moments.squared[c] += w * w;
                              const double gain = w / moments.weight[c];
                              const double* x = raw.data() + (at - first + r) * n_outputs;
                              for (std::size_t o = 0; o < n_outputs; ++o) {
                                  double& mean = moments.mean[c * static_cast<std::int64_t>(n_outputs) + o];
                                  const double before = x[o] - mean;
                                  mean += gain * before;
                                  moments.scatter[c * static_cast<std::int64_t>(n_outputs) + o] +=
                                      w * before * (x[o] - mean);
                              }
                          }
                      });
    });
}

void subtract_tables(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                     std::span<const double> tables, std::size_t n_outputs, int n_threads, double* raw) {
    const std::vector<std::int64_t> start = table_starts(axes, features, degree, n_outputs);
    const std::size_t n_stretches = (codes.n_rows() + stretch - 1) / stretch;
    const Work work = work_of(codes.n_rows() * features.size(), 1.0 + static_cast<double>(n_outputs));
    parallel_for(n_stretches, n_threads, work, [&](std::size_t s) {
        const std::size_t last = std::min(codes.n_rows(), (s + 1) * stretch);
        for (std::size_t i = 0; i < features.size() / degree; ++i) {
            const std::int64_t cells = (start[i + 1] - start[i]) / static_cast<std::int64_t>(n_outputs);
            for_each_tile(axes, codes, features.subspan(i * degree, degree), s * stretch, last,
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

}  // namespace glasswood

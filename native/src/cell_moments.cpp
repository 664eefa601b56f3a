#include "glasswood/cell_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/cell_sums.hpp"
#include "glasswood/parallel.hpp"
#include "glasswood/tables.hpp"

namespace glasswood {
namespace {

__extension__ using Unsigned128 = unsigned __int128;

Unsigned128 size_of(Int128 x) { return x < 0 ? -static_cast<Unsigned128>(x) : static_cast<Unsigned128>(x); }

// a·b for a below 2¹²⁸ and b below 2⁶⁴, a product below 2¹⁹²
Wide times(Unsigned128 a, std::uint64_t b) {
    const Unsigned128 first = static_cast<Unsigned128>(static_cast<std::uint64_t>(a)) * b;
    const Unsigned128 second = static_cast<Unsigned128>(static_cast<std::uint64_t>(a >> 64)) * b + (first >> 64);
    return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(second),
            static_cast<std::uint64_t>(second >> 64)};
}

Int128 rounded_quotient(Int128 sum, std::int64_t weight) {
    const Int128 half = weight / 2;
    return (sum >= 0 ? sum + half : sum - half) / weight;
}

// Σ w (x − mean)², from Σ w, Σ w x and Σ w x²: measured from the whole number next to the mean, where it is exact.
double scatter(std::int64_t weight, Int128 sum, Wide square) {
    const Int128 middle = rounded_quotient(sum, weight);
    const Int128 rest = sum - middle * weight;
    square.subtract(times(size_of(sum + rest), static_cast<std::uint64_t>(size_of(middle))));
    const auto away = static_cast<double>(rest);
    return std::max(square.value() - away * away / static_cast<double>(weight), 0.0);
}

}  // namespace

void Wide::add(const Wide& other) {
    const Unsigned128 a = static_cast<Unsigned128>(low) + other.low;
    const Unsigned128 b = static_cast<Unsigned128>(middle) + other.middle + (a >> 64);
    low = static_cast<std::uint64_t>(a);
    middle = static_cast<std::uint64_t>(b);
    high += other.high + static_cast<std::uint64_t>(b >> 64);
}

void Wide::subtract(const Wide& other) {
    const Unsigned128 a = static_cast<Unsigned128>(low) - other.low;
    const Unsigned128 b = static_cast<Unsigned128>(middle) - other.middle - (low < other.low ? 1 : 0);
    high -= other.high + ((b >> 64) != 0 ? 1 : 0);
    low = static_cast<std::uint64_t>(a);
    middle = static_cast<std::uint64_t>(b);
}

double Wide::value() const {
    const Unsigned128 lower = static_cast<Unsigned128>(middle) << 64 | low;
    return static_cast<double>(high) * 0x1p128 + static_cast<double>(lower);
}

CellMoments::CellMoments(std::size_t n_cells, std::span<const double> baseline, double largest)
    : n_cells_(n_cells),
      baseline_(baseline.begin(), baseline.end()),
      unit_(Unit::of(largest * (1 + 1e-9), 62)),  // sums of leaf values are rounded
      sum_(n_cells * baseline.size(), 0),
      square_(n_cells * baseline.size()) {}

void CellMoments::add(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                      std::size_t first, std::span<const double> raw, int n_threads) {
    const std::vector<std::int64_t> start = table_starts(axes, features, degree, 1);
    const std::size_t width = baseline_.size(), n_rows = raw.size() / width;
    if (codes.is_weighted()) weights_.resize(n_cells_, 0);
    std::vector<std::int64_t> away(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) away[i] = unit_.whole(raw[i] - baseline_[i % width]);
    parallel_for(features.size() / degree, n_threads, work_of(features.size() * raw.size(), 6.0), [&](std::size_t i) {
        for_each_tile(axes, codes, features.subspan(i * degree, degree), first, first + n_rows,
                      [&](std::size_t n, std::size_t at, const std::int64_t* cell) {
                          for (std::size_t r = 0; r < n; ++r) {
                              const auto c = static_cast<std::size_t>(start[i] + cell[r]);
                              const std::int64_t w = codes.is_weighted() ? codes.whole()[at + r] : 1;
                              if (codes.is_weighted()) weights_[c] += Int128{w} * w;
                              const std::int64_t* x = away.data() + (at - first + r) * width;
                              for (std::size_t o = 0; o < width; ++o) {
                                  const Unsigned128 square = size_of(Int128{x[o]} * x[o]);
                                  if (codes.is_weighted()) {
                                      sum_[c * width + o] += Int128{w} * x[o];
                                      square_[c * width + o].add(times(square, static_cast<std::uint64_t>(w)));
                                  } else {
                                      sum_[c * width + o] += x[o];
                                      square_[c * width + o].add({static_cast<std::uint64_t>(square),
                                                                  static_cast<std::uint64_t>(square >> 64), 0});
                                  }
                              }
                          }
                      });
    });
}

void CellMoments::finish(std::span<const std::int64_t> weight, double* mean, double* error) const {
    const std::size_t width = baseline_.size();
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t c = 0; c < n_cells_; ++c) {
        const auto w = static_cast<double>(weight[c]);
        // the number of equal weights that would say as much
        const double effective = weight[c] == 0 ? 0.0 : weights_.empty() ? w : w * w / static_cast<double>(weights_[c]);
        for (std::size_t o = 0; o < width; ++o) {
            const std::size_t from = c * width + o, to = o * n_cells_ + c;
            mean[to] = error[to] = unknown;
            if (weight[c] == 0) continue;
            mean[to] = baseline_[o] + static_cast<double>(sum_[from]) / w * unit_.size;
            if (effective - 1 > 1e-12) {
                const double variance = scatter(weight[c], sum_[from], square_[from]) / w;
                error[to] = std::sqrt(variance / (effective - 1)) * unit_.size;
            }
        }
    }
}

}  // namespace glasswood

#include "glasswood/explain/cell_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/cell_sums.hpp"
#include "glasswood/explain/cell_table_sums.hpp"

namespace glasswood::explain {
namespace {

Unsigned128 size_of(base::Int128 x) { return x < 0 ? -static_cast<Unsigned128>(x) : static_cast<Unsigned128>(x); }

// a·b for a below 2¹²⁸ and b below 2⁶⁴, a product below 2¹⁹²
Wide times(Unsigned128 a, std::uint64_t b) {
    const Unsigned128 first = static_cast<Unsigned128>(static_cast<std::uint64_t>(a)) * b;
    const Unsigned128 second = (a >> 64) * b + (first >> 64);
    return {second << 64 | static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(second >> 64)};
}

base::Int128 rounded_quotient(base::Int128 sum, std::int64_t weight) {
    const base::Int128 half = weight / 2;
    return (sum >= 0 ? sum + half : sum - half) / weight;
}

std::uint64_t low_word(Unsigned128 x) { return static_cast<std::uint64_t>(x); }
std::uint64_t high_word(Unsigned128 x) { return static_cast<std::uint64_t>(x >> 64); }
Unsigned128 of_words(const std::uint64_t* low) { return Unsigned128{low[1]} << 64 | low[0]; }

// Σ w (x − mean)², from Σ w, Σ w x and Σ w x²: measured from the whole number next to the mean, where it is exact.
double scatter(std::int64_t weight, base::Int128 sum, Wide square) {
    const base::Int128 middle = rounded_quotient(sum, weight);
    const base::Int128 rest = sum - middle * weight;
    square.subtract(times(size_of(sum + rest), static_cast<std::uint64_t>(size_of(middle))));
    const auto away = static_cast<double>(rest);
    return std::max(square.value() - away * away / static_cast<double>(weight), 0.0);
}

}  // namespace

// Rows (n, width) that weigh 1.
void CellMoments::add_rows(const Distance* row, std::size_t n, const std::int64_t* cell, std::size_t width,
                           Moments* table) {
    for (std::size_t r = 0; r < n; ++r) {
        Moments* moments = table + static_cast<std::size_t>(cell[r]) * width;
        for (std::size_t o = 0; o < width; ++o) {
            moments[o].sum += row[r * width + o].x;
            moments[o].square.add({row[r * width + o].square, 0});
        }
    }
}

void CellMoments::add_weighted(const Distance* row, const std::int64_t* weight, std::size_t n, const std::int64_t* cell,
                               std::size_t width, Moments* table) {
    for (std::size_t r = 0; r < n; ++r) {
        Moments* moments = table + static_cast<std::size_t>(cell[r]) * width;
        for (std::size_t o = 0; o < width; ++o) {
            const Distance& distance = row[r * width + o];
            moments[o].sum += base::Int128{weight[r]} * distance.x;
            moments[o].square.add(times(distance.square, static_cast<std::uint64_t>(weight[r])));
        }
    }
}

CellMoments::CellMoments(std::size_t n_cells, std::span<const double> baseline, double largest)
    : n_cells_(n_cells),
      baseline_(baseline.begin(), baseline.end()),
      unit_(base::Unit::of(largest * (1 + 1e-9), 62)),  // sums of leaf values are rounded
      moments_(n_cells * baseline.size()) {}

std::vector<CellMoments::Distance> CellMoments::distances(std::span<const double> raw) const {
    std::vector<Distance> out(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const std::int64_t x = unit_.whole(raw[i] - baseline_[i % baseline_.size()]);
        out[i] = {x, size_of(base::Int128{x} * x)};
    }
    return out;
}

void CellMoments::add(const Axes& axes, const Codes& codes, std::span<const std::int32_t> features, std::size_t degree,
                      std::size_t first, std::span<const double> raw, int n_threads) {
    const std::vector<std::int64_t> start = table_starts(axes, features, degree, 1);
    const std::size_t width = baseline_.size(), n_rows = raw.size() / width;
    if (codes.is_weighted()) weights_.resize(n_cells_, 0);
    const std::vector<Distance> away = distances(raw);
    base::parallel_for(
        features.size() / degree, n_threads, base::work_of(features.size() * raw.size(), 4.0), [&](std::size_t i) {
            for_each_tile(axes, codes, features.subspan(i * degree, degree), first, first + n_rows,
                          [&](std::size_t n, std::size_t at, const std::int64_t* cell) {
                              const Distance* row = away.data() + (at - first) * width;
                              Moments* table = moments_.data() + static_cast<std::size_t>(start[i]) * width;
                              if (codes.is_weighted()) {
                                  const std::int64_t* weight = codes.whole().data() + at;
                                  base::Int128* weights = weights_.data() + start[i];
                                  for (std::size_t r = 0; r < n; ++r)
                                      weights[cell[r]] += base::Int128{weight[r]} * weight[r];
                                  add_weighted(row, weight, n, cell, width, table);
                              } else {
                                  add_rows(row, n, cell, width, table);
                              }
                          });
        });
}

std::vector<std::uint64_t> CellMoments::sums() const {
    std::vector<std::uint64_t> out;
    out.reserve(moments_.size() * words);
    for (const Moments& one : moments_) {
        const auto sum = static_cast<Unsigned128>(one.sum);
        out.insert(out.end(), {low_word(one.square.low), high_word(one.square.low), one.square.high, low_word(sum),
                               high_word(sum)});
    }
    return out;
}

std::vector<std::uint64_t> CellMoments::squared_weights() const {
    std::vector<std::uint64_t> out;
    out.reserve(2 * weights_.size());
    for (const base::Int128 weight : weights_) {
        const auto whole = static_cast<Unsigned128>(weight);
        out.insert(out.end(), {low_word(whole), high_word(whole)});
    }
    return out;
}

void CellMoments::merge(std::span<const std::uint64_t> sums, std::span<const std::uint64_t> squared_weights) {
    for (std::size_t i = 0; i < moments_.size(); ++i) {
        const std::uint64_t* own = sums.data() + i * words;
        moments_[i].square.add({of_words(own), own[2]});
        moments_[i].sum += static_cast<base::Int128>(of_words(own + 3));
    }
    if (!squared_weights.empty()) weights_.resize(n_cells_, 0);
    for (std::size_t c = 0; c < squared_weights.size() / 2; ++c)
        weights_[c] += static_cast<base::Int128>(of_words(squared_weights.data() + 2 * c));
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
            mean[to] = baseline_[o] + static_cast<double>(moments_[from].sum) / w * unit_.size;
            if (effective - 1 > 1e-12) {
                const double variance = scatter(weight[c], moments_[from].sum, moments_[from].square) / w;
                error[to] = std::sqrt(variance / (effective - 1)) * unit_.size;
            }
        }
    }
}

}  // namespace glasswood::explain

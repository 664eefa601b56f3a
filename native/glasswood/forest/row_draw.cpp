#include "glasswood/forest/row_draw.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "glasswood/base/random.hpp"

namespace glasswood::forest {

RowDraw::RowDraw(std::uint64_t seed, std::size_t n_rows, std::size_t n_draws, std::span<const double> weight)
    : seed_(seed), n_draws_(n_draws) {
    const bool alike = std::ranges::all_of(weight, [&](double w) { return w == weight[0]; });
    if (alike) return;
    cumulative_.resize(n_rows);
    std::partial_sum(weight.begin(), weight.end(), cumulative_.begin());
}

template <class Count>
void RowDraw::draw(std::size_t tree, std::span<Count> out) const {
    base::Random random(seed_, 2 * tree);
    std::ranges::fill(out, Count{0});
    if (cumulative_.empty()) {
        const auto n_rows = static_cast<std::uint32_t>(out.size());
        for (std::size_t i = 0; i < n_draws_; ++i) out[random.below(n_rows)] += 1;
        return;
    }
    for (std::size_t i = 0; i < n_draws_; ++i) {
        // The first row whose cumulative weight is above the draw: a row without weight is never it. Just below the
        // total, so that rounding cannot reach it.
        const double below = std::nextafter(cumulative_.back(), 0.0);
        const double point = std::min(random.uniform() * cumulative_.back(), below);
        out[static_cast<std::size_t>(std::ranges::upper_bound(cumulative_, point) - cumulative_.begin())] += 1;
    }
}

void RowDraw::counts(std::size_t tree, std::span<double> out) const { draw(tree, out); }

bool RowDraw::counts(std::size_t tree, std::span<std::uint8_t> out) const {
    draw(tree, out);
    // What a byte loses by overflowing is missing from the sum.
    return std::accumulate(out.begin(), out.end(), std::size_t{0}) == n_draws_;
}

}  // namespace glasswood::forest

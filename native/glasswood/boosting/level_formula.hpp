// Levels: when the means of a category's levels can be trusted. No standard header is needed, so that a GPU compiler
// can read this text as it is.
#pragma once

#include "glasswood/base/elementary.hpp"
#include "glasswood/base/macros.hpp"
#include "glasswood/base/tie.hpp"
#include "glasswood/boosting/sums.hpp"

namespace glasswood::boosting {

// Bühlmann's constant: the weight at which a level's mean is worth as much as that of all levels, the variance within
// levels over the variance between them. Infinite where levels differ by no more than their noise, and where there are
// too few rows to know their noise. `level(k)`: sums of the k-th of n levels that hold rows.
template <class Level, class Count>
GLASSWOOD_INLINE double even_weight(const Level& level, Count n, double rows_per_weight, double rows_per_level) {
    const double infinite = base::elementary::from_bits(base::elementary::infinity_bits);
    NodeSums all{};
    double explained = 0.0;
    double squared_weights = 0.0;
    for (Count k = 0; k < n; ++k) {
        const NodeSums own = level(k);
        all.grad += own.grad;
        all.square += own.square;
        all.hess += own.hess;
        all.weight += own.weight;
        explained += own.grad * own.grad / own.hess;
        squared_weights += own.hess * own.hess;
    }
    const auto n_levels = static_cast<double>(n);
    const double n_rows = all.weight * rows_per_weight;
    if (!(n_rows > (1 + base::tie) * rows_per_level * n_levels)) return infinite;
    const double unexplained = all.square - explained;
    const double within = (unexplained > 0.0 ? unexplained : 0.0) / (n_rows - n_levels);
    const double beyond_noise = explained - all.grad * all.grad / all.hess - (n_levels - 1) * within;
    if (!(beyond_noise > base::tie * all.square)) return infinite;
    const double between = beyond_noise / (all.hess - squared_weights / all.hess);
    return within / between;
}

}  // namespace glasswood::boosting

// Cell table sums: running sums and weighted means of tables that have one entry per cell of one or several features.
// Effects and interactions are computed as such tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/axes.hpp"

namespace glasswood::explain {

// First entry of each table and the end of the last, for tables of `n_outputs` times the product of the cells of
// `degree` features each.
std::vector<std::int64_t> table_starts(const Axes& axes, std::span<const std::int32_t> features, std::size_t degree,
                                       std::size_t n_outputs);

// Replaces a difference array of the given shape by its running sums along every axis.
void cumulate(std::span<const std::int64_t> shape, double* table);

// Adds `amount` in every cell of one side to a difference array; `edges` are the starts and ends of its runs of cells.
inline void scatter(std::span<const std::int32_t> edges, double amount, double* out) {
    for (std::size_t i = 0; i < edges.size(); ++i) out[edges[i]] += i % 2 == 0 ? amount : -amount;
}

// Sets the cells of missing and unseen values to 0 in a table over the cells of `features`.
void clear_irregular(const Axes& axes, std::span<const std::int32_t> features, double* table);

// Mean of a table under cell weights, or the plain mean if all weights are 0. The sum runs over differences from one
// value of the table, so that the mean of equal values is exactly that value.
double weighted_mean(std::span<const double> value, std::span<const double> weight);

}  // namespace glasswood::explain

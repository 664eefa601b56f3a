// Cell tables: arrays over the cells of one or several features, one after the other, and the sums and means that
// effects and interactions form in them.
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

// Running sums along every axis of a table of the given shape, in place: what a difference array stands for.
void cumulate(std::span<const std::int64_t> shape, double* table);

// Adds `amount` times the indicator of one side to a difference array.
inline void scatter(std::span<const std::int32_t> edges, double amount, double* out) {
    for (std::size_t i = 0; i < edges.size(); ++i) out[edges[i]] += i % 2 == 0 ? amount : -amount;
}

// Sets the cells of missing and unseen values to 0 in a table over the cells of `features`.
void clear_irregular(const Axes& axes, std::span<const std::int32_t> features, double* table);

// Mean of a table under cell weights, of all cells alike where none has weight. Measured from a value of the table, so
// that the mean of equal values is that value to the bit.
double weighted_mean(std::span<const double> value, std::span<const double> weight);

}  // namespace glasswood::explain

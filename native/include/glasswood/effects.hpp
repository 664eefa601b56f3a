// Effects: tables of one feature from the shares of the leaves, by difference arrays.
//
// With W[U] the share of a leaf of value v once the features of U are replaced (interventional: share of rows; path:
// product of child / parent weights), the term of feature j is
//     f_j(z) = PD_j(z) - PD_∅ = Σ_{leaves that ask for j} v (W[j] · 1[z on its side] - W[∅]).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/ensemble.hpp"
#include "glasswood/paths.hpp"
#include "glasswood/slots.hpp"

namespace glasswood {

// PD_∅ per output: the mean of raw.
std::vector<double> mean_raw(const Ensemble& ensemble, const Paths& paths, const Slots& slots);

// f_j of every feature in `features`, which must be free: tables (n_outputs, cells) one after the other.
std::vector<double> effect_terms(const Ensemble& ensemble, const Paths& paths, const Slots& slots,
                                 std::span<const std::int32_t> features);

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

// Mean of a table under cell weights, of all cells alike where none has weight. Measured from a value of the table, so
// that the mean of equal values is that value to the bit.
double weighted_mean(std::span<const double> value, std::span<const double> weight);

// The tree each leaf belongs to.
std::vector<std::int32_t> trees_of_leaves(const Paths& paths);

}  // namespace glasswood

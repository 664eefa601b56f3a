// Effects: tables of one feature from the shares of the leaves, by difference arrays.
//
// With W[U] the share of a leaf of value v once the features of U are replaced (interventional: share of rows; path:
// product of child / parent weights), the term of feature j is
//     f_j(z) = PD_j(z) - PD_∅ = Σ_{leaves that ask for j} v (W[j] · 1[z on its side] - W[∅]).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/shares.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

// PD_∅ per output: the mean of raw, as far as the trees of the shares go.
std::vector<double> mean_raw(const model::Ensemble& ensemble, const Paths& paths, const LeafShares& shares);

// f_j of every feature in `features`, which must be free: tables (n_outputs, cells) one after the other.
std::vector<double> effect_terms(const model::Ensemble& ensemble, const Paths& paths, const LeafShares& shares,
                                 std::span<const std::int32_t> features);

}  // namespace glasswood::explain

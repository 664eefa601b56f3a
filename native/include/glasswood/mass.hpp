// Mass: how the training weight of the leaves lies on the cells where there is no table to count in. Each leaf spreads
// its weight evenly over the cells it spans; a table's mass is the mean over the trees that use its features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/ensemble.hpp"
#include "glasswood/paths.hpp"

namespace glasswood {

// Tables (n_outputs, cells …) one after the other, for single features (degree 1) or pairs (degree 2), into `out`,
// which starts as 0. The missing and the unseen cells get 0.
void shared_mass(const Ensemble& ensemble, const Paths& paths, std::span<const std::int32_t> features,
                 std::size_t degree, int n_threads, double* out);

}  // namespace glasswood

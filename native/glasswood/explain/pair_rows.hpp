// Pair rows: the terms of pairs of features, computed only at given rows.
//
// A small table is computed as a whole and looked up. A large one is not stored: a sweep over the cells of the first
// feature keeps the differences along the second, and reads their running sums at the cells of the rows.
#pragma once

#include <cstdint>
#include <span>

#include "glasswood/explain/cell_codes.hpp"
#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/shares.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

// Adds f_jk of every pair, at the cells of the rows, to a column (n_rows, n_outputs) of its own or, with `shared`, to
// one column for all. Tables of more than `max_cells` cells are not stored.
void add_pair_rows(const model::Ensemble& ensemble, const Paths& paths, const LeafShares& shares,
                   std::span<const std::int32_t> pairs, const Codes& codes, std::int64_t max_cells, int n_threads,
                   bool shared, double* out);

}  // namespace glasswood::explain

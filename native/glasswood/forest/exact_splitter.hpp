// ExactSplitter: a Splitter that tries every threshold between two neighbouring values, and every cut in the order of
// the node's own category levels.
#pragma once

#include <memory>

#include "glasswood/forest/criteria.hpp"
#include "glasswood/forest/rank_table.hpp"
#include "glasswood/forest/splitter.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::forest {

// Borrows everything it is given. `n_threads` search the features of one large node together.
template <class Criterion>
std::unique_ptr<Splitter> make_exact_splitter(const Ranks& ranks, const table::Rows& rows,
                                              std::span<const std::int32_t> n_levels, Criterion criterion,
                                              int n_threads);

}  // namespace glasswood::forest

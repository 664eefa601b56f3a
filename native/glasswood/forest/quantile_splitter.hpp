// QuantileSplitter: a Splitter that tries the cuts of a CutTable only, and adds up its cells instead of sorting.
#pragma once

#include <memory>
#include <span>

#include "glasswood/forest/criteria.hpp"
#include "glasswood/forest/cut_table.hpp"
#include "glasswood/forest/splitter.hpp"

namespace glasswood::forest {

// Borrows the table. `label` holds the class of each row where there are two and the criterion is `Moments` of 0 and 1:
// rows that count a whole number of times are then added up many at a time; otherwise it is empty.
template <class Criterion>
std::unique_ptr<Splitter> make_quantile_splitter(const CutTable& table, Criterion criterion,
                                                 std::span<const std::int32_t> label);

}  // namespace glasswood::forest

// Quantile: a Splitter that tries the cuts of a CutTable only, and adds up its cells instead of sorting.
#pragma once

#include <memory>

#include "glasswood/cuts.hpp"
#include "glasswood/impurity.hpp"
#include "glasswood/split.hpp"

namespace glasswood {

// Borrows the table.
template <class Criterion>
std::unique_ptr<Splitter> make_quantile_splitter(const CutTable& table, Criterion criterion);

}  // namespace glasswood

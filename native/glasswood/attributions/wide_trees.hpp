// WideTree: attributions of a tree with a path of more features than a mask has bits. Leaf by leaf and row by row, slow
// and right; hardly any model has such a tree.
#pragma once

#include <cstddef>

#include "glasswood/attributions/background.hpp"
#include "glasswood/attributions/tables.hpp"
#include "glasswood/base/interrupt.hpp"

namespace glasswood::attributions {

// Adds what the tree gives to every row. `background` null: children averaged by their shares.
void add_wide_tree(const AttributionPlan& plan, std::size_t tree, const Background* background,
                   const explain::Codes& codes, const AttributionSlots& slots, int n_threads,
                   const base::Interrupt& interrupt, double* out);

}  // namespace glasswood::attributions

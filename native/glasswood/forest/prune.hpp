// Prune: minimal cost-complexity pruning (Breiman, Friedman, Olshen, Stone 1984, section 3.3).
#pragma once

#include "glasswood/forest/tree_grower.hpp"

namespace glasswood::forest {

// The smallest subtree that minimises Σ mass(leaf)/weight(root) + alpha · (number of leaves). Nodes come back in
// pre-order.
TreeNodes prune(const TreeNodes& tree, double alpha, std::size_t width);

}  // namespace glasswood::forest

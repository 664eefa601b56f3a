// Blocks: rows side by side, so that what they need stays in the first cache. No standard header with inline functions
// may be included here: kernels are compiled per CPU level.
#pragma once

#include <cstddef>

#include "glasswood/base/macros.hpp"

namespace glasswood::boosting::GLASSWOOD_LEVEL {

constexpr std::size_t block = 64;  // rows

// Calls body(first, n) block by block. Loops over whole blocks have a known length.
template <class Body>
GLASSWOOD_INLINE void for_blocks(std::size_t n, const Body& body) {
    std::size_t first = 0;
    for (; first + block <= n; first += block) body(first, block);
    body(first, n - first);
}

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

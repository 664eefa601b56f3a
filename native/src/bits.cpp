#include "glasswood/bits.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood {

GLASSWOOD_DISPATCH(BitKernels, bits, bit_kernels)

}  // namespace glasswood

#include "glasswood/explain/row_bitsets.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::explain {

GLASSWOOD_DISPATCH(BitKernels, bits, bit_kernels)

}  // namespace glasswood::explain

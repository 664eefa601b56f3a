#include "glasswood/forest/cell_tally.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::forest {

GLASSWOOD_DISPATCH(TallyKernels, tallies, tally_kernels)

}  // namespace glasswood::forest

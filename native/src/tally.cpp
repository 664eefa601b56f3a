#include "glasswood/tally.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood {

GLASSWOOD_DISPATCH(TallyKernels, tallies, tally_kernels)

}  // namespace glasswood

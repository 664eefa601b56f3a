#include "glasswood/attribution_kernels.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood {

GLASSWOOD_DISPATCH(AttributionKernels, attribution, attribution_kernels)

}  // namespace glasswood

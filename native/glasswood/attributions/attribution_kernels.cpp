#include "glasswood/attributions/attribution_kernels.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::attributions {

GLASSWOOD_DISPATCH(AttributionKernels, attribution, attribution_kernels)

}  // namespace glasswood::attributions

#include "glasswood/boosting/histogram_fill.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(FillKernels, fill_kernels, fill_kernels)

}  // namespace glasswood::boosting

#include "glasswood/fill.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(FillKernels, fill_kernels, fill_kernels)

}  // namespace glasswood::boosting

#include "glasswood/histogram.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(BoostKernels, kernels, boost_kernels)

}  // namespace glasswood::boosting

#include "glasswood/boosting/split_scan.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(BoostKernels, kernels, boost_kernels)

}  // namespace glasswood::boosting

#include "glasswood/boosting/loss_kernels.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(LossKernels, loss_table, loss_kernels)

}  // namespace glasswood::boosting

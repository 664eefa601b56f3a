#include "glasswood/loss_kernels.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(LossKernels, loss_table, loss_kernels)

}  // namespace glasswood::boosting

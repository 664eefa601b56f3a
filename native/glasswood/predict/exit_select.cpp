#include "glasswood/predict/exit_select.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::predict {

GLASSWOOD_DISPATCH(SelectKernels, kernels, select_kernels)

}  // namespace glasswood::predict

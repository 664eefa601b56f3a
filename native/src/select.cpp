#include "glasswood/select.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood {

GLASSWOOD_DISPATCH(SelectKernels, kernels, select_kernels)

}  // namespace glasswood

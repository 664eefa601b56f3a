#include "glasswood/base/elementary_kernels.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::base {

GLASSWOOD_DISPATCH(ElementaryKernels, elementary_table, elementary_kernels)

}  // namespace glasswood::base

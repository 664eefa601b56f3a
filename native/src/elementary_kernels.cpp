#include "glasswood/elementary_kernels.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood {

GLASSWOOD_DISPATCH(ElementaryKernels, elementary_table, elementary_kernels)

}  // namespace glasswood

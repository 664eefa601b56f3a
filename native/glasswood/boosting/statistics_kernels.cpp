#include "glasswood/boosting/statistics_kernels.hpp"

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(StatisticsKernels, statistics_table, statistics_kernels)

}  // namespace glasswood::boosting

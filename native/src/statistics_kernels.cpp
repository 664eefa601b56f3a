#include "glasswood/statistics_kernels.hpp"

#include "glasswood/dispatch.hpp"

namespace glasswood::boosting {

GLASSWOOD_DISPATCH(StatisticsKernels, statistics_table, statistics_kernels)

}  // namespace glasswood::boosting

// Elementary kernels: the elementary functions of many numbers, compiled per CPU level; every level gives the same
// bits.
#pragma once

#include <cstddef>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::base {

struct ElementaryKernels {
    using Function = void (*)(const double* in, std::size_t n, double* out);
    Function exp;
    Function log;
    Function log2;
    Function log1p;
    Function expit;
};

const ElementaryKernels& elementary_kernels(CpuLevel level);

}  // namespace glasswood::base

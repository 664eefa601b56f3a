// Dispatch: the choice between the tables of kernels that NAME.simd.cpp is compiled to, one per CPU level. The macro
// stands in NAME.cpp, in the folder of the kernels.
#pragma once

#include "glasswood/base/cpu_level.hpp"

#ifdef GLASSWOOD_X86_LEVELS
#define GLASSWOOD_DISPATCH(Kernels, table, choose)         \
    namespace plain {                                      \
    extern const Kernels table;                            \
    }                                                      \
    namespace v3 {                                         \
    extern const Kernels table;                            \
    }                                                      \
    namespace v4 {                                         \
    extern const Kernels table;                            \
    }                                                      \
    const Kernels& choose(base::CpuLevel level) {          \
        if (level == base::CpuLevel::v4) return v4::table; \
        if (level == base::CpuLevel::v3) return v3::table; \
        return plain::table;                               \
    }
#else
#define GLASSWOOD_DISPATCH(Kernels, table, choose) \
    namespace plain {                              \
    extern const Kernels table;                    \
    }                                              \
    const Kernels& choose(base::CpuLevel) { return plain::table; }
#endif

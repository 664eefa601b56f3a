#include "glasswood/fill.hpp"

namespace glasswood::boosting {

namespace plain {
extern const FillKernels fill_kernels;
}
#ifdef GLASSWOOD_X86_LEVELS
namespace v3 {
extern const FillKernels fill_kernels;
}
namespace v4 {
extern const FillKernels fill_kernels;
}
#endif

const FillKernels& fill_kernels(Level level) {
#ifdef GLASSWOOD_X86_LEVELS
    if (level == Level::v4) return v4::fill_kernels;
    if (level == Level::v3) return v3::fill_kernels;
#endif
    (void)level;
    return plain::fill_kernels;
}

}  // namespace glasswood::boosting

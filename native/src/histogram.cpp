#include "glasswood/histogram.hpp"

namespace glasswood::boosting {

namespace plain {
extern const BoostKernels kernels;
}
#ifdef GLASSWOOD_X86_LEVELS
namespace v3 {
extern const BoostKernels kernels;
}
namespace v4 {
extern const BoostKernels kernels;
}
#endif

const BoostKernels& boost_kernels(Level level) {
#ifdef GLASSWOOD_X86_LEVELS
    if (level == Level::v4) return v4::kernels;
    if (level == Level::v3) return v3::kernels;
#endif
    (void)level;
    return plain::kernels;
}

}  // namespace glasswood::boosting

#include "glasswood/select.hpp"

namespace glasswood {

namespace plain {
extern const SelectKernels kernels;
}
#ifdef GLASSWOOD_X86_LEVELS
namespace v3 {
extern const SelectKernels kernels;
}
namespace v4 {
extern const SelectKernels kernels;
}
#endif

const SelectKernels& select_kernels(Level level) {
#ifdef GLASSWOOD_X86_LEVELS
    if (level == Level::v4) return v4::kernels;
    if (level == Level::v3) return v3::kernels;
#endif
    (void)level;
    return plain::kernels;
}

}  // namespace glasswood

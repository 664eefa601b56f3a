#include "glasswood/bits.hpp"

namespace glasswood {

namespace plain {
extern const BitKernels bits;
}
#ifdef GLASSWOOD_X86_LEVELS
namespace v3 {
extern const BitKernels bits;
}
namespace v4 {
extern const BitKernels bits;
}
#endif

const BitKernels& bit_kernels(Level level) {
#ifdef GLASSWOOD_X86_LEVELS
    if (level == Level::v4) return v4::bits;
    if (level == Level::v3) return v3::bits;
#endif
    (void)level;
    return plain::bits;
}

}  // namespace glasswood

#include "glasswood/tally.hpp"

namespace glasswood {

namespace plain {
extern const TallyKernels tallies;
}
#ifdef GLASSWOOD_X86_LEVELS
namespace v3 {
extern const TallyKernels tallies;
}
namespace v4 {
extern const TallyKernels tallies;
}
#endif

const TallyKernels& tally_kernels(Level level) {
#ifdef GLASSWOOD_X86_LEVELS
    if (level == Level::v4) return v4::tallies;
    if (level == Level::v3) return v3::tallies;
#endif
    (void)level;
    return plain::tallies;
}

}  // namespace glasswood

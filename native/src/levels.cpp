#include "glasswood/levels.hpp"

#include <algorithm>
#include <atomic>

namespace glasswood {
namespace {

Level best_level() {
#ifdef GLASSWOOD_X86_LEVELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return Level::v4;
    if (__builtin_cpu_supports("x86-64-v3")) return Level::v3;
#endif
    return Level::plain;
}

std::atomic<Level> in_use{best_level()};

}  // namespace

Level cpu_level() { return in_use.load(std::memory_order_relaxed); }

Level use_level(Level cap) {
    in_use.store(std::min(cap, best_level()));
    return cpu_level();
}

}  // namespace glasswood

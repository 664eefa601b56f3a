#include "glasswood/levels.hpp"

#include <algorithm>
#include <atomic>

namespace glasswood {
namespace {

#ifdef GLASSWOOD_X86_LEVELS
#if defined(__clang__) && __clang_major__ < 17
// Older clang does not know the levels by name: the parts of them that no CPU has without the rest.
bool has_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
}
bool has_v4() {
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#else
bool has_v3() { return __builtin_cpu_supports("x86-64-v3"); }
bool has_v4() { return __builtin_cpu_supports("x86-64-v4"); }
#endif
#endif

Level best_level() {
#ifdef GLASSWOOD_X86_LEVELS
    __builtin_cpu_init();
    if (has_v4()) return Level::v4;
    if (has_v3()) return Level::v3;
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

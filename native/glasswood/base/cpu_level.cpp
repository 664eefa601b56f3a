#include "glasswood/base/cpu_level.hpp"

#ifdef GLASSWOOD_X86_LEVELS
#include <cpuid.h>
#endif

#include <algorithm>
#include <atomic>

namespace glasswood::base {
namespace {

#ifdef GLASSWOOD_X86_LEVELS
// Checks a level feature by feature, because older compilers do not know the names of the levels, nor of a few
// features. The builtin also checks that the system saves the wide registers.
bool has_v3() {
    unsigned int a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_MOVBE) == 0 || (c & bit_F16C) == 0) return false;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d) == 0 || (c & bit_LZCNT) == 0) return false;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

bool has_v4() {
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

CpuLevel best_level() {
#ifdef GLASSWOOD_X86_LEVELS
    __builtin_cpu_init();
    if (has_v4()) return CpuLevel::v4;
    if (has_v3()) return CpuLevel::v3;
#endif
    return CpuLevel::plain;
}

std::atomic<CpuLevel> in_use{best_level()};

}  // namespace

CpuLevel cpu_level() { return in_use.load(std::memory_order_relaxed); }

CpuLevel use_level(CpuLevel cap) {
    in_use.store(std::min(cap, best_level()));
    return cpu_level();
}

}  // namespace glasswood::base

// CpuLevel: which of the compiled variants of a hot kernel runs. Every variant gives the same bits.
#pragma once

#include <cstdint>

namespace glasswood::base {

enum class CpuLevel : std::uint8_t { plain, v3, v4 };  // any CPU, x86-64-v3 (AVX2), x86-64-v4 (AVX-512)

// The level in use: the best the CPU has, unless use_level asked for a lower one.
CpuLevel cpu_level();

// Caps the level for the whole process, for tests and measurements; returns the level now in use.
CpuLevel use_level(CpuLevel cap);

}  // namespace glasswood::base

// Macros of formulas: functions that are compiled into every kernel that uses them, for a CPU or for a GPU.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define GLASSWOOD_INLINE __host__ __device__ __forceinline__
#else
// Code that several CPU levels are compiled from must not exist as a function the linker could share.
#define GLASSWOOD_INLINE [[gnu::always_inline]] inline
#endif

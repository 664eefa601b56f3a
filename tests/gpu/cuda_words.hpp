// CUDA's words for a C++ compiler: kernels run on the CPU, one block after the other, so that tests on any machine can
// compare what they compute. Every thread of a block is a fiber; a fiber runs until it waits for others of its warp or
// block. What cannot be seen here: races between threads, and the memory of a device.
#pragma once

#include <ucontext.h>

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __restrict__
#define GLASSWOOD_EMULATED 1

struct uint4 {
    unsigned x, y, z, w;
};
struct int4 {
    int x, y, z, w;
};
struct int2 {
    int x, y;
};
struct uint2 {
    unsigned x, y;
};
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static inline int2 make_int2(int x, int y) { return {x, y}; }
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }

struct Place {
    unsigned x;
};
static Place threadIdx, blockIdx, blockDim, gridDim;

namespace emulator {

constexpr std::size_t stack_bytes = 64 * 1024;

struct Fiber {
    ucontext_t first;
    jmp_buf at;
    bool started = false, finished = false;
    std::uint64_t waits = 0;  // the number of the meeting it waits for; 0: none
    unsigned meeting = 0;     // of its warp (0..) or the block
};

static std::vector<Fiber> fibers;
static std::vector<char> stacks;
static std::vector<std::uint64_t> exchange;  // one word per thread
static std::vector<unsigned> arrived;        // at the meeting of each warp, and of the block
static std::vector<std::uint64_t> held;      // meetings held so far
static unsigned n_alive = 0, current = 0;
static jmp_buf scheduler;
static void (*body)() = nullptr;
alignas(64) static unsigned char dynamic_shared[256 * 1024];

inline void pause() {
    if (_setjmp(fibers[current].at) == 0) _longjmp(scheduler, 1);
}

// Waits until `expected` threads have come to this meeting.
inline void meet(unsigned place, unsigned expected) {
    const std::uint64_t number = held[place] + 1;
    if (++arrived[place] == expected) {
        arrived[place] = 0;
        held[place] = number;
        return;
    }
    while (held[place] < number) {
        fibers[current].meeting = place;
        fibers[current].waits = number;
        pause();
    }
}

inline unsigned block_place() { return static_cast<unsigned>(held.size()) - 1; }
inline void meet_warp(unsigned mask) { meet(threadIdx.x / 32, static_cast<unsigned>(__builtin_popcount(mask))); }

template <class T>
T from_lane(unsigned mask, T value, unsigned lane) {
    static_assert(sizeof(T) <= 8);
    const unsigned first = threadIdx.x / 32 * 32;
    std::memcpy(&exchange[threadIdx.x], &value, sizeof value);
    meet_warp(mask);
    T other;
    std::memcpy(&other, &exchange[first + lane], sizeof other);
    meet_warp(mask);
    return other;
}

inline void enter() {
    body();
    fibers[current].finished = true;
    --n_alive;
    // those who wait for the whole block need not wait for this thread
    const unsigned place = block_place();
    if (n_alive > 0 && arrived[place] == n_alive) {
        arrived[place] = 0;
        ++held[place];
    }
    _longjmp(scheduler, 1);
}

inline void run_block(unsigned threads) {
    if (stacks.size() < threads * stack_bytes) stacks.resize(threads * stack_bytes);
    fibers.assign(threads, Fiber{});
    exchange.assign(threads, 0);
    arrived.assign((threads + 31) / 32 + 1, 0);
    held.assign((threads + 31) / 32 + 1, 0);
    n_alive = threads;
    while (n_alive > 0) {
        bool any = false;
        for (unsigned t = 0; t < threads; ++t) {
            Fiber& fiber = fibers[t];
            if (fiber.finished || (fiber.waits > held[fiber.meeting])) continue;
            any = true;
            fiber.waits = 0;
            current = t;
            threadIdx.x = t;
            if (_setjmp(scheduler) != 0) continue;
            if (fiber.started) _longjmp(fiber.at, 1);
            fiber.started = true;
            getcontext(&fiber.first);
            fiber.first.uc_stack.ss_sp = stacks.data() + t * stack_bytes;
            fiber.first.uc_stack.ss_size = stack_bytes;
            makecontext(&fiber.first, &enter, 0);
            setcontext(&fiber.first);
        }
        if (!any) {
            std::fprintf(stderr, "the threads of a block wait for each other for ever\n");
            std::abort();
        }
    }
}

template <class... A, std::size_t... I>
void run(void (*kernel)(A...), unsigned grid, unsigned threads, void** args, std::index_sequence<I...>) {
    static std::tuple<A...>* given;
    static void (*function)(A...);
    std::tuple<A...> own{*static_cast<A*>(args[I])...};
    given = &own;
    function = kernel;
    body = [] { std::apply(function, *given); };
    gridDim.x = grid;
    blockDim.x = threads;
    for (unsigned b = 0; b < grid; ++b) {
        blockIdx.x = b;
        std::memset(dynamic_shared, 0xA5, sizeof dynamic_shared);  // a device does not clear it either
        run_block(threads);
    }
}

template <class... A>
void run(void (*kernel)(A...), unsigned grid, unsigned threads, void** args) {
    run(kernel, grid, threads, args, std::index_sequence_for<A...>{});
}

}  // namespace emulator

#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(emulator::dynamic_shared)

static inline unsigned shared_address(const void* p) {
    return static_cast<unsigned>(static_cast<const unsigned char*>(p) - emulator::dynamic_shared);
}
static inline unsigned load_shared(unsigned at) { return *reinterpret_cast<unsigned*>(emulator::dynamic_shared + at); }
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return static_cast<unsigned>(((static_cast<std::uint64_t>(high) << 32 | low) << (by & 31)) >> 32);
}
template <int OFFSET>
inline void add_shared(unsigned at, unsigned value) {
    *reinterpret_cast<unsigned*>(emulator::dynamic_shared + at + OFFSET) += value;
}

static inline void __syncthreads() { emulator::meet(emulator::block_place(), emulator::n_alive); }
static inline void __syncwarp() { emulator::meet_warp(~0u); }
static inline void __threadfence() {}
template <class T>
T __shfl_sync(unsigned mask, T value, int lane) {
    return emulator::from_lane(mask, value, lane);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int d) {
    return emulator::from_lane(mask, value, (threadIdx.x % 32) ^ d);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, int d) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    return emulator::from_lane(mask, value, lane >= d ? lane - d : lane);
}
static inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    for (int d = 16; d; d >>= 1) value += __shfl_xor_sync(mask, value, d);
    return value;
}
static inline unsigned __ballot_sync(unsigned mask, bool value) {
    const unsigned first = threadIdx.x / 32 * 32;
    emulator::exchange[threadIdx.x] = value;
    emulator::meet_warp(mask);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane) bits |= static_cast<unsigned>(emulator::exchange[first + lane]) << lane;
    emulator::meet_warp(mask);
    return bits;
}
template <class T, class U>
T atomicAdd(T* to, U value) {
    const T old = *to;
    *to = static_cast<T>(old + value);
    return old;
}
template <class T, class U>
T atomicMax(T* to, U value) {
    const T old = *to;
    if (old < value) *to = value;
    return old;
}
template <class T, class U>
T atomicOr(T* to, U value) {
    const T old = *to;
    *to = old | value;
    return old;
}
template <class T>
T __ldg(const T* p) {
    return *p;
}
template <class T>
T __ldcg(const T* p) {
    return *p;
}
template <class Answer>
static inline unsigned by_byte(unsigned a, unsigned b, Answer answer) {
    unsigned out = 0;
    for (int k = 0; k < 32; k += 8) out |= answer(a >> k & 255, b >> k & 255) ? 255u << k : 0;
    return out;
}
static inline unsigned __vcmpgtu4(unsigned a, unsigned b) {
    return by_byte(a, b, [](unsigned x, unsigned y) { return x > y; });
}
static inline unsigned __vcmpeq4(unsigned a, unsigned b) {
    return by_byte(a, b, [](unsigned x, unsigned y) { return x == y; });
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline unsigned __byte_perm(unsigned word, unsigned, unsigned which) { return word >> 8 * (which & 3) & 0xFF; }
static inline long long __double2ll_rn(double x) { return __builtin_llrint(x); }

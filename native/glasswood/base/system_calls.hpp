// System calls: what differs between operating systems, so that no other file asks which one it is on. Windows has no
// fork, sends no signals to threads, and measures the CPU time of a thread too coarsely to be of use.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(_WIN32)
#include <signal.h>
#endif

namespace glasswood::base {

// Memory at a multiple of `unit`, a power of two that divides `bytes`; null where there is none. Huge pages are asked
// for if `large` and the system has them.
void* take_aligned(std::size_t unit, std::size_t bytes, bool large);
void free_aligned(void* p) noexcept;

// CPU time of the calling thread; on Windows, the time of the clock.
std::int64_t thread_nanoseconds();

// Registers `forget`, to be called in every forked child. False if that failed, or if there is no fork.
bool call_after_fork(void (*forget)());

// What pressing Ctrl-C does.
void interrupt_process();

// Blocks signals in this thread and those it starts, so that Python receives them in its own threads.
class SignalsBlocked {
 public:
    SignalsBlocked();
    ~SignalsBlocked();
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

#if !defined(_WIN32)
 private:
    sigset_t before_;
#endif
};

}  // namespace glasswood::base

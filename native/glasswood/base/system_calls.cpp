#include "glasswood/base/system_calls.hpp"

#include <cstdlib>

#if defined(_WIN32)

#include <malloc.h>

#include <csignal>

#include "glasswood/base/spin.hpp"

namespace glasswood::base {

void* take_aligned(std::size_t unit, std::size_t bytes, bool) { return _aligned_malloc(bytes, unit); }
void free_aligned(void* p) noexcept { _aligned_free(p); }
std::int64_t thread_nanoseconds() { return nanoseconds_now(); }
bool call_after_fork(void (*)()) { return false; }
void interrupt_process() { (void)std::raise(SIGINT); }
SignalsBlocked::SignalsBlocked() {}
SignalsBlocked::~SignalsBlocked() {}

}  // namespace glasswood::base

#else

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace glasswood::base {

void* take_aligned(std::size_t unit, std::size_t bytes, [[maybe_unused]] bool large) {
    void* p = std::aligned_alloc(unit, bytes);
#if defined(__linux__)
    if (p != nullptr && large) (void)madvise(p, bytes, MADV_HUGEPAGE);  // a hint: without it all is only slower
#endif
    return p;
}

void free_aligned(void* p) noexcept { std::free(p); }

std::int64_t thread_nanoseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void interrupt_process() { kill(getpid(), SIGINT); }

bool call_after_fork(void (*forget)()) { return pthread_atfork(nullptr, nullptr, forget) == 0; }

SignalsBlocked::SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace glasswood::base

#endif

// Spin: polling for a bounded time before a thread goes to sleep.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace glasswood::base {

inline std::int64_t nanoseconds_now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Tells the CPU that this thread only polls, so that others get its resources.
inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Calls done() until it is true, for at most so many nanoseconds; returns whether it became true.
template <class Done>
bool spin(double nanoseconds, Done&& done) {
    const std::int64_t end = nanoseconds_now() + static_cast<std::int64_t>(nanoseconds);
    do {
        for (int i = 0; i < 32; ++i) {
            if (done()) return true;
            pause_briefly();
        }
    } while (nanoseconds_now() < end);
    return done();
}

// Locks a mutex that is held for a few nanoseconds only: polling is far cheaper than sleeping until it is free.
class PatientLock {
 public:
    explicit PatientLock(std::mutex& guard) : guard_(guard) {
        for (int i = 0; i < 200; ++i) {
            if (guard_.try_lock()) return;
            pause_briefly();
        }
        guard_.lock();
    }
    ~PatientLock() { guard_.unlock(); }
    PatientLock(const PatientLock&) = delete;
    PatientLock& operator=(const PatientLock&) = delete;

 private:
    std::mutex& guard_;
};

}  // namespace glasswood::base

// Interrupt: lets a long kernel be stopped from outside. The kernel works on a thread of its own and looks at a flag
// between small pieces of work; the calling thread waits and asks now and then whether somebody wants it to stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>

namespace glasswood::base {

struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

// For tests: at the check with this number (1 is the next) of work that can be stopped, Ctrl-C is pressed, and the
// check waits until the work is told to stop. 0: never.
void press_at_check(std::uint64_t number);

class Interrupt {
 public:
    // Throws Interrupted once stop() was called.
    void check() const {
        if (heard_) count_check();
        if (stopped()) throw Interrupted();
    }
    void stop() { stopped_.store(true, std::memory_order_relaxed); }

 private:
    friend void run_interruptibly(const std::function<void(const Interrupt&)>&, const std::function<bool()>&);

    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    void count_check() const;

    std::atomic<bool> stopped_{false};
    bool heard_ = false;  // run_interruptibly waits for the work and may stop it
};

// The interrupt that parallel_for and check_interrupt look at in this thread, while the scope lives; null:
// the work cannot be stopped.
class InterruptScope {
 public:
    explicit InterruptScope(const Interrupt* interrupt);
    ~InterruptScope();
    InterruptScope(const InterruptScope&) = delete;
    InterruptScope& operator=(const InterruptScope&) = delete;

 private:
    const Interrupt* before_;
};

const Interrupt* current_interrupt();

// For long loops on one thread: throws Interrupted if somebody wants the work to stop.
inline void check_interrupt() {
    if (const Interrupt* interrupt = current_interrupt()) interrupt->check();
}

// Runs `work` on another thread and calls `wants_stop` here every 50 ms until it has finished. Exceptions of `work`
// are rethrown here; one that `wants_stop` caused arrives as Interrupted.
void run_interruptibly(const std::function<void(const Interrupt&)>& work, const std::function<bool()>& wants_stop);

}  // namespace glasswood::base

// Interrupt: lets a long kernel be stopped from outside. The kernel works on a thread of its own and looks at a flag
// between small pieces of work; the calling thread waits and asks now and then whether somebody wants it to stop.
#pragma once

#include <atomic>
#include <exception>
#include <functional>

namespace glasswood {

struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

class Interrupt {
 public:
    // Throws Interrupted once stop() was called.
    void check() const {
        if (stopped_.load(std::memory_order_relaxed)) throw Interrupted();
    }
    void stop() { stopped_.store(true, std::memory_order_relaxed); }

 private:
    std::atomic<bool> stopped_{false};
};

// Runs `work` on another thread and calls `wants_stop` here every 50 ms until it has finished. Exceptions of `work`
// are rethrown here; one that `wants_stop` caused arrives as Interrupted.
void run_interruptibly(const std::function<void(const Interrupt&)>& work, const std::function<bool()>& wants_stop);

}  // namespace glasswood

#include "glasswood/interrupt.hpp"

#include <chrono>
#include <future>

namespace glasswood {

void run_interruptibly(const std::function<void(const Interrupt&)>& work, const std::function<bool()>& wants_stop) {
    Interrupt interrupt;
    auto done = std::async(std::launch::async, [&] { work(interrupt); });
    while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        if (wants_stop()) interrupt.stop();
    }
    done.get();
}

}  // namespace glasswood

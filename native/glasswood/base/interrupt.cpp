#include "glasswood/base/interrupt.hpp"

#include <chrono>
#include <future>
#include <thread>

#include "glasswood/base/system_calls.hpp"

namespace glasswood::base {
namespace {

std::atomic<std::uint64_t> checks_left{0};

thread_local const Interrupt* current = nullptr;

}  // namespace

void press_at_check(std::uint64_t number) { checks_left.store(number); }

void Interrupt::count_check() const {
    std::uint64_t left = checks_left.load(std::memory_order_relaxed);
    while (left != 0 && !checks_left.compare_exchange_weak(left, left - 1)) {
    }
    if (left != 1) return;
    interrupt_process();
    while (!stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

InterruptScope::InterruptScope(const Interrupt* interrupt) : before_(current) { current = interrupt; }

InterruptScope::~InterruptScope() { current = before_; }

const Interrupt* current_interrupt() { return current; }

void run_interruptibly(const std::function<void(const Interrupt&)>& work, const std::function<bool()>& wants_stop) {
    Interrupt interrupt;
    interrupt.heard_ = true;
    auto done = std::async(std::launch::async, [&] { work(interrupt); });
    while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        if (wants_stop()) interrupt.stop();
    }
    done.get();
}

}  // namespace glasswood::base

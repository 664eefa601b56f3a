#include <csignal>
#include <stdexcept>

#include "glasswood/base/interrupt.hpp"
#include "tests.hpp"

namespace glasswood::tests {
namespace {

volatile std::sig_atomic_t pressed = 0;

template <class Work>
bool is_interrupted(Work&& work) {
    try {
        work();
    } catch (const base::Interrupted&) {
        return true;
    }
    return false;
}

}  // namespace

void test_interrupt() {
    const auto never = [] { return false; };
    int done = 0;
    base::run_interruptibly([&](const base::Interrupt&) { done = 1; }, never);
    CHECK(done == 1);

    bool thrown = false;
    try {
        base::run_interruptibly([](const base::Interrupt&) { throw std::runtime_error("own"); }, never);
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);

    CHECK(is_interrupted([] {
        base::run_interruptibly(
            [](const base::Interrupt& interrupt) {
                for (;;) interrupt.check();
            },
            [] { return true; });
    }));

    // Ctrl-C at the tenth check: that one is the last.
    const auto before = std::signal(SIGINT, [](int) { pressed = 1; });
    int checks = 0;
    base::press_at_check(10);
    CHECK(is_interrupted([&] {
        base::run_interruptibly(
            [&](const base::Interrupt& interrupt) {
                for (;; ++checks) interrupt.check();
            },
            [] { return pressed != 0; });
    }));
    CHECK(checks == 9);

    // Checks of work that is not run interruptibly do not count.
    pressed = 0;
    base::press_at_check(1);
    const base::Interrupt alone;
    alone.check();
    CHECK(pressed == 0);
    base::press_at_check(0);
    std::signal(SIGINT, before);
}

}  // namespace glasswood::tests

// interruptible: runs a kernel so that Ctrl-C reaches it within a moment.
#pragma once

#include <nanobind/nanobind.h>

#include "glasswood/base/interrupt.hpp"

namespace glasswood::bind {

// Runs work(interrupt) without the GIL. A signal handler that raises (Ctrl-C) stops it, and its exception is thrown.
template <class Work>
void interruptible(Work&& work) {
    bool raised = false;
    try {
        nanobind::gil_scoped_release release;
        base::run_interruptibly(work, [&raised] {
            nanobind::gil_scoped_acquire acquire;
            raised = raised || PyErr_CheckSignals() != 0;
            return raised;
        });
    } catch (const base::Interrupted&) {
        throw nanobind::python_error();
    }
    // The work may have ended before it noticed.
    if (raised) throw nanobind::python_error();
}

// Runs work() without the GIL; if it is large, Ctrl-C stops it at the next chunk of a parallel_for or check_interrupt.
template <class Work>
void stoppable(bool large, Work&& work) {
    if (!large) {
        nanobind::gil_scoped_release release;
        work();
        return;
    }
    interruptible([&](const base::Interrupt& interrupt) {
        const base::InterruptScope scope(&interrupt);
        work();
    });
}

// Steps of a few nanoseconds each that are worth a thread of their own, some milliseconds in all.
inline constexpr std::size_t stoppable_steps = std::size_t{1} << 20;

}  // namespace glasswood::bind

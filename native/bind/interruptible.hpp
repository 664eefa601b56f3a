// interruptible: runs a kernel so that Ctrl-C reaches it within a moment.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "glasswood/base/interrupt.hpp"

namespace glasswood::bind {

// Runs work(interrupt) without the GIL. A signal handler that raises (Ctrl-C) stops it, and its exception is thrown.
// Meanwhile this thread calls report() every 50 ms, with the GIL; if that throws, the work is stopped too.
template <class Work, class Report>
void interruptible(Work&& work, Report&& report) {
    std::exception_ptr raised;
    try {
        nanobind::gil_scoped_release release;
        base::run_interruptibly(work, [&] {
            nanobind::gil_scoped_acquire acquire;
            if (raised) return true;
            if (PyErr_CheckSignals() != 0) raised = std::make_exception_ptr(nanobind::python_error());
            try {
                report();
            } catch (...) {
                raised = std::current_exception();
            }
            return raised != nullptr;
        });
    } catch (const base::Interrupted&) {
    }
    // The work may also have ended before it noticed.
    if (raised) std::rethrow_exception(raised);
}

template <class Work>
void interruptible(Work&& work) {
    interruptible(work, [] {});
}

// The same if the work is large; small work ends before Ctrl-C matters and is not worth the thread that listens for it.
template <class Work>
void interruptible_if(bool large, Work&& work) {
    if (large) {
        interruptible(work);
    } else {
        nanobind::gil_scoped_release release;
        work(base::Interrupt());
    }
}

// Runs work() without the GIL; if it is large, Ctrl-C stops it at the next chunk of a parallel_for or check_interrupt.
template <class Work>
void stoppable(bool large, Work&& work) {
    interruptible_if(large, [&](const base::Interrupt& interrupt) {
        const base::InterruptScope scope(&interrupt);
        work();
    });
}

// At least so many steps of a few nanoseconds each are worth a thread that listens for Ctrl-C: some milliseconds.
inline constexpr std::size_t stoppable_steps = std::size_t{1} << 20;

}  // namespace glasswood::bind

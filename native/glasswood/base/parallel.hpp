// Parallel: the one place that starts threads. Work is cut into chunks whose number does not depend on the
// number of threads, so results are equal to the bit for any n_jobs.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "glasswood/base/interrupt.hpp"

namespace glasswood::base {

// What all chunks of a region together take one thread, roughly. It decides whether other threads are woken, never what
// is computed: a factor of two does no harm.
struct Work {
    double nanoseconds;
};

// So many things of so many nanoseconds.
constexpr Work work_of(std::size_t n, double each) { return {static_cast<double>(n) * each}; }

// Chunks that are each worth a thread: whole trees, sorted columns, tables of features.
inline constexpr Work large_work{1e9};

// Threads a region may use: what the caller asked for, but not more than there are CPUs for this process.
int usable_threads(int n_threads);

// CPUs that regions may use from now on instead of those the system allows, 0 for the latter; returns the number
// before. Threads above the number of CPUs make nothing faster, but they show that bits do not depend on them.
int pretend_cpus(int n_cpus);

namespace detail {

// Threads to call for help, 0 if the caller had better work alone.
int helpers_for(std::size_t n_chunks, int n_threads, Work work);

// Calls run(body, chunk) for every chunk, with others' help.
void share(std::size_t n_chunks, int helpers, void (*run)(void*, std::size_t), void* body);

}  // namespace detail

// Calls body(chunk) for every chunk in [0, n_chunks). The caller takes chunks itself; threads that are woken take
// others, and one that comes late finds none. A region inside a region runs on the thread that opens it. The first
// exception is rethrown here; chunks not begun by then are left out. Before each chunk it looks at the interrupt of the
// calling thread, which is also that of `body`.
template <class Body>
void parallel_for(std::size_t n_chunks, int n_threads, Work work, Body&& body) {
    const int helpers = detail::helpers_for(n_chunks, n_threads, work);
    if (helpers == 0) {
        for (std::size_t chunk = 0; chunk < n_chunks; ++chunk) {
            check_interrupt();
            body(chunk);
        }
        return;
    }
    const Interrupt* interrupt = current_interrupt();
    const auto checked = [&body, interrupt](std::size_t chunk) {
        const InterruptScope scope(interrupt);
        check_interrupt();
        body(chunk);
    };
    using Checked = std::remove_const_t<decltype(checked)>;
    const auto run = [](void* one, std::size_t chunk) { (*static_cast<const Checked*>(one))(chunk); };
    detail::share(n_chunks, helpers, run, const_cast<Checked*>(std::addressof(checked)));
}

}  // namespace glasswood::base

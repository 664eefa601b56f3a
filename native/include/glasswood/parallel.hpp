// Parallel: the one place that starts threads. Work is cut into chunks whose number does not depend on the
// number of threads, so results are equal to the bit for any n_jobs.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>

namespace glasswood {

// Threads to use: what the caller asked for, or 1 in a forked child, where OpenMP's pool of threads no longer
// exists.
int usable_threads(int n_threads);

// Calls body(chunk) for every chunk in [0, n_chunks), dynamically scheduled. The first exception is rethrown
// here: one that left an OpenMP region would end the process.
template <class Body>
void parallel_for(std::size_t n_chunks, int n_threads, Body&& body) {
    const int threads = usable_threads(n_threads);
    if (threads <= 1 || n_chunks <= 1) {
        for (std::size_t chunk = 0; chunk < n_chunks; ++chunk) body(chunk);
        return;
    }
    std::exception_ptr failure;
    std::mutex guard;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (std::size_t chunk = 0; chunk < n_chunks; ++chunk) {
        try {
            body(chunk);
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!failure) failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace glasswood

// ThreadBenchmark: a parallel region whose chunks only pass time, to test and to measure the threads themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glasswood::base {

struct ThreadBenchmark {
    std::size_t n_chunks;
    int n_threads;
    double expected;       // nanoseconds of the region, as its estimate says
    double taken;          // nanoseconds of a chunk
    std::int64_t failing;  // the chunk that throws, -1: none
    std::size_t nested;    // chunks of a region inside each chunk
};

// The thread that took each chunk: 0 the caller's, the others numbered as they came.
std::vector<std::size_t> run_thread_benchmark(const ThreadBenchmark& benchmark);

}  // namespace glasswood::base

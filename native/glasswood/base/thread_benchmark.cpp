#include "glasswood/base/thread_benchmark.hpp"

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "glasswood/base/parallel.hpp"

namespace glasswood::base {
namespace {

void pass_time(double nanoseconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
    while (Clock::now() < end) {
    }
}

class ThreadNumbers {
 public:
    ThreadNumbers() : seen_{std::this_thread::get_id()} {}

    std::size_t of_this_thread() {
        const std::lock_guard lock(guard_);
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            if (seen_[i] == std::this_thread::get_id()) return i;
        }
        seen_.push_back(std::this_thread::get_id());
        return seen_.size() - 1;
    }

 private:
    std::mutex guard_;
    std::vector<std::thread::id> seen_;
};

}  // namespace

std::vector<std::size_t> run_thread_benchmark(const ThreadBenchmark& benchmark) {
    std::vector<std::size_t> taker(benchmark.n_chunks);
    ThreadNumbers numbers;
    parallel_for(benchmark.n_chunks, benchmark.n_threads, Work{benchmark.expected}, [&](std::size_t chunk) {
        const std::size_t thread = numbers.of_this_thread();
        taker[chunk] = thread;
        if (static_cast<std::int64_t>(chunk) == benchmark.failing) {
            throw std::runtime_error("chunk " + std::to_string(chunk) + " fails as asked");
        }
        parallel_for(benchmark.nested, benchmark.n_threads, Work{benchmark.expected}, [&](std::size_t) {
            if (numbers.of_this_thread() != thread) throw std::logic_error("a nested region left its thread");
            pass_time(benchmark.taken);
        });
        if (benchmark.nested == 0) pass_time(benchmark.taken);
    });
    return taker;
}

}  // namespace glasswood::base

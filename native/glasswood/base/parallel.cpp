#include "glasswood/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "glasswood/base/cpu_count.hpp"
#include "glasswood/base/thread_pool.hpp"

namespace glasswood::base {
namespace {

// Help must be cheap beside what it takes off the caller.
constexpr double work_per_cost = 4.0;
constexpr double min_work = work_per_cost * 1.5e3;  // ns: less is never worth sharing

std::atomic<int> pretended{0};

// Quotas and masks change while a process lives; asking costs some microseconds.
int recent_cpus() {
    using Clock = std::chrono::steady_clock;
    static std::atomic<int> known{0};
    static std::atomic<std::int64_t> asked{0};
    const std::int64_t second =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now().time_since_epoch()).count();
    int cpus = known.load(std::memory_order_relaxed);
    if (cpus > 0 && asked.load(std::memory_order_relaxed) == second) return cpus;
    cpus = available_cpus();
    known.store(cpus, std::memory_order_relaxed);
    asked.store(second, std::memory_order_relaxed);
    return cpus;
}

}  // namespace

int usable_threads(int n_threads) {
    if (n_threads <= 1) return 1;
    const int cpus = pretended.load(std::memory_order_relaxed);
    return std::min(n_threads, cpus > 0 ? cpus : recent_cpus());
}

int pretend_cpus(int n_cpus) { return pretended.exchange(n_cpus); }

namespace detail {

int helpers_for(std::size_t n_chunks, int n_threads, Work work) {
    if (n_threads <= 1 || n_chunks <= 1 || work.nanoseconds < min_work || ThreadPool::inside_region()) return 0;
    const int max_helpers =
        static_cast<int>(std::min<std::size_t>(n_chunks, static_cast<std::size_t>(usable_threads(n_threads)))) - 1;
    if (max_helpers < 1) return 0;
    const double worth = work.nanoseconds / (work_per_cost * ThreadPool::here().cost_of_help());
    return worth >= max_helpers ? max_helpers : static_cast<int>(worth);
}

void share(std::size_t n_chunks, int helpers, void (*run)(void*, std::size_t), void* body) {
    ThreadPool::here().share(n_chunks, helpers, run, body);
}

}  // namespace detail
}  // namespace glasswood::base

// ThreadPool: worker threads that run the chunks of a parallel region. They are started on first use, sleep when there
// is nothing to do and live until the process ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "glasswood/base/slices.hpp"

namespace glasswood::base {

class ThreadPool {
 public:
    using Run = void (*)(void* body, std::size_t chunk);

    // The pool of this process; a forked child gets one of its own.
    static ThreadPool& here();

    // Whether this thread is at work in a region.
    static bool inside_region();

    // Nanoseconds that a thread's help costs the caller at present.
    double cost_of_help() const;

    // Calls run(body, chunk) for all chunks; returns when the last has ended.
    void share(std::size_t n_chunks, int helpers, Run run, void* body);

    // Nanoseconds from the call for a sleeping thread until it runs, by recent calls.
    double wake_cost() const { return wake_cost_.load(std::memory_order_relaxed); }

    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

 private:
    struct Region {
        Run run;
        void* body;
        int free_slots;  // threads that may still join; guarded
        Slices chunks;
        std::atomic<int> inside{0};           // helpers with a chunk
        std::atomic<std::int64_t> stolen{0};  // nanoseconds that helpers could not run
        std::atomic<bool> failed{false};
        bool waiting = false;          // the caller sleeps; guarded
        std::exception_ptr failure{};  // guarded

        bool take(std::size_t thread, std::size_t& chunk);
    };

    ThreadPool() = default;

    double recent_loss() const;
    void start_workers(int wanted);
    void work(std::size_t number);
    Region* join(std::size_t number, std::size_t& chunk);
    void run_chunk(Region& region, std::size_t chunk);
    void leave(Region& region);
    void note_waking();
    bool news_while_spinning(std::uint32_t seen);
    void call_workers(int helpers);
    void wait_for_helpers(Region& region);
    void learn(const Region& region, std::int64_t began_waiting, std::int64_t ended);

    std::mutex guard_;
    std::vector<Region*> open_;  // guarded
    std::condition_variable finished_;
    int n_workers_ = 0;                   // guarded
    std::atomic<std::uint32_t> news_{0};  // counts regions; what sleepers watch
    std::atomic<int> spinning_{0};
    std::atomic<int> asleep_{0};
    std::atomic<std::int64_t> called_{0};   // when sleepers were called, until the first of them runs
    std::atomic<double> wake_cost_{20e3};   // before the first is measured
    std::atomic<double> loss_{0.0};         // what waiting for a helper without a CPU cost ...
    std::atomic<std::int64_t> lost_at_{0};  // ... and when
};

}  // namespace glasswood::base

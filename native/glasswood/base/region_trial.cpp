#include "glasswood/base/region_trial.hpp"

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

std::vector<std::size_t> try_region(const Trial& trial) {
    std::vector<std::size_t> taker(trial.n_chunks);
    ThreadNumbers numbers;
    parallel_for(trial.n_chunks, trial.n_threads, Work{trial.expected}, [&](std::size_t chunk) {
        const std::size_t thread = numbers.of_this_thread();
        taker[chunk] = thread;
        if (static_cast<std::int64_t>(chunk) == trial.failing) {
            throw std::runtime_error("chunk " + std::to_string(chunk) + " fails as asked");
        }
        parallel_for(trial.nested, trial.n_threads, Work{trial.expected}, [&](std::size_t) {
            if (numbers.of_this_thread() != thread) throw std::logic_error("a nested region left its thread");
            pass_time(trial.taken);
        });
        if (trial.nested == 0) pass_time(trial.taken);
    });
    return taker;
}

}  // namespace glasswood::base

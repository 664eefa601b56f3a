#include "glasswood/base/thread_pool.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <thread>

#include "glasswood/base/spin.hpp"
#include "glasswood/base/system_calls.hpp"

namespace glasswood::base {
namespace {

constexpr double hot_cost = 1.5e3;    // ns: a thread that still spins needs no waking
constexpr double min_wake = 5e3;      // ns
constexpr double max_wake = 6e4;      // ns: at most; a busy machine is detected by the measured loss
constexpr double longest_spin = 3e5;  // ns
constexpr double min_loss = 5e4;      // ns: less may be an interrupt
constexpr double max_loss = 1e7;      // ns
constexpr double loss_halves = 4e6;   // ns: half-life of the measured loss, about one time slice of the system

thread_local bool inside = false;

// Marks this thread as working in a region.
class Inside {
 public:
    Inside() { inside = true; }
    ~Inside() { inside = false; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

// Time during which this thread was ready to run and the system ran something else on its CPU.
class StolenTime {
 public:
    std::int64_t nanoseconds() const { return nanoseconds_now() - began_ - (thread_nanoseconds() - ran_before_); }

 private:
    std::int64_t began_ = nanoseconds_now(), ran_before_ = thread_nanoseconds();
};

// Never destroyed: its threads may sleep on it until the process has ended. The threads, and locks they held, do not
// exist in a forked child, which forgets the pool of its parent and makes another when it needs one.
std::atomic<ThreadPool*> pool{nullptr};
const bool registered = call_after_fork([] { pool.store(nullptr); });

}  // namespace

ThreadPool& ThreadPool::here() {
    (void)registered;
    ThreadPool* found = pool.load(std::memory_order_acquire);
    if (found != nullptr) return *found;
    ThreadPool* made = new ThreadPool();
    if (pool.compare_exchange_strong(found, made)) return *made;
    delete made;  // another thread was faster
    return *found;
}

bool ThreadPool::inside_region() { return inside; }

double ThreadPool::cost_of_help() const {
    return recent_loss() + (spinning_.load(std::memory_order_relaxed) > 0 ? hot_cost : wake_cost());
}

double ThreadPool::recent_loss() const {
    const double loss = loss_.load(std::memory_order_relaxed);
    if (loss < 1.0) return 0.0;
    const auto age = static_cast<double>(nanoseconds_now() - lost_at_.load(std::memory_order_relaxed));
    return std::ldexp(loss, -static_cast<int>(std::min(60.0, age / loss_halves)));
}

bool ThreadPool::Region::take(std::size_t thread, std::size_t& chunk) {
    return !failed.load(std::memory_order_relaxed) && chunks.take(thread, chunk);
}

void ThreadPool::share(std::size_t n_chunks, int helpers, Run run, void* body) {
    Region region{run, body, helpers, {n_chunks, static_cast<std::size_t>(helpers) + 1}};
    {
        const PatientLock lock(guard_);
        start_workers(helpers);
        open_.push_back(&region);
    }
    call_workers(helpers);
    for (std::size_t chunk = 0; region.take(0, chunk);) run_chunk(region, chunk);
    const std::int64_t began = nanoseconds_now();
    {
        const PatientLock lock(guard_);
        open_.erase(std::find(open_.begin(), open_.end(), &region));
    }
    wait_for_helpers(region);
    learn(region, began, nanoseconds_now());
    if (region.failure) std::rethrow_exception(region.failure);
}

// Runs one chunk; an exception is kept for the caller.
void ThreadPool::run_chunk(Region& region, std::size_t chunk) {
    const Inside marked;
    try {
        region.run(region.body, chunk);
    } catch (...) {
        region.failed.store(true, std::memory_order_relaxed);
        const PatientLock lock(guard_);
        if (!region.failure) region.failure = std::current_exception();
    }
}

// Too few threads, even none, are slower, not wrong: the caller takes every chunk that no other thread takes.
void ThreadPool::start_workers(int wanted) {
    if (n_workers_ >= wanted) return;
    const SignalsBlocked blocked;
    try {
        for (; n_workers_ < wanted; ++n_workers_) std::thread(&ThreadPool::work, this, n_workers_ + 1).detach();
    } catch (const std::system_error&) {
    }
}

void ThreadPool::call_workers(int helpers) {
    news_.fetch_add(1);
    const int missing = helpers - spinning_.load();
    const int sleepers = asleep_.load();
    if (missing < 1 || sleepers == 0) return;
    std::int64_t none = 0;
    called_.compare_exchange_strong(none, nanoseconds_now(), std::memory_order_relaxed);
    if (missing >= sleepers && sleepers > 1) {
        news_.notify_all();
        return;
    }
    for (int i = 0; i < std::min(missing, sleepers); ++i) news_.notify_one();
}

void ThreadPool::work(std::size_t number) {
    for (;;) {
        const std::uint32_t seen = news_.load();
        std::size_t chunk = 0;
        while (Region* region = join(number, chunk)) {
            const StolenTime stolen;
            do {
                run_chunk(*region, chunk);
            } while (region->take(number, chunk));
            region->stolen.fetch_add(stolen.nanoseconds(), std::memory_order_relaxed);
            leave(*region);
        }
        if (news_while_spinning(seen)) continue;
        asleep_.fetch_add(1);
        news_.wait(seen);
        asleep_.fetch_sub(1);
        note_waking();
    }
}

// The first thread to run after a call notes how long it took.
void ThreadPool::note_waking() {
    const std::int64_t called = called_.exchange(0, std::memory_order_relaxed);
    if (called == 0) return;
    const double took = std::clamp(static_cast<double>(nanoseconds_now() - called), min_wake, max_wake);
    wake_cost_.store(0.75 * wake_cost() + 0.25 * took, std::memory_order_relaxed);
}

// Regions follow each other closely, with short stretches for one thread between them; a thread that sleeps meanwhile
// comes too late for most. On a busy machine others need the CPU: then a thread spins as long as waking it would take,
// which costs at most twice as much as the better of the two.
bool ThreadPool::news_while_spinning(std::uint32_t seen) {
    spinning_.fetch_add(1);
    const double patience = recent_loss() > hot_cost ? std::min(wake_cost(), longest_spin) : longest_spin;
    const bool found = spin(patience, [&] { return news_.load() != seen; });
    spinning_.fetch_sub(1);
    return found;
}

// The oldest region that wants help, with a first chunk of it: a caller never waits for a thread without a chunk.
ThreadPool::Region* ThreadPool::join(std::size_t number, std::size_t& chunk) {
    const PatientLock lock(guard_);
    for (Region* region : open_) {
        if (region->free_slots == 0 || !region->take(number, chunk)) continue;
        --region->free_slots;
        region->inside.fetch_add(1, std::memory_order_relaxed);
        return region;
    }
    return nullptr;
}

// The region may be destroyed as soon as no helper is inside.
void ThreadPool::leave(Region& region) {
    const PatientLock lock(guard_);
    const bool waiting = region.waiting;
    if (region.inside.fetch_sub(1, std::memory_order_release) == 1 && waiting) finished_.notify_all();
}

void ThreadPool::wait_for_helpers(Region& region) {
    const auto none_inside = [&] { return region.inside.load(std::memory_order_acquire) == 0; };
    if (none_inside() || spin(std::min(wake_cost(), longest_spin), none_inside)) return;
    std::unique_lock lock(guard_);
    region.waiting = true;
    finished_.wait(lock, none_inside);
}

// Helpers that the system takes off their CPUs in the middle of a chunk make a caller wait. What that cost counts
// against the next regions, less and less with time. Uneven chunks also make a caller wait, but say nothing about the
// machine.
void ThreadPool::learn(const Region& region, std::int64_t began_waiting, std::int64_t ended) {
    const double lost =
        static_cast<double>(std::min(region.stolen.load(std::memory_order_relaxed), ended - began_waiting));
    if (lost < min_loss) return;
    loss_.store(std::min(std::max(lost, cost_of_help()), max_loss), std::memory_order_relaxed);
    lost_at_.store(ended, std::memory_order_relaxed);
}

}  // namespace glasswood::base

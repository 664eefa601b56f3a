#include "glasswood/parallel.hpp"

#include <pthread.h>

#include <atomic>

namespace glasswood {
namespace {

std::atomic<bool> forked{false};

const int registered = pthread_atfork(nullptr, nullptr, [] { forked.store(true); });

}  // namespace

int usable_threads(int n_threads) {
    (void)registered;
    return forked.load(std::memory_order_relaxed) || n_threads < 1 ? 1 : n_threads;
}

}  // namespace glasswood

// Slices: pieces of work for several threads. Each thread has a slice of its own, neighbouring pieces in their order,
// and takes from others when its own is empty. Regions that follow each other over the same rows then find most of them
// in the cache of the thread that had them before.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace glasswood::base {

class Slices {
 public:
    Slices(std::size_t n_pieces, std::size_t n_threads)
        : n_pieces_(n_pieces), n_slices_(std::clamp<std::size_t>(n_threads, 1, max_slices)) {
        for (std::size_t s = 0; s < n_slices_; ++s) slices_[s].next.store(start(s), std::memory_order_relaxed);
    }

    // Takes a piece for thread number `thread`; false if none is left.
    bool take(std::size_t thread, std::size_t& piece) {
        for (std::size_t k = 0; k < n_slices_; ++k) {
            const std::size_t s = (thread + k) % n_slices_;
            std::atomic<std::size_t>& next = slices_[s].next;
            if (next.load(std::memory_order_relaxed) >= start(s + 1)) continue;
            piece = next.fetch_add(1, std::memory_order_relaxed);
            if (piece < start(s + 1)) return true;
        }
        return false;
    }

 private:
    static constexpr std::size_t max_slices = 16;
    struct alignas(64) Slice {  // a cache line each
        std::atomic<std::size_t> next{0};
    };

    std::size_t start(std::size_t s) const { return s * n_pieces_ / n_slices_; }

    std::size_t n_pieces_;
    std::size_t n_slices_;
    std::array<Slice, max_slices> slices_;
};

}  // namespace glasswood::base

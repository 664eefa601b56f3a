// DistinctMasks: the masks that occur, numbered in the order in which they first came.
#pragma once

#include <cstdint>
#include <vector>

#include "glasswood/attributions/plan.hpp"

namespace glasswood::attributions {

// Holds the working memory of one thread.
class DistinctMasks {
 public:
    // Forgets all before; masks have at most n_bits bits.
    void prepare(int n_bits);
    std::uint32_t number(Mask mask) { return direct_ ? number_direct(mask) : number_hashed(mask); }
    const std::vector<Mask>& masks() const { return masks_; }

 private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr int max_direct = 16;

    std::uint32_t number_direct(Mask mask) {
        std::uint32_t& slot = slots_[mask];
        if (slot == none) {
            slot = static_cast<std::uint32_t>(masks_.size());
            masks_.push_back(mask);
        }
        return slot;
    }
    std::uint32_t number_hashed(Mask mask);
    void grow();

    bool direct_ = true;
    std::vector<std::uint32_t> slots_, table_;
    std::vector<Mask> masks_;
};

}  // namespace glasswood::attributions

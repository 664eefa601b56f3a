// BoxStore: the boxes that wait in a search, each with its cells and the leaves it reaches, in one block of memory.
#pragma once

#include <algorithm>

#include "glasswood/proofs/pieces.hpp"

namespace glasswood::proofs {

class BoxStore {
 public:
    explicit BoxStore(std::size_t words_per_box) : size_(words_per_box) {}

    std::size_t add(const Word* box) {
        std::size_t slot = free_.empty() ? n_++ : free_.back();
        if (!free_.empty()) free_.pop_back();
        if (slot / per_block == blocks_.size()) blocks_.emplace_back(per_block * size_);
        std::copy(box, box + size_, at(slot));
        return slot;
    }
    Word* at(std::size_t slot) { return blocks_[slot / per_block].data() + (slot % per_block) * size_; }
    void take(std::size_t slot, Word* box) {
        std::copy(at(slot), at(slot) + size_, box);
        free_.push_back(slot);
    }

 private:
    static constexpr std::size_t per_block = 64;
    std::size_t size_, n_ = 0;
    std::vector<std::vector<Word>> blocks_;
    std::vector<std::size_t> free_;
};

}  // namespace glasswood::proofs

// Patterns: which way rows go at every question of a tree, as bits, and the pattern they make at a group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attributions/plan.hpp"
#include "glasswood/explain/cell_codes.hpp"

namespace glasswood::attributions {

// The questions of a tree, answered by a stretch of rows. Holds the working memory of one thread.
class AnswerPlanes {
 public:
    // `first` is a multiple of 64.
    void prepare(const AttributionTree& tree, const explain::SplitQuestions& splits, const explain::Codes& codes,
                 std::size_t first, std::size_t n_rows, int n_threads = 1);

    std::size_t n_words() const { return n_words_; }
    const std::uint64_t* answer(std::int32_t question) const {
        return answers_.data() + static_cast<std::size_t>(question) * n_words_;
    }

 private:
    std::size_t n_words_ = 0;
    std::vector<std::uint64_t> answers_;
};

// Patterns of the rows at groups, written for whole words of rows. Holds the working memory of one thread.
class PatternWriter {
 public:
    void write(const AnswerPlanes& planes, const AttributionGroup& group, std::uint8_t* out);   // up to 8 bits
    void write(const AnswerPlanes& planes, const AttributionGroup& group, std::uint16_t* out);  // up to 16 bits
    void write(const AnswerPlanes& planes, const AttributionGroup& group, Mask* out);           // any

 private:
    void gather(const AnswerPlanes& planes, const AttributionGroup& group);

    std::vector<std::uint64_t> passed_;  // all questions of the anchor's path about a feature
    std::vector<const std::uint64_t*> bits_;
};

}  // namespace glasswood::attributions

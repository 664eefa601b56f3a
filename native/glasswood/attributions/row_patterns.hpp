// Patterns: for every row and every question of a tree, a bit that says whether the row goes left; and from these bits,
// the row's pattern at a group of leaves (see plan.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attributions/plan.hpp"
#include "glasswood/explain/cell_codes.hpp"

namespace glasswood::attributions {

// One bit per question of a tree and row of a range: 1 if the row goes left. Holds the working memory of one thread.
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

// Writes the pattern of every row at a group. `out` must hold 64 · n_words() patterns, because the last word of rows is
// written in full. Holds the working memory of one thread.
class PatternWriter {
 public:
    void write(const AnswerPlanes& planes, const AttributionGroup& group, std::uint8_t* out);   // up to 8 bits
    void write(const AnswerPlanes& planes, const AttributionGroup& group, std::uint16_t* out);  // up to 16 bits
    void write(const AnswerPlanes& planes, const AttributionGroup& group, Mask* out);           // any

 private:
    void gather(const AnswerPlanes& planes, const AttributionGroup& group);

    std::vector<std::uint64_t> passed_;  // by feature of the anchor's path: rows that pass all questions about it
    std::vector<const std::uint64_t*> bits_;
};

}  // namespace glasswood::attributions

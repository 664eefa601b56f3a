// SplitQuestions: the splits of an ensemble as questions to the codes of rows, answered for many rows at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glasswood/explain/axes.hpp"
#include "glasswood/explain/cell_codes.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

struct SplitQuestion {
    std::int32_t feature;
    std::uint32_t cut, also;  // codes up to cut, or equal to also, go left
    std::int64_t choice;      // of a category: its first entry in the choices; -1 for a number
};

class SplitQuestions {
 public:
    // The ensemble and the axes must outlive it.
    SplitQuestions(const model::Ensemble& ensemble, const Axes& axes);

    // The question of a node that is split.
    SplitQuestion of(std::size_t node) const;

    // By code of a category: 1 where it goes left.
    const std::uint8_t* choices(const SplitQuestion& question) const { return choices_.data() + question.choice; }

    // Bit r of `out`: row first + r goes left. Whole words of rows are answered.
    void answer(const SplitQuestion& question, const Codes& codes, std::size_t first, std::size_t n_words,
                std::uint64_t* out) const;

 private:
    const model::Ensemble& e_;
    const Axes& axes_;
    std::vector<std::int64_t> choice_of_;  // (n_nodes) first entry of a category split in choices_; -1 elsewhere
    std::vector<std::uint8_t> choices_;    // by code: goes left
};

// The questions of all nodes of an ensemble that splits numbers only.
struct NumberQuestions {
    std::vector<std::int32_t> cut, also;  // (n_nodes) -1 in leaves
};

// Throws std::invalid_argument where a tree splits a category.
NumberQuestions number_questions(const model::Ensemble& ensemble, const Axes& axes);

}  // namespace glasswood::explain

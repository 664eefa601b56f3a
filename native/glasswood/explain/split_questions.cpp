#include "glasswood/explain/split_questions.hpp"

#include <map>
#include <stdexcept>
#include <string>

#include "glasswood/explain/row_bitsets.hpp"

namespace glasswood::explain {
namespace {

template <class Code, class AtMost, class Chosen>
void answer_codes(const SplitQuestion& question, const std::uint8_t* choices, const Code* code, AtMost at_most,
                  Chosen chosen, std::size_t n_words, std::uint64_t* out) {
    if (question.choice >= 0) {
        chosen(code, choices + question.choice, n_words, out);
    } else {
        at_most(code, question.cut, question.also, n_words, out);
    }
}

}  // namespace

SplitQuestions::SplitQuestions(const model::Ensemble& e, const Axes& axes)
    : e_(e), axes_(axes), choice_of_(e.n_nodes(), -1) {
    std::map<std::string, std::int64_t> known;  // libraries store the same set again and again
    for (std::size_t node = 0; node < e.n_nodes(); ++node) {
        if (e.is_leaf(node) || !e.is_category_split(node)) continue;
        const std::int32_t f = e.feature[node];
        std::string choice;
        for (std::int32_t code = 0; code < e.n_levels[f]; ++code)
            choice.push_back(e.in_set(e.category_set[node], code) ? 1 : 0);
        choice.push_back(static_cast<char>(e.unseen_left[node]));
        if (axes.has_missing(f)) choice.push_back(static_cast<char>(e.missing_left[node]));
        const auto [found, is_new] = known.emplace(choice, static_cast<std::int64_t>(choices_.size()));
        if (is_new) choices_.insert(choices_.end(), choice.begin(), choice.end());
        choice_of_[node] = found->second;
    }
}

SplitQuestion SplitQuestions::of(std::size_t node) const {
    const std::int32_t f = e_.feature[node];
    if (choice_of_[node] >= 0) return {f, 0, 0, choice_of_[node]};
    const auto cut = static_cast<std::uint32_t>(axes_.cut[node]);
    const bool takes_missing = axes_.has_missing(f) && e_.missing_left[node] != 0;
    return {f, cut, takes_missing ? static_cast<std::uint32_t>(axes_.missing[f]) : cut, -1};
}

void SplitQuestions::answer(const SplitQuestion& question, const Codes& codes, std::size_t first, std::size_t n_words,
                            std::uint64_t* out) const {
    const BitKernels& bits = bit_kernels(base::cpu_level());
    const auto f = static_cast<std::size_t>(question.feature);
    const std::uint8_t* choices = choices_.data();
    if (codes.width(f) == 1) {
        answer_codes(question, choices, codes.column<std::uint8_t>(f, first), bits.at_most8, bits.chosen8, n_words,
                     out);
    } else if (codes.width(f) == 2) {
        answer_codes(question, choices, codes.column<std::uint16_t>(f, first), bits.at_most16, bits.chosen16, n_words,
                     out);
    } else {
        answer_codes(question, choices, codes.column<std::uint32_t>(f, first), bits.at_most32, bits.chosen32, n_words,
                     out);
    }
}

NumberQuestions number_questions(const model::Ensemble& e, const Axes& axes) {
    const SplitQuestions questions(e, axes);
    NumberQuestions out{std::vector<std::int32_t>(e.n_nodes(), -1), std::vector<std::int32_t>(e.n_nodes(), -1)};
    for (std::size_t node = 0; node < e.n_nodes(); ++node) {
        if (e.is_leaf(node)) continue;
        const SplitQuestion question = questions.of(node);
        if (question.choice >= 0) throw std::invalid_argument("a tree splits a category");
        out.cut[node] = static_cast<std::int32_t>(question.cut);
        out.also[node] = static_cast<std::int32_t>(question.also);
    }
    return out;
}

}  // namespace glasswood::explain

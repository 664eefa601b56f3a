#include "glasswood/attributions/patterns.hpp"

#include <algorithm>

#include "glasswood/attributions/kernels.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/row_bitsets.hpp"

namespace glasswood::attributions {
namespace {

template <class Code, class AtMost, class Chosen>
void ask(const Question& asked, std::span<const std::uint8_t> choices, const Code* code, AtMost at_most, Chosen chosen,
         std::size_t n_words, std::uint64_t* out) {
    if (asked.choice >= 0) {
        chosen(code, choices.data() + asked.choice, n_words, out);
    } else {
        at_most(code, asked.cut, asked.also, n_words, out);
    }
}

}  // namespace

void AnswerPlanes::open(const AttributionTree& tree, std::span<const std::uint8_t> choices, const explain::Codes& codes,
                        std::size_t first, std::size_t n_rows, int n_threads) {
    n_words_ = (n_rows + 63) / 64;
    answers_.resize(tree.questions.size() * n_words_);
    const explain::BitKernels& bits = explain::bit_kernels(base::cpu_level());
    const auto one = [&](std::size_t q) {
        const Question& asked = tree.questions[q];
        const auto f = static_cast<std::size_t>(asked.feature);
        std::uint64_t* out = answers_.data() + q * n_words_;
        if (codes.width(f) == 1)
            ask(asked, choices, codes.column<std::uint8_t>(f, first), bits.at_most8, bits.chosen8, n_words_, out);
        if (codes.width(f) == 2)
            ask(asked, choices, codes.column<std::uint16_t>(f, first), bits.at_most16, bits.chosen16, n_words_, out);
        if (codes.width(f) == 4)
            ask(asked, choices, codes.column<std::uint32_t>(f, first), bits.at_most32, bits.chosen32, n_words_, out);
    };
    constexpr std::size_t at_once = 64;
    const std::size_t n = tree.questions.size();
    base::parallel_for((n + at_once - 1) / at_once, n_threads, base::work_of(n * n_words_, 2.0),
                       [&](std::size_t chunk) {
                           for (std::size_t q = chunk * at_once; q < std::min(n, (chunk + 1) * at_once); ++q) one(q);
                       });
}

void PatternWriter::gather(const AnswerPlanes& planes, const AttributionGroup& group) {
    const std::size_t n_words = planes.n_words();
    passed_.assign(static_cast<std::size_t>(group.n_above) * n_words, ~std::uint64_t{0});
    bits_.clear();
    for (const AttributionStep& step : group.above) {
        const std::uint64_t* goes_left = planes.answer(step.question);
        std::uint64_t* passed = passed_.data() + static_cast<std::size_t>(step.position) * n_words;
        const std::uint64_t turn = step.left ? 0 : ~std::uint64_t{0};
        for (std::size_t w = 0; w < n_words; ++w) passed[w] &= goes_left[w] ^ turn;
    }
    for (std::int32_t j = 0; j < group.n_above; ++j)
        bits_.push_back(passed_.data() + static_cast<std::size_t>(j) * n_words);
    for (const std::int32_t question : group.asks) bits_.push_back(planes.answer(question));
}

void PatternWriter::write(const AnswerPlanes& planes, const AttributionGroup& group, std::uint8_t* out) {
    gather(planes, group);
    attribution_kernels(base::cpu_level()).spread8(bits_.data(), static_cast<int>(bits_.size()), planes.n_words(), out);
}

void PatternWriter::write(const AnswerPlanes& planes, const AttributionGroup& group, std::uint16_t* out) {
    gather(planes, group);
    attribution_kernels(base::cpu_level())
        .spread16(bits_.data(), static_cast<int>(bits_.size()), planes.n_words(), out);
}

void PatternWriter::write(const AnswerPlanes& planes, const AttributionGroup& group, Mask* out) {
    gather(planes, group);
    std::fill_n(out, planes.n_words() * 64, Mask{0});
    for (std::size_t b = 0; b < bits_.size(); ++b) {
        for (std::size_t w = 0; w < planes.n_words(); ++w) {
            const std::uint64_t word = bits_[b][w];
            for (std::size_t r = 0; r < 64; ++r) out[64 * w + r] |= ((word >> r) & 1) << b;
        }
    }
}

}  // namespace glasswood::attributions

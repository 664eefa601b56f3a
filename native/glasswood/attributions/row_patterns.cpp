#include "glasswood/attributions/row_patterns.hpp"

#include <algorithm>

#include "glasswood/attributions/attribution_kernels.hpp"
#include "glasswood/base/bitset.hpp"
#include "glasswood/base/parallel.hpp"

namespace glasswood::attributions {

void AnswerPlanes::prepare(const AttributionTree& tree, const explain::SplitQuestions& splits,
                           const explain::Codes& codes, std::size_t first, std::size_t n_rows, int n_threads) {
    n_words_ = base::words_for(n_rows);
    answers_.resize(tree.questions.size() * n_words_);
    constexpr std::size_t at_once = 64;
    const std::size_t n = tree.questions.size();
    base::parallel_for((n + at_once - 1) / at_once, n_threads, base::work_of(n * n_words_, 2.0),
                       [&](std::size_t chunk) {
                           for (std::size_t q = chunk * at_once; q < std::min(n, (chunk + 1) * at_once); ++q)
                               splits.answer(tree.questions[q], codes, first, n_words_, answers_.data() + q * n_words_);
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

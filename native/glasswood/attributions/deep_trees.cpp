#include "glasswood/attributions/deep_trees.hpp"

#include <algorithm>

#include "glasswood/attributions/leaf_lines.hpp"
#include "glasswood/attributions/row_lines.hpp"
#include "glasswood/attributions/subtrees.hpp"
#include "glasswood/base/parallel.hpp"

namespace glasswood::attributions {
namespace {

constexpr std::size_t most_rows = 16384;        // their lines are numbered in 16 bits
constexpr std::size_t plane_bytes = 32U << 20;  // answers of a tree's questions
constexpr std::size_t groups_at_once = 4;  // and thread, between two meetings: their lines stay in the second cache
constexpr std::size_t add_rows = 1024;
constexpr int most_small = 7;  // features of a path for which all masks are cheaper than those that occur

// Numbers the patterns of n rows at a group; number[r] is the one of row r.
template <class Number>
void number_patterns(const AnswerPlanes& planes, const AttributionGroup& group, std::size_t n, DistinctMasks& distinct,
                     std::vector<Number>& number) {
    thread_local PatternWriter writer;
    thread_local std::vector<std::uint16_t> narrow;
    thread_local std::vector<Mask> wide;
    const std::size_t padded = planes.n_words() * 64;
    distinct.open(group.n_bits());
    number.resize(n);
    if (group.n_bits() <= 16) {
        narrow.resize(padded);
        writer.write(planes, group, narrow.data());
        for (std::size_t r = 0; r < n; ++r) number[r] = static_cast<Number>(distinct.number(narrow[r]));
    } else {
        wide.resize(padded);
        writer.write(planes, group, wide.data());
        for (std::size_t r = 0; r < n; ++r) number[r] = static_cast<Number>(distinct.number(wide[r]));
    }
}

// Adds what was found in one stretch of rows to what is known.
void merge(const std::vector<Mask>& patterns, const std::vector<std::int64_t>& weights, PatternCounts& into) {
    std::vector<std::size_t> order(patterns.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return patterns[i]; });
    PatternCounts all;
    std::size_t a = 0, b = 0;
    while (a < into.patterns.size() || b < order.size()) {
        const bool first = b == order.size() || (a < into.patterns.size() && into.patterns[a] <= patterns[order[b]]);
        const bool second = a == into.patterns.size() || (b < order.size() && patterns[order[b]] <= into.patterns[a]);
        all.patterns.push_back(first ? into.patterns[a] : patterns[order[b]]);
        all.weights.push_back((first ? into.weights[a] : 0) + (second ? weights[order[b]] : 0));
        a += first ? 1 : 0;
        b += second ? 1 : 0;
    }
    into = std::move(all);
}

// What the rows of a stretch get from one group.
struct Filled {
    LineLayout layout;
    std::vector<std::uint16_t> number;
    std::vector<double> lines;
};

}  // namespace

DeepTree::DeepTree(const AttributionPlan& plan, std::size_t tree, const Background* background, int n_threads,
                   const base::Interrupt& interrupt)
    : plan_(plan), background_(background), tree_(plan.make(tree)) {
    if (background != nullptr) count(n_threads, interrupt);
}

std::size_t DeepTree::n_bytes() const {
    std::size_t bytes = tree_.questions.size() * sizeof(Question) + tree_.question_of.size() * sizeof(std::int32_t);
    for (const AttributionGroup& group : tree_.groups)
        bytes += sizeof group + group.sides.size() * sizeof(AttributionSide) +
                 group.leaves.size() * sizeof(AttributionLeaf) + group.above.size() * sizeof(AttributionStep) +
                 group.inner.size() * sizeof(AttributionInner);
    for (const PatternCounts& counts : counts_) bytes += counts.patterns.size() * (sizeof(Mask) + sizeof(std::int64_t));
    return bytes;
}

std::size_t DeepTree::rows_at_once() const {
    const std::size_t fit = plane_bytes * 8 / std::max<std::size_t>(1, tree_.questions.size()) / 64 * 64;
    return std::clamp<std::size_t>(fit, 512, most_rows);
}

void DeepTree::count(int n_threads, const base::Interrupt& interrupt) {
    counts_.resize(tree_.groups.size());
    AnswerPlanes planes;
    const std::size_t step = rows_at_once();
    for (std::size_t first = 0; first < background_->n_rows(); first += step) {
        const std::size_t n = std::min(step, background_->n_rows() - first);
        planes.open(tree_, plan_.choices(), background_->codes(), first, n, n_threads);
        base::parallel_for(tree_.groups.size(), n_threads, base::work_of(tree_.groups.size() * n, 2.0),
                           [&](std::size_t g) {
                               thread_local DistinctMasks distinct;
                               thread_local std::vector<std::uint32_t> number;
                               interrupt.check();
                               number_patterns(planes, tree_.groups[g], n, distinct, number);
                               std::vector<std::int64_t> weights(distinct.masks().size(), 0);
                               for (std::size_t r = 0; r < n; ++r) weights[number[r]] += background_->weight(first + r);
                               merge(distinct.masks(), weights, counts_[g]);
                           });
    }
}

void DeepTree::fill(const AttributionGroup& group, const PatternCounts* counts, const AttributionSlots& slots,
                    std::span<const Mask> patterns, const LineLayout& layout, std::vector<double>& lines) const {
    thread_local Subtree subtree;
    thread_local LeafSets sets;
    thread_local LeafTable table;
    thread_local MaskTable masks;
    thread_local DistinctMasks distinct;
    thread_local std::vector<std::uint32_t> index;
    thread_local std::vector<double> parts, failing;
    thread_local std::vector<const double*> columns;
    lines.assign(patterns.size() * layout.width(), 0.0);
    if (counts == nullptr && !slots.pairs) {
        subtree.open(plan_, group);
        subtree.fill(patterns, lines.data());
        return;
    }
    const model::Ensemble& e = plan_.ensemble();
    index.resize(patterns.size());
    for (const AttributionLeaf& leaf : group.leaves) {
        const auto sides = group.sides_of(leaf);
        const std::size_t k = sides.size(), n_parts = slots.pairs ? n_pairs(k) : k;
        std::size_t stride = 1;
        masks.open(group, leaf);
        columns.clear();
        if (counts != nullptr && !slots.pairs && k <= most_small) {
            const std::size_t n_masks = std::size_t{1} << k;
            failing.assign(n_masks, 0.0);
            for (std::size_t i = 0; i < counts->patterns.size(); ++i)
                failing[n_masks - 1 - masks(counts->patterns[i])] += static_cast<double>(counts->weights[i]);
            table.open_rows(failing.data(), static_cast<int>(k), background_->total());
            for (std::size_t i = 0; i < patterns.size(); ++i) index[i] = static_cast<std::uint32_t>(masks(patterns[i]));
            for (std::size_t c = 0; c < n_parts; ++c) columns.push_back(table.column(c));
        } else {
            distinct.open(static_cast<int>(k));
            for (std::size_t i = 0; i < patterns.size(); ++i) index[i] = distinct.number(masks(patterns[i]));
            stride = counts != nullptr && !slots.pairs ? LeafSets::line_width(k) : n_parts;
            parts.resize(distinct.masks().size() * stride);
            if (counts != nullptr) {
                sets.open(masks, static_cast<int>(k), *counts, background_->total());
                slots.pairs ? sets.pairs(distinct.masks(), parts.data()) : sets.values(distinct.masks(), parts.data());
            } else {
                path_pairs(sides, distinct.masks(), parts.data());
            }
            for (std::size_t c = 0; c < n_parts; ++c) columns.push_back(parts.data() + c);
        }
        const auto value = e.value.subspan(static_cast<std::size_t>(leaf.node) * e.width, e.width);
        add_leaf(group, leaf, layout, slots.pairs, value, columns, stride, index, lines.data());
    }
}

void DeepTree::add(const explain::Codes& codes, const AttributionSlots& slots, int n_threads,
                   const base::Interrupt& interrupt, double* out) const {
    const model::Ensemble& e = plan_.ensemble();
    const auto output = static_cast<std::size_t>(e.tree_output[tree_.tree]);
    AnswerPlanes planes;
    const std::size_t at_once = groups_at_once * static_cast<std::size_t>(std::max(1, n_threads));
    std::vector<Filled> filled(at_once);
    // lines of pairs are long
    const std::size_t step = slots.pairs ? std::min<std::size_t>(rows_at_once(), 2048) : rows_at_once();
    for (std::size_t first = 0; first < codes.n_rows(); first += step) {
        const std::size_t n = std::min(step, codes.n_rows() - first);
        planes.open(tree_, plan_.choices(), codes, first, n, n_threads);
        for (std::size_t at = 0; at < tree_.groups.size(); at += at_once) {
            const std::size_t n_groups = std::min(at_once, tree_.groups.size() - at);
            base::parallel_for(n_groups, n_threads, base::large_work, [&](std::size_t i) {
                thread_local DistinctMasks distinct;
                interrupt.check();
                const AttributionGroup& group = tree_.groups[at + i];
                filled[i].layout.open(group, slots, output, e.width);
                if (filled[i].layout.width() == 0) return;
                number_patterns(planes, group, n, distinct, filled[i].number);
                fill(group, background_ == nullptr ? nullptr : &counts_[at + i], slots, distinct.masks(),
                     filled[i].layout, filled[i].lines);
            });
            std::vector<LinesOfRows> lines;
            for (std::size_t i = 0; i < n_groups; ++i)
                if (filled[i].layout.width() > 0)
                    lines.push_back({filled[i].lines.data(), filled[i].number.data(), filled[i].layout.at});
            const std::size_t stride = slots.row_size();
            base::parallel_for((n + add_rows - 1) / add_rows, n_threads, base::work_of(n * n_groups, 5.0),
                               [&](std::size_t chunk) {
                                   add_lines(lines, chunk * add_rows, std::min(n, (chunk + 1) * add_rows), stride,
                                             out + first * stride);
                               });
        }
    }
}

}  // namespace glasswood::attributions

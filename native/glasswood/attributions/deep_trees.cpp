#include "glasswood/attributions/deep_trees.hpp"

#include <algorithm>

#include "glasswood/attributions/leaf_table.hpp"
#include "glasswood/attributions/row_lines.hpp"
#include "glasswood/attributions/subtree_shapley.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/base/pool.hpp"

namespace glasswood::attributions {
namespace {

constexpr std::size_t max_rows = 16384;         // their lines are numbered in 16 bits
constexpr std::size_t plane_bytes = 32U << 20;  // answers of a tree's questions
constexpr std::size_t groups_at_once = 4;       // per thread and parallel region: their lines stay in the second cache
constexpr std::size_t add_rows = 1024;
constexpr int max_small = 7;  // features of a path: up to so few, all masks cost less than finding those that occur

// The distinct patterns of rows at a group. Holds the working memory of one thread.
class PatternNumbers {
 public:
    // Numbers the patterns of n rows; number[r] is the one of row r.
    template <class Number>
    void prepare(const AnswerPlanes& planes, const AttributionGroup& group, std::size_t n,
                 std::vector<Number>& number) {
        distinct_.prepare(group.n_bits());
        number.resize(n);
        if (group.n_bits() <= 16) {
            number_all(planes, group, narrow_, number);
        } else {
            number_all(planes, group, wide_, number);
        }
    }
    const std::vector<Mask>& patterns() const { return distinct_.masks(); }

 private:
    template <class Pattern, class Number>
    void number_all(const AnswerPlanes& planes, const AttributionGroup& group, std::vector<Pattern>& pattern,
                    std::vector<Number>& number) {
        pattern.resize(planes.n_words() * 64);
        writer_.write(planes, group, pattern.data());
        for (std::size_t r = 0; r < number.size(); ++r) number[r] = static_cast<Number>(distinct_.number(pattern[r]));
    }

    PatternWriter writer_;
    DistinctMasks distinct_;
    std::vector<std::uint16_t> narrow_;
    std::vector<Mask> wide_;
};

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

struct DeepTree::Workspace {
    PatternNumbers numbers;
    SubtreeShapley subtree;
    DeepLeaf sets;
    LeafTable table;
    MaskTable masks;
    DistinctMasks distinct;
    std::vector<std::uint32_t> index;
    std::vector<double> parts, failing;
    std::vector<const double*> columns;
};

DeepTree::DeepTree(const AttributionPlan& plan, std::size_t tree, const Background* background, int n_threads,
                   const base::Interrupt& interrupt)
    : plan_(plan), background_(background), tree_(plan.make(tree)) {
    if (background != nullptr) count(n_threads, interrupt);
}

std::size_t DeepTree::n_bytes() const {
    std::size_t bytes =
        tree_.questions.size() * sizeof(explain::SplitQuestion) + tree_.question_of.size() * sizeof(std::int32_t);
    for (const AttributionGroup& group : tree_.groups)
        bytes += sizeof group + group.sides.size() * sizeof(AttributionSide) +
                 group.leaves.size() * sizeof(AttributionLeaf) + group.above.size() * sizeof(AttributionStep) +
                 group.inner.size() * sizeof(AttributionInner);
    for (const PatternCounts& counts : counts_) bytes += counts.patterns.size() * (sizeof(Mask) + sizeof(std::int64_t));
    return bytes;
}

std::size_t DeepTree::rows_at_once() const {
    const std::size_t fit = plane_bytes * 8 / std::max<std::size_t>(1, tree_.questions.size()) / 64 * 64;
    return std::clamp<std::size_t>(fit, 512, max_rows);
}

void DeepTree::count(int n_threads, const base::Interrupt& interrupt) {
    counts_.resize(tree_.groups.size());
    AnswerPlanes planes;
    struct Counter {
        PatternNumbers numbers;
        std::vector<std::uint32_t> number;
    };
    base::Pool<Counter> counters;
    const std::size_t step = rows_at_once();
    for (std::size_t first = 0; first < background_->n_rows(); first += step) {
        const std::size_t n = std::min(step, background_->n_rows() - first);
        planes.prepare(tree_, plan_.splits(), background_->codes(), first, n, n_threads);
        base::parallel_for(tree_.groups.size(), n_threads, base::work_of(tree_.groups.size() * n, 2.0),
                           [&](std::size_t g) {
                               interrupt.check();
                               const auto counter = counters.borrow();
                               auto& [numbers, number] = *counter;
                               numbers.prepare(planes, tree_.groups[g], n, number);
                               std::vector<std::int64_t> weights(numbers.patterns().size(), 0);
                               for (std::size_t r = 0; r < n; ++r) weights[number[r]] += background_->weight(first + r);
                               merge(numbers.patterns(), weights, counts_[g]);
                           });
    }
}

void DeepTree::fill(const AttributionGroup& group, const PatternCounts* counts, const AttributionSlots& slots,
                    std::span<const Mask> patterns, const LineLayout& layout, Workspace& work,
                    std::vector<double>& lines) const {
    lines.assign(patterns.size() * layout.width(), 0.0);
    if (counts == nullptr && !slots.pairs) {
        work.subtree.prepare(plan_, group);
        work.subtree.fill(patterns, lines.data());
        return;
    }
    const model::Ensemble& e = plan_.ensemble();
    work.index.resize(patterns.size());
    for (const AttributionLeaf& leaf : group.leaves) {
        const auto sides = group.sides_of(leaf);
        const std::size_t k = sides.size(), n_parts = slots.pairs ? n_pairs(k) : k;
        std::size_t stride = 1;
        work.masks.prepare(group, leaf);
        work.columns.clear();
        if (counts != nullptr && !slots.pairs && k <= max_small) {
            const std::size_t n_masks = std::size_t{1} << k;
            work.failing.assign(n_masks, 0.0);
            for (std::size_t i = 0; i < counts->patterns.size(); ++i)
                work.failing[n_masks - 1 - work.masks(counts->patterns[i])] += static_cast<double>(counts->weights[i]);
            work.table.prepare_rows(work.failing.data(), static_cast<int>(k), background_->total());
            for (std::size_t i = 0; i < patterns.size(); ++i)
                work.index[i] = static_cast<std::uint32_t>(work.masks(patterns[i]));
            for (std::size_t c = 0; c < n_parts; ++c) work.columns.push_back(work.table.column(c));
        } else {
            work.distinct.prepare(static_cast<int>(k));
            for (std::size_t i = 0; i < patterns.size(); ++i)
                work.index[i] = work.distinct.number(work.masks(patterns[i]));
            stride = counts != nullptr && !slots.pairs ? DeepLeaf::line_width(k) : n_parts;
            work.parts.resize(work.distinct.masks().size() * stride);
            if (counts != nullptr) {
                work.sets.prepare(work.masks, static_cast<int>(k), *counts, background_->total());
                slots.pairs ? work.sets.pairs(work.distinct.masks(), work.parts.data())
                            : work.sets.values(work.distinct.masks(), work.parts.data());
            } else {
                path_pairs(sides, work.distinct.masks(), work.parts.data());
            }
            for (std::size_t c = 0; c < n_parts; ++c) work.columns.push_back(work.parts.data() + c);
        }
        const auto value = e.value.subspan(static_cast<std::size_t>(leaf.node) * e.width, e.width);
        add_leaf(group, leaf, layout, slots.pairs, value, work.columns, stride, work.index, lines.data());
    }
}

void DeepTree::add(const explain::Codes& codes, const AttributionSlots& slots, int n_threads,
                   const base::Interrupt& interrupt, double* out) const {
    const model::Ensemble& e = plan_.ensemble();
    const auto output = static_cast<std::size_t>(e.tree_output[tree_.tree]);
    AnswerPlanes planes;
    const std::size_t at_once = groups_at_once * static_cast<std::size_t>(std::max(1, n_threads));
    std::vector<Filled> filled(at_once);
    base::Pool<Workspace> workspaces;
    // lines of pairs are long
    const std::size_t step = slots.pairs ? std::min<std::size_t>(rows_at_once(), 2048) : rows_at_once();
    for (std::size_t first = 0; first < codes.n_rows(); first += step) {
        const std::size_t n = std::min(step, codes.n_rows() - first);
        planes.prepare(tree_, plan_.splits(), codes, first, n, n_threads);
        for (std::size_t at = 0; at < tree_.groups.size(); at += at_once) {
            const std::size_t n_groups = std::min(at_once, tree_.groups.size() - at);
            base::parallel_for(n_groups, n_threads, base::large_work, [&](std::size_t i) {
                interrupt.check();
                const AttributionGroup& group = tree_.groups[at + i];
                filled[i].layout.prepare(group, slots, output, e.width);
                if (filled[i].layout.width() == 0) return;
                const auto work = workspaces.borrow();
                work->numbers.prepare(planes, group, n, filled[i].number);
                fill(group, background_ == nullptr ? nullptr : &counts_[at + i], slots, work->numbers.patterns(),
                     filled[i].layout, *work, filled[i].lines);
            });
            std::vector<LinesOfRows> lines;
            for (std::size_t i = 0; i < n_groups; ++i)
                if (filled[i].layout.width() > 0)
                    lines.push_back({filled[i].lines.data(), filled[i].number.data(), filled[i].layout.offset});
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

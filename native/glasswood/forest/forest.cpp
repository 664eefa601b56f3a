#include "glasswood/forest/forest.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "glasswood/base/parallel.hpp"
#include "glasswood/base/rounding_grid.hpp"
#include "glasswood/forest/cut_table.hpp"
#include "glasswood/forest/exact_splitter.hpp"
#include "glasswood/forest/prune.hpp"
#include "glasswood/forest/quantile_splitter.hpp"
#include "glasswood/forest/rank_table.hpp"
#include "glasswood/forest/row_draw.hpp"

namespace glasswood::forest {
namespace {

// Everything the trees share: the table as they see it, and the target.
class TrainingView {
 public:
    TrainingView(const table::Rows& rows, std::span<const std::int32_t> n_levels, const Target& target,
                 std::span<const double> weight, const ForestOptions& options, const base::Interrupt& interrupt)
        : rows_(rows), n_levels_(n_levels), target_(target), quantile_(options.n_quantiles > 0) {
        prepare_target(weight);
        if (quantile_) {
            cuts_ = cut_table(rows, n_levels, weight, level_targets(weight), options.n_quantiles, options.n_threads,
                              interrupt);
        } else {
            ranks_ = make_ranks(rows, options.n_threads, interrupt);
        }
    }

    std::unique_ptr<Splitter> splitter(int n_threads) const {
        if (target_.labels.empty()) {
            const double unit = std::clamp(numbers_.scale * numbers_.scale, 1e-290, 1e290);
            return with(Moments(numbers_, unit), n_threads);
        }
        if (target_.criterion == CriterionKind::entropy)
            return with(Entropy(target_.labels, target_.n_classes), n_threads);
        if (target_.n_classes == 2) return with(Moments(numbers_, 2), n_threads);
        return with(Gini(target_.labels, target_.n_classes), n_threads);
    }

 private:
    template <class Criterion>
    std::unique_ptr<Splitter> with(Criterion criterion, int n_threads) const {
        if (quantile_) {
            const bool counts = std::is_same_v<Criterion, Moments> && target_.n_classes == 2 && !target_.labels.empty();
            return make_quantile_splitter(cuts_, std::move(criterion),
                                          counts ? target_.labels : std::span<const std::int32_t>());
        }
        return make_exact_splitter(ranks_, rows_, n_levels_, std::move(criterion), n_threads);
    }

    void prepare_target(std::span<const double> weight) {
        if (target_.labels.empty()) {
            numbers_ = make_numbers(target_.numbers, weight);
            return;
        }
        numbers_.scaled.assign(target_.labels.begin(), target_.labels.end());
        numbers_.raw = numbers_.scaled;
    }

    // What orders the levels of a category: the target, or whether a row has the most frequent of several classes.
    std::vector<double> level_targets(std::span<const double> weight) const {
        if (target_.n_classes <= 2) return numbers_.scaled;
        std::vector<double> total(target_.n_classes), target(weight.size());
        const base::RoundingGrid grid(std::ranges::max(weight), weight.size());
        for (std::size_t i = 0; i < weight.size(); ++i) total[target_.labels[i]] += grid.round(weight[i]);
        const auto frequent = std::ranges::max_element(total) - total.begin();
        for (std::size_t i = 0; i < weight.size(); ++i) target[i] = target_.labels[i] == frequent ? 1 : 0;
        return target;
    }

    const table::Rows& rows_;
    std::span<const std::int32_t> n_levels_;
    const Target& target_;
    bool quantile_;
    Numbers numbers_;
    Ranks ranks_;
    CutTable cuts_;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void append_shifted(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from, std::size_t shift) {
    for (const std::int32_t index : from) to.push_back(index < 0 ? -1 : index + static_cast<std::int32_t>(shift));
}

void append_tree(Forest& forest, const TreeNodes& tree) {
    TreeNodes& all = forest.nodes;
    const std::size_t n_nodes = all.size(), n_sets = all.set_start.size() - 1, n_words = all.set_bits.size();
    if (n_nodes + tree.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw std::length_error("the forest has more than 2³¹ nodes; limit max_depth, max_leaf_nodes or n_estimators");
    }
    append(all.feature, tree.feature);
    append_shifted(all.left, tree.left, n_nodes);
    append_shifted(all.right, tree.right, n_nodes);
    append_shifted(all.category_set, tree.category_set, n_sets);
    append(all.threshold, tree.threshold);
    append(all.shown, tree.shown);
    append(all.weight, tree.weight);
    append(all.gain, tree.gain);
    append(all.mass, tree.mass);
    append(all.missing_left, tree.missing_left);
    append(all.unseen_left, tree.unseen_left);
    append(all.value, tree.value);
    append(all.set_bits, tree.set_bits);
    for (std::size_t set = 1; set < tree.set_start.size(); ++set) {
        all.set_start.push_back(tree.set_start[set] + static_cast<std::int64_t>(n_words));
    }
    forest.tree_start.push_back(static_cast<std::int32_t>(all.size()));
}

// Grows single trees; one per thread at a time.
class TreeMaker {
 public:
    TreeMaker(const TrainingView& view, std::span<const double> weight, const RowDraw& draw, std::size_t n_features,
              const ForestOptions& options, const base::Interrupt& interrupt)
        : splitter_(view.splitter(options.n_trees > 1 ? 1 : options.n_threads)),
          sample_weight_(weight),
          draw_(draw),
          n_features_(n_features),
          options_(options),
          interrupt_(interrupt) {}

    std::size_t width() const { return splitter_->value_width(); }

    TreeNodes make(std::size_t tree) {
        const std::size_t n_rows = begin(tree);
        TreeNodes grown = grow_tree(*splitter_, {rows_.data(), n_rows}, n_features_, options_.limits,
                                    base::Random(options_.seed, 2 * tree + 1), interrupt_);
        return options_.ccp_alpha > 0 ? prune(grown, options_.ccp_alpha, width()) : grown;
    }

 private:
    // Draws the tree's rows, tells the splitter, and lists them; returns their number.
    std::size_t begin(std::size_t tree) {
        if (!options_.bootstrap) return begin_weighted(sample_weight_);
        counts_.resize(sample_weight_.size());
        if (splitter_->takes_counts() && draw_.counts(tree, std::span(counts_)) && splitter_->begin_counts(counts_)) {
            return list_rows(std::span<const std::uint8_t>(counts_));
        }
        weights_.resize(sample_weight_.size());
        draw_.counts(tree, std::span(weights_));
        return begin_weighted(weights_);
    }

    std::size_t begin_weighted(std::span<const double> weight) {
        splitter_->begin(weight);
        return list_rows(weight);
    }

    template <class Weight>
    std::size_t list_rows(std::span<const Weight> weight) {
        rows_.resize(weight.size());
        std::size_t n_rows = 0;
        for (std::uint32_t row = 0; row < weight.size(); ++row) {
            rows_[n_rows] = row;
            n_rows += weight[row] > 0 ? 1 : 0;  // without a branch: a third of all rows is not drawn
        }
        return n_rows;
    }

    std::unique_ptr<Splitter> splitter_;
    std::span<const double> sample_weight_;
    const RowDraw& draw_;
    std::size_t n_features_;
    const ForestOptions& options_;
    const base::Interrupt& interrupt_;
    std::vector<std::uint8_t> counts_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> rows_;
};

}  // namespace

Forest grow_forest(const table::Rows& rows, std::span<const std::int32_t> n_levels, const Target& target,
                   std::span<const double> weight, const ForestOptions& options, const base::Interrupt& interrupt,
                   std::atomic<std::size_t>& n_grown) {
    const TrainingView view(rows, n_levels, target, weight, options, interrupt);
    const RowDraw draw(options.seed, rows.n_rows, options.n_draws, weight);
    // Buffers are worth keeping for a few trees; their number may not depend on the number of threads.
    const std::size_t per_chunk = std::max<std::size_t>(1, options.n_trees / 64);
    const std::size_t n_chunks = (options.n_trees + per_chunk - 1) / per_chunk;
    std::vector<TreeNodes> trees(options.n_trees);
    base::parallel_for(
        n_chunks, options.n_threads, base::work_of(rows.n_rows * options.n_trees, 50.0), [&](std::size_t chunk) {
            TreeMaker maker(view, weight, draw, rows.columns.size(), options, interrupt);
            for (std::size_t t = chunk * per_chunk; t < std::min(options.n_trees, (chunk + 1) * per_chunk); ++t) {
                trees[t] = maker.make(t);
                n_grown.fetch_add(1, std::memory_order_relaxed);
            }
        });
    Forest forest;
    forest.width = view.splitter(1)->value_width();
    for (TreeNodes& tree : trees) {
        append_tree(forest, tree);
        tree = TreeNodes();
    }
    for (double& value : forest.nodes.value) value /= static_cast<double>(options.n_trees);
    return forest;
}

}  // namespace glasswood::forest

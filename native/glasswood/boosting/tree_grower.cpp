#include "glasswood/boosting/tree_grower.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/frontier.hpp"

namespace glasswood::boosting {
namespace {

constexpr double least_tree = 5e5;           // ns: smaller trees lose more by moving between caches than they gain
constexpr std::size_t least_shared = 65536;  // rows: smaller nodes are not worth pulling through other caches

double middle(double a, double b) { return a + (b - a) / 2; }

double bounded_value(const GrownNode& node, const NodeSums& unit, const StepRule& rule) {
    const NodeSums sums = in_numbers(node.sums, unit);
    return std::clamp(step(sums.grad, sums.hess, rule), node.lower, node.upper);
}

}  // namespace

Grower::Grower(const BinnedRows& bins, BinnedFeatures features, const GrowOptions& options)
    : bins_(bins), features_(std::move(features)), options_(options), histograms_(bins) {}

std::deque<GrownNode> Grower::grow(const TreeRows& data, std::span<const std::uint32_t> columns, int n_threads,
                                   const base::Interrupt& interrupt) {
    kernels_ = &boost_kernels(base::cpu_level());
    interrupt_ = &interrupt;
    data_ = data;
    unit_ = data.stats.unit;
    rows_.assign(data.rows.begin(), data.rows.end());
    spare_.resize(rows_.size());
    std::vector<std::uint32_t> n_cells;
    for (const std::uint32_t f : columns) n_cells.push_back(static_cast<std::uint32_t>(features_.n_cells(f)));
    histograms_.begin(data.stats, columns, n_cells);
    Nodes nodes;
    nodes.push_back(make_root(n_threads));
    grow_below_root(nodes, n_threads);
    for (GrownNode& node : nodes) {
        if (node.cells) histograms_.give(std::move(node.cells));
    }
    set_values(nodes, n_threads);
    return nodes;
}

// Values of leaves and weights of all nodes. Quantised sums chose the splits; values come from the numbers themselves,
// in fixed point, so that the order of rows in a leaf does not matter.
void Grower::set_values(Nodes& nodes, int n_threads) const {
    const bool quantised = !data_.stats.narrow.empty();
    const NodeSums unit = quantised ? leaf_units(unit_, data_.grad.size()) : unit_;
    const NodeSums per{1.0 / unit.grad, 1.0 / unit.square, 1.0 / unit.hess, 1.0 / unit.weight};
    base::parallel_for(nodes.size(), quantised ? n_threads : 1, base::work_of(rows_.size(), 4.0), [&](std::size_t at) {
        GrownNode& node = nodes[at];
        node.weight = static_cast<double>(node.sums.weight) * unit_.weight;
        if (!node.is_leaf()) return;
        if (!quantised) {
            node.value = bounded_value(node, unit_, options_.step);
            return;
        }
        Sums own{};
        for (const std::uint32_t row : std::span(rows_).subspan(node.begin, node.n_rows())) {
            own.grad += std::llrint(data_.grad[row] * per.grad);
            own.hess += std::llrint(data_.hess[row] * per.hess);
            own.weight += std::llrint((data_.weight.empty() ? 1.0 : data_.weight[row]) * per.weight);
        }
        const NodeSums sums = in_numbers(own, unit);
        node.weight = sums.weight;
        if (sums.hess > 0.0) node.value = std::clamp(step(sums.grad, sums.hess, options_.step), node.lower, node.upper);
    });
    for (std::size_t at = nodes.size(); quantised && at-- > 0;) {
        GrownNode& node = nodes[at];
        if (!node.is_leaf()) node.weight = nodes[node.left].weight + nodes[node.right].weight;
    }
}

bool Grower::may_split(const GrownNode& node) const {
    const double weight = static_cast<double>(node.sums.weight) * unit_.weight;
    return node.depth < options_.max_depth &&
           node.n_rows() >= 2 * std::max<std::size_t>(options_.min_samples_leaf, 1) &&
           weight >= 2 * options_.min_weight_leaf;
}

bool Grower::is_allowed(const GrownNode& node, std::size_t feature) const {
    if (features_.together.empty()) return true;
    const auto& own = features_.together[feature];
    return std::any_of(node.groups.begin(), node.groups.end(),
                       [&](std::uint32_t g) { return std::binary_search(own.begin(), own.end(), g); });
}

GrownNode Grower::make_root(int n_threads) {
    GrownNode root;
    root.end = rows_.size();
    for (const auto& groups : features_.together) root.groups.insert(root.groups.end(), groups.begin(), groups.end());
    std::sort(root.groups.begin(), root.groups.end());
    root.groups.erase(std::unique(root.groups.begin(), root.groups.end()), root.groups.end());
    if (histograms_.n_columns() == 0) return root;
    auto cells = histograms_.take();
    histograms_.fill(rows_, cells.get(), n_threads, [](std::size_t, std::size_t) {});
    // every row is in one bin of each feature, so the bins of any feature add up to the node
    for (std::size_t i = 0; i < histograms_.start(1); ++i) root.sums = plus(root.sums, cells[i]);
    if (!may_split(root)) {
        histograms_.give(std::move(cells));
        return root;
    }
    std::vector<Candidate> found(histograms_.n_columns());
    histograms_.for_columns(n_threads,
                            [&](std::size_t first, std::size_t last) { scan(root, cells.get(), first, last, found); });
    choose(root, std::move(cells), found);
    return root;
}

ScanTask Grower::task_of(const GrownNode& node) const {
    ScanTask task{};
    task.total = node.sums;
    task.unit = unit_;
    task.rows_per_weight =
        std::max(static_cast<double>(node.n_rows()) / (static_cast<double>(node.sums.weight) * unit_.weight), 1.0);
    task.gain = options_.gain;
    task.l2 = options_.step.l2;
    task.rho = options_.rho;
    task.min_weight = options_.min_weight_leaf;
    task.min_rows = options_.min_samples_leaf;
    task.lower = node.lower;
    task.upper = node.upper;
    return task;
}

void Grower::scan(const GrownNode& node, const Sums* cells, std::size_t first, std::size_t last,
                  std::vector<Candidate>& found) const {
    ScanTask task = task_of(node);
    std::vector<std::uint32_t> counts;
    for (std::size_t k = first; k < last; ++k) {
        if (is_allowed(node, histograms_.column(k))) {
            if (options_.min_samples_leaf > 1) {
                count_rows(node, histograms_.column(k), counts);
                task.rows = counts.data();
            }
            found[k] = best_of_feature(features_, histograms_.column(k), cells + histograms_.start(k), task, *kernels_);
        } else {
            found[k].gain = -std::numeric_limits<double>::infinity();
        }
    }
}

// Rows of a node per cell of a feature.
void Grower::count_rows(const GrownNode& node, std::size_t feature, std::vector<std::uint32_t>& counts) const {
    counts.assign(features_.n_cells(feature), 0);
    const std::uint8_t* column = bins_.columns + feature * bins_.n_rows;
    for (const std::uint32_t row : std::span(rows_).subspan(node.begin, node.n_rows())) ++counts[column[row]];
}

// Keeps the best split and the histogram it will need; without a split the histogram goes back.
void Grower::choose(GrownNode& node, Histograms::Cells cells, const std::vector<Candidate>& found) {
    const std::ptrdiff_t best = best_of(found, options_.min_gain);
    if (best < 0) return histograms_.give(std::move(cells));
    node.split = make_split(features_, histograms_.column(best), found[best], cells.get() + histograms_.start(best),
                            task_of(node));
    node.cells = std::move(cells);
}

Children Grower::make_children(const GrownNode& node, std::size_t n_left) const {
    Children children;
    auto& [left, right] = children;
    const Split& split = node.split;
    left.depth = right.depth = node.depth + 1;
    left.begin = node.begin;
    left.end = right.begin = node.begin + n_left;
    right.end = node.end;
    left.sums = split.left;
    right.sums = minus(node.sums, split.left);
    left.lower = right.lower = node.lower;
    left.upper = right.upper = node.upper;
    const std::int32_t monotone = features_.is_category[split.feature] != 0 ? 0 : features_.monotone[split.feature];
    if (monotone != 0) {
        // no value below one side may pass any value below the other
        const double cut =
            middle(bounded_value(left, unit_, options_.step), bounded_value(right, unit_, options_.step));
        (monotone > 0 ? left.upper : left.lower) = cut;
        (monotone > 0 ? right.lower : right.upper) = cut;
    }
    if (!features_.together.empty()) {
        const auto& own = features_.together[split.feature];
        std::set_intersection(node.groups.begin(), node.groups.end(), own.begin(), own.end(),
                              std::back_inserter(left.groups));
        right.groups = left.groups;
    }
    return children;
}

// Children of a node that has chosen its split; they choose theirs.
Children Grower::divide(GrownNode& node, int n_threads) {
    interrupt_->check();
    const std::span rows = std::span(rows_).subspan(node.begin, node.n_rows());
    const std::span spare = std::span(spare_).subspan(node.begin, node.n_rows());
    Children children =
        make_children(node, partition(bins_, node.split.feature, node.split.route, rows, spare, n_threads));
    auto& [left, right] = children;
    const bool left_smaller = left.n_rows() <= right.n_rows();
    give_histograms(left_smaller ? left : right, left_smaller ? right : left, std::move(node.cells), n_threads);
    return children;
}

// Makes a node a leaf again after it was divided. Rows of a node ascend.
void Grower::unite(const GrownNode& node, Children& children) {
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(node.begin);
    std::inplace_merge(first, first + static_cast<std::ptrdiff_t>(children.left.n_rows()),
                       first + static_cast<std::ptrdiff_t>(node.n_rows()));
    if (children.left.cells) histograms_.give(std::move(children.left.cells));
    if (children.right.cells) histograms_.give(std::move(children.right.cells));
}

// `cells` is the histogram of the parent and becomes that of the larger child.
void Grower::give_histograms(GrownNode& small, GrownNode& large, Histograms::Cells cells, int n_threads) {
    const bool scan_small = may_split(small);
    const bool scan_large = may_split(large);
    if (!scan_small && !scan_large) return histograms_.give(std::move(cells));
    auto own = histograms_.take();
    std::vector<Candidate> of_small(scan_small ? histograms_.n_columns() : 0);
    std::vector<Candidate> of_large(scan_large ? histograms_.n_columns() : 0);
    const std::span rows = std::span(rows_).subspan(small.begin, small.n_rows());
    histograms_.fill(rows, own.get(), n_threads, [&](std::size_t first, std::size_t last) {
        if (scan_small) scan(small, own.get(), first, last, of_small);
        if (!scan_large) return;
        const std::size_t at = histograms_.start(first);
        kernels_->subtract(cells.get() + at, own.get() + at, histograms_.start(last) - at);
        scan(large, cells.get(), first, last, of_large);
    });
    if (scan_small) {
        choose(small, std::move(own), of_small);
    } else {
        histograms_.give(std::move(own));
    }
    if (scan_large) {
        choose(large, std::move(cells), of_large);
    } else {
        histograms_.give(std::move(cells));
    }
}

// A tree halves its rows about as often as its number of leaves doubles.
base::Work Grower::work_below_root() const {
    constexpr int most_levels = 20;
    const double n_rows = static_cast<double>(rows_.size());
    int levels = std::min({static_cast<int>(std::min<std::uint32_t>(options_.max_depth, most_levels)),
                           static_cast<int>(std::bit_width(rows_.size()))});
    if (options_.max_leaf_nodes > 0)
        levels = std::min(levels, static_cast<int>(std::bit_width(options_.max_leaf_nodes)));
    const double n_splits =
        std::min(static_cast<double>(1U << levels), n_rows / (2 * std::max(1.0, options_.min_weight_leaf)));
    return {levels * base::work_of(rows_.size() * histograms_.n_columns(), 0.5).nanoseconds +
            n_splits * base::work_of(histograms_.start(histograms_.n_columns()), 4.0).nanoseconds};
}

// Nodes with more than a thread's share of the rows are shared by all; then each thread splits one node at a time.
// Measured with two threads: sharing smaller nodes too, which pulls their rows through every cache, is slower, and
// sharing none leaves a thread idle where the root divides its rows unevenly.
void Grower::grow_below_root(Nodes& nodes, int n_threads) {
    const base::Work work = work_below_root();
    const auto threads = static_cast<std::size_t>(work.nanoseconds < least_tree ? 1 : base::usable_threads(n_threads));
    Frontier frontier(nodes, options_.max_leaf_nodes);
    frontier.offer(nodes.front());
    const std::size_t large =
        threads > 1 ? std::max(least_shared, rows_.size() / threads) : std::numeric_limits<std::size_t>::max();
    while (!frontier.finished()) {
        frontier.split_larger(large, [&](GrownNode& node) { return divide(node, n_threads); });
        base::parallel_for(threads, n_threads, work, [&](std::size_t thread) {
            frontier.work(thread, threads, large, [&](GrownNode& node) { return divide(node, 1); });
        });
    }
    frontier.undo([&](GrownNode& node, Children& children) { unite(node, children); });
}

}  // namespace glasswood::boosting

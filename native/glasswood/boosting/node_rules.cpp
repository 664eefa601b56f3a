#include "glasswood/boosting/node_rules.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::boosting {
namespace {

// Small nodes have about one row of each of many levels. The noise of these is then known from a few rows alone, seems
// small by chance in some node, and there every row would be explained by its level.
constexpr std::uint16_t many_levels = 255;
constexpr double rows_per_many = 2.0;

double middle(double a, double b) { return a + (b - a) / 2; }

}  // namespace

NodeRules::NodeRules(BinnedFeatures features, const GrowOptions& options)
    : features_(std::move(features)), options_(options) {}

bool NodeRules::take_pairs() const {
    const bool any_category = std::ranges::any_of(features_.is_category, [](std::uint8_t is) { return is != 0; });
    return options_.gain == GainKind::newton && !options_.is_symmetric && !any_category;
}

void NodeRules::begin(const NodeSums& unit) {
    unit_ = unit;
    kernels_ = &boost_kernels(base::cpu_level());
}

GrownNode NodeRules::root(std::size_t n_rows) const {
    GrownNode root;
    root.end = n_rows;
    for (const auto& groups : features_.together) root.groups.insert(root.groups.end(), groups.begin(), groups.end());
    std::sort(root.groups.begin(), root.groups.end());
    root.groups.erase(std::unique(root.groups.begin(), root.groups.end()), root.groups.end());
    return root;
}

bool NodeRules::has_weight_to_split(const GrownNode& node) const {
    return node.depth < options_.max_depth && weight_of(node) >= 2 * options_.min_weight_leaf;
}

bool NodeRules::may_split(const GrownNode& node, std::size_t n_rows) const {
    return has_weight_to_split(node) && n_rows >= 2 * std::max<std::size_t>(options_.min_samples_leaf, 1);
}

bool NodeRules::is_allowed(const GrownNode& node, std::size_t feature) const {
    if (features_.together.empty()) return true;
    const auto& own = features_.together[feature];
    return std::any_of(node.groups.begin(), node.groups.end(),
                       [&](std::uint32_t g) { return std::binary_search(own.begin(), own.end(), g); });
}

ScanTask NodeRules::task_of(const GrownNode& node, std::size_t n_rows) const {
    ScanTask task{};
    task.total = node.sums;
    task.unit = unit_;
    task.rows_per_weight = std::max(static_cast<double>(n_rows) / weight_of(node), 1.0);
    task.gain = options_.gain;
    task.l2 = options_.step.l2;
    task.rho = options_.rho;
    task.rows_per_level = 1.0;
    task.min_weight = options_.min_weight_leaf;
    task.min_rows = options_.min_samples_leaf;
    task.lower = node.lower;
    task.upper = node.upper;
    return task;
}

ScanTask NodeRules::task_of(const GrownNode& node, std::size_t n_rows, std::size_t feature) const {
    ScanTask task = task_of(node, n_rows);
    task.monotone = features_.is_category[feature] != 0 ? 0 : features_.monotone[feature];
    if (features_.n_wide[feature] >= many_levels) task.rows_per_level = rows_per_many;
    return task;
}

Candidate NodeRules::candidate_of(const GrownNode& node, std::size_t feature, const Sums* cells,
                                  const ScanTask& task) const {
    if (is_allowed(node, feature)) return best_of_feature(features_, feature, cells, task, *kernels_);
    return no_candidate;
}

Candidate NodeRules::candidate_of(const GrownNode& node, std::size_t feature, const CellList& list,
                                  const ScanTask& task) const {
    if (is_allowed(node, feature)) return best_of_list(features_, feature, list, task, *kernels_);
    return no_candidate;
}

Candidate NodeRules::candidate_of(const GrownNode& node, std::size_t feature, LevelList& list, ScanTask task) const {
    if (!is_allowed(node, feature)) return no_candidate;
    if (counts_rows()) task.rows = list.n_rows.data();
    if (features_.n_wide[feature] >= many_levels) task.rows_per_level = rows_per_many;
    return best_of_wide(list, task, *kernels_);
}

double NodeRules::bounded_value(const GrownNode& node) const {
    const NodeSums sums = in_numbers(node.sums, unit_);
    return std::clamp(step(sums.grad, sums.hess, options_.step), node.lower, node.upper);
}

Children NodeRules::children_of(const GrownNode& node, std::size_t n_left) const {
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
        const double cut = middle(bounded_value(left), bounded_value(right));
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

void NodeRules::set_value(GrownNode& node) const {
    node.weight = weight_of(node);
    if (node.is_leaf()) node.value = bounded_value(node);
}

void NodeRules::set_value(GrownNode& leaf, const Sums& sums, const NodeSums& unit) const {
    const NodeSums numbers = in_numbers(sums, unit);
    leaf.weight = numbers.weight;
    if (numbers.hess > 0.0) {
        leaf.value = std::clamp(step(numbers.grad, numbers.hess, options_.step), leaf.lower, leaf.upper);
    }
}

std::vector<std::uint32_t> cells_of(const BinnedFeatures& features, std::span<const std::uint32_t> columns) {
    std::vector<std::uint32_t> cells;
    for (const std::uint32_t f : columns) cells.push_back(static_cast<std::uint32_t>(features.n_cells(f)));
    return cells;
}

void add_weights_of_leaves(std::deque<GrownNode>& nodes) {
    for (std::size_t at = nodes.size(); at-- > 0;) {
        GrownNode& node = nodes[at];
        if (!node.is_leaf()) node.weight = nodes[node.left].weight + nodes[node.right].weight;
    }
}

Sums sums_of(const TreeRows& data, std::span<const std::uint32_t> rows, const NodeSums& unit) {
    const NodeSums per{1.0 / unit.grad, 1.0 / unit.square, 1.0 / unit.hess, 1.0 / unit.weight};
    Sums sums{};
    for (const std::uint32_t row : rows) {
        sums.grad += std::llrint(data.grad[row] * per.grad);
        sums.hess += std::llrint(data.hess[row] * per.hess);
        sums.weight += std::llrint((data.weight.empty() ? 1.0 : data.weight[row]) * per.weight);
    }
    return sums;
}

}  // namespace glasswood::boosting

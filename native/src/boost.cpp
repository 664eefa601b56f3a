#include "glasswood/boost.hpp"

#include <algorithm>
#include <queue>

#include "glasswood/levels.hpp"
#include "glasswood/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t block_columns = 64;   // most features of one piece of work
constexpr std::size_t least_shared = 8192;  // rows: smaller nodes are not worth waking other threads for

double middle(double a, double b) { return a + (b - a) / 2; }

double bounded_value(const GrownNode& node, const NodeSums& unit, double l2) {
    const NodeSums sums = in_numbers(node.sums, unit);
    return std::clamp(leaf_value(sums.grad, sums.hess, l2), node.lower, node.upper);
}

}  // namespace

Grower::Grower(const BinnedRows& bins, BinnedFeatures features, const GrowOptions& options)
    : bins_(bins), features_(std::move(features)), options_(options) {}

std::vector<GrownNode> Grower::grow(const TreeRows& data, std::span<const std::uint32_t> columns, int n_threads) {
    kernels_ = &boost_kernels(cpu_level());
    data_ = data;
    rows_.assign(data.rows.begin(), data.rows.end());
    spare_left_.resize(rows_.size());
    spare_right_.resize(rows_.size());
    use_columns(columns);
    Nodes nodes;
    nodes.push_back(make_root(n_threads));
    if (options_.max_leaf_nodes > 0) {
        grow_by_gain(nodes, n_threads);
    } else {
        grow_by_depth(nodes, n_threads);
    }
    for (GrownNode& node : nodes) {
        if (node.cells) give(std::move(node.cells));
        if (node.is_leaf()) node.value = bounded_value(node, data_.unit, options_.l2);
    }
    return nodes;
}

void Grower::use_columns(std::span<const std::uint32_t> columns) {
    columns_.assign(columns.begin(), columns.end());
    start_.assign(1, 0);
    for (const std::uint32_t f : columns_) {
        start_.push_back(start_.back() + static_cast<std::uint32_t>(features_.n_cells(f)));
    }
    if (start_.back() > pool_cells_) {
        pool_.clear();
        pool_cells_ = start_.back();
    }
}

std::unique_ptr<Sums[]> Grower::take() {
    const std::lock_guard lock(guard_);
    if (pool_.empty()) return std::unique_ptr<Sums[]>(new Sums[pool_cells_]);
    auto cells = std::move(pool_.back());
    pool_.pop_back();
    return cells;
}

void Grower::give(std::unique_ptr<Sums[]> cells) {
    const std::lock_guard lock(guard_);
    pool_.push_back(std::move(cells));
}

HistogramColumns Grower::block(std::size_t first, std::size_t last) const {
    return {columns_.data() + first, start_.data() + first, last - first};
}

// Calls body(first, last) for blocks of columns, evenly spread over the threads.
template <class Body>
void Grower::for_blocks(int n_threads, Body&& body) const {
    const std::size_t n = columns_.size();
    const std::size_t threads = static_cast<std::size_t>(std::max(1, n_threads));
    const std::size_t per_thread = (n + threads * block_columns - 1) / (threads * block_columns);
    const std::size_t n_blocks = std::min(n, threads * per_thread);
    parallel_for(n_blocks, n_threads, [&](std::size_t b) { body(b * n / n_blocks, (b + 1) * n / n_blocks); });
}

bool Grower::may_split(const GrownNode& node) const {
    const double weight = static_cast<double>(node.sums.weight) * data_.unit.weight;
    return node.depth < options_.max_depth && node.n_rows() > 1 && weight >= 2 * options_.min_weight_leaf;
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
    root.sums = total(data_.stats, rows_, n_threads);
    for (const auto& groups : features_.together) root.groups.insert(root.groups.end(), groups.begin(), groups.end());
    std::sort(root.groups.begin(), root.groups.end());
    root.groups.erase(std::unique(root.groups.begin(), root.groups.end()), root.groups.end());
    if (!may_split(root) || columns_.empty()) return root;
    auto cells = take();
    std::vector<Candidate> found(columns_.size());
    for_blocks(n_threads, [&](std::size_t first, std::size_t last) {
        std::fill(cells.get() + start_[first], cells.get() + start_[last], Sums{});
        kernels_->build(bins_.data, bins_.n_features, block(first, last), data_.stats.data(), rows_.data(),
                        rows_.size(), cells.get());
        scan(root, cells.get(), first, last, found);
    });
    choose(root, std::move(cells), found);
    return root;
}

void Grower::scan(const GrownNode& node, const Sums* cells, std::size_t first, std::size_t last,
                  std::vector<Candidate>& found) const {
    const ScanTask task{node.sums, data_.unit, options_.gain, options_.l2, options_.min_weight_leaf,
                        0,         node.lower, node.upper};
    for (std::size_t k = first; k < last; ++k) {
        if (is_allowed(node, columns_[k])) {
            found[k] = best_of_feature(features_, columns_[k], cells + start_[k], task, *kernels_);
        } else {
            found[k].gain = -std::numeric_limits<double>::infinity();
        }
    }
}

// Keeps the best split and the histogram it will need; without a split the histogram goes back.
void Grower::choose(GrownNode& node, std::unique_ptr<Sums[]> cells, const std::vector<Candidate>& found) {
    const std::ptrdiff_t best = best_of(found, options_.min_gain);
    if (best < 0) return give(std::move(cells));
    node.split = make_split(features_, columns_[best], found[best], cells.get() + start_[best], node.sums);
    node.cells = std::move(cells);
}

void Grower::add_children(Nodes& nodes, std::size_t parent, std::size_t n_left) const {
    GrownNode left;
    GrownNode right;
    GrownNode& node = nodes[parent];
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
            middle(bounded_value(left, data_.unit, options_.l2), bounded_value(right, data_.unit, options_.l2));
        (monotone > 0 ? left.upper : left.lower) = cut;
        (monotone > 0 ? right.lower : right.upper) = cut;
    }
    if (!features_.together.empty()) {
        const auto& own = features_.together[split.feature];
        std::set_intersection(node.groups.begin(), node.groups.end(), own.begin(), own.end(),
                              std::back_inserter(left.groups));
        right.groups = left.groups;
    }
    node.left = static_cast<std::int32_t>(nodes.size());
    node.right = node.left + 1;
    nodes.push_back(std::move(left));
    nodes.push_back(std::move(right));
}

// Splits a node that has chosen its split; the children choose theirs.
void Grower::split(Nodes& nodes, std::size_t at, int n_threads) {
    const int threads = nodes[at].n_rows() < least_shared ? 1 : n_threads;
    const GrownNode& node = nodes[at];
    const std::span rows = std::span(rows_).subspan(node.begin, node.n_rows());
    const Spare spare{std::span(spare_left_).subspan(node.begin, node.n_rows()),
                      std::span(spare_right_).subspan(node.begin, node.n_rows())};
    add_children(nodes, at, partition(bins_, node.split.feature, node.split.route, rows, spare, threads));
    GrownNode& left = nodes[nodes[at].left];
    GrownNode& right = nodes[nodes[at].right];
    const bool left_smaller = left.n_rows() <= right.n_rows();
    give_histograms(left_smaller ? left : right, left_smaller ? right : left, std::move(nodes[at].cells), threads);
}

// `cells` is the histogram of the parent and becomes that of the larger child.
void Grower::give_histograms(GrownNode& small, GrownNode& large, std::unique_ptr<Sums[]> cells, int n_threads) {
    const bool scan_small = may_split(small);
    const bool scan_large = may_split(large);
    if (!scan_small && !scan_large) return give(std::move(cells));
    auto own = take();
    std::vector<Candidate> of_small(scan_small ? columns_.size() : 0);
    std::vector<Candidate> of_large(scan_large ? columns_.size() : 0);
    for_blocks(n_threads, [&](std::size_t first, std::size_t last) {
        std::fill(own.get() + start_[first], own.get() + start_[last], Sums{});
        kernels_->build(bins_.data, bins_.n_features, block(first, last), data_.stats.data(),
                        rows_.data() + small.begin, small.n_rows(), own.get());
        if (scan_small) scan(small, own.get(), first, last, of_small);
        if (!scan_large) return;
        kernels_->subtract(cells.get() + start_[first], own.get() + start_[first], start_[last] - start_[first]);
        scan(large, cells.get(), first, last, of_large);
    });
    if (scan_small) {
        choose(small, std::move(own), of_small);
    } else {
        give(std::move(own));
    }
    if (scan_large) {
        choose(large, std::move(cells), of_large);
    } else {
        give(std::move(cells));
    }
}

// Depth first, the smaller child first, so that few histograms wait.
void Grower::grow_subtree(Nodes& nodes) {
    std::vector<std::size_t> waiting{0};
    while (!waiting.empty()) {
        const std::size_t at = waiting.back();
        waiting.pop_back();
        if (!nodes[at].cells) continue;
        split(nodes, at, 1);
        const auto left = static_cast<std::size_t>(nodes[at].left);
        const bool left_smaller = nodes[left].n_rows() <= nodes[left + 1].n_rows();
        waiting.push_back(left_smaller ? left + 1 : left);
        waiting.push_back(left_smaller ? left : left + 1);
    }
}

void Grower::grow_by_depth(Nodes& nodes, int n_threads) {
    const int threads = usable_threads(n_threads);
    const std::size_t large = threads > 1
                                  ? std::max(least_shared, rows_.size() / (4 * static_cast<std::size_t>(threads)))
                                  : std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> small;  // roots of subtrees for one thread
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (!nodes[at].cells) continue;
        if (nodes[at].n_rows() > large) {
            split(nodes, at, threads);
        } else {
            small.push_back(at);
        }
    }
    std::vector<Nodes> subtrees(small.size());
    std::vector<std::size_t> largest_first(small.size());
    for (std::size_t t = 0; t < small.size(); ++t) {
        largest_first[t] = t;
        subtrees[t].push_back(std::move(nodes[small[t]]));
    }
    std::stable_sort(largest_first.begin(), largest_first.end(),
                     [&](std::size_t a, std::size_t b) { return subtrees[a][0].n_rows() > subtrees[b][0].n_rows(); });
    parallel_for(subtrees.size(), threads, [&](std::size_t k) { grow_subtree(subtrees[largest_first[k]]); });
    for (std::size_t t = 0; t < small.size(); ++t) {
        const auto shift = static_cast<std::int32_t>(nodes.size()) - 1;  // node 0 of the subtree stays in its place
        for (GrownNode& node : subtrees[t]) {
            if (node.is_leaf()) continue;
            node.left += shift;
            node.right += shift;
        }
        nodes[small[t]] = std::move(subtrees[t][0]);
        std::move(subtrees[t].begin() + 1, subtrees[t].end(), std::back_inserter(nodes));
    }
}

// The leaf with the largest gain first, the older one among equals.
void Grower::grow_by_gain(Nodes& nodes, int n_threads) {
    using Entry = std::pair<double, std::ptrdiff_t>;  // gain, minus the node
    std::priority_queue<Entry> open;
    const auto offer = [&](std::size_t at) {
        if (nodes[at].cells) open.emplace(nodes[at].split.gain, -static_cast<std::ptrdiff_t>(at));
    };
    offer(0);
    for (std::uint32_t leaves = 1; leaves < options_.max_leaf_nodes && !open.empty(); ++leaves) {
        const auto at = static_cast<std::size_t>(-open.top().second);
        open.pop();
        split(nodes, at, usable_threads(n_threads));
        offer(static_cast<std::size_t>(nodes[at].left));
        offer(static_cast<std::size_t>(nodes[at].right));
    }
}

}  // namespace glasswood::boosting

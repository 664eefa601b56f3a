#include "glasswood/forest/tree_grower.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <queue>
#include <stdexcept>
#include <utility>

namespace glasswood::forest {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t max_set_words = std::size_t{1} << 27;  // 1 GiB of category sets in one tree

// A node whose rows stand at [first, first + size).
struct NodeRows {
    std::size_t node, first, size, depth;
};

// A node that can be split; the largest gain is split first, of equal ones the oldest.
struct Pending {
    NodeRows rows;
    Split split;

    bool operator<(const Pending& other) const {
        return split.gain != other.split.gain ? split.gain < other.split.gain : rows.node > other.rows.node;
    }
};

// The number with the fewest digits strictly between two neighbours, near the threshold; the threshold where none is.
double shortest_between(double low, double high, double threshold) {
    std::array<char, 32> text{};
    for (int digits = 0; digits < 17; ++digits) {
        std::snprintf(text.data(), text.size(), "%.*e", digits, threshold);
        const double candidate = std::strtod(text.data(), nullptr);
        if (low < candidate && candidate < high) return candidate;
    }
    return threshold;
}

class Grower {
 public:
    Grower(Splitter& splitter, std::span<std::uint32_t> rows, std::size_t n_features, const GrowLimits& limits,
           base::Random random, const base::Interrupt& interrupt)
        : splitter_(splitter),
          rows_(rows),
          scratch_(rows.size()),
          pool_(n_features),
          limits_(limits),
          random_(random),
          interrupt_(interrupt) {
        std::iota(pool_.begin(), pool_.end(), 0);
    }

    TreeNodes depth_first();
    TreeNodes best_first();

 private:
    void add_node(const NodeRows& rows);
    bool may_split(const NodeRows& rows) const;
    Split find_split();
    std::pair<NodeRows, NodeRows> divide(const NodeRows& rows, const Split& split);
    void write_split(std::size_t node, const Split& split);
    std::optional<Pending> consider(const NodeRows& rows);

    Splitter& splitter_;
    std::span<std::uint32_t> rows_;
    std::vector<std::uint32_t> scratch_;
    std::vector<std::int32_t> pool_;  // features, those drawn last in front
    GrowLimits limits_;
    base::Random random_;
    const base::Interrupt& interrupt_;
    TreeNodes tree_;
};

// Adds a leaf for the rows; the splitter has it open afterwards.
void Grower::add_node(const NodeRows& rows) {
    interrupt_.check();
    splitter_.prepare(rows_.subspan(rows.first, rows.size));
    tree_.feature.push_back(-1);
    tree_.left.push_back(-1);
    tree_.right.push_back(-1);
    tree_.category_set.push_back(-1);
    tree_.threshold.push_back(nan);
    tree_.shown.push_back(nan);
    tree_.weight.push_back(splitter_.weight());
    tree_.gain.push_back(nan);
    tree_.mass.push_back(splitter_.mass() * splitter_.unit());
    tree_.missing_left.push_back(0);
    tree_.unseen_left.push_back(0);
    tree_.value.resize(tree_.value.size() + splitter_.value_width());
    splitter_.value(tree_.value.data() + tree_.value.size() - splitter_.value_width());
}

bool Grower::may_split(const NodeRows& rows) const {
    return rows.depth < limits_.max_depth && rows.size >= limits_.min_rows && rows.size >= 2 * limits_.child.min_rows &&
           splitter_.weight() >= 2 * limits_.child.min_weight && !splitter_.pure();
}

// Best split of the open node.
Split Grower::find_split() {
    Split best;
    const std::size_t n_features = pool_.size();
    if (limits_.max_features >= n_features) {
        splitter_.search(pool_, limits_.child, best);
    } else {
        std::size_t drawn = 0, varying = 0;
        while (varying == 0 && drawn < n_features) {
            const std::size_t from = drawn;
            for (const std::size_t until = std::max(limits_.max_features, drawn + 1); drawn < until; ++drawn) {
                std::swap(pool_[drawn], pool_[drawn + random_.below(static_cast<std::uint32_t>(n_features - drawn))]);
            }
            varying = splitter_.search({pool_.data() + from, drawn - from}, limits_.child, best);
        }
    }
    if (limits_.child.needs_gain && best.gain <= Contest::rounding * splitter_.mass()) best.gain = -1;
    return best;
}

void Grower::write_split(std::size_t node, const Split& split) {
    tree_.feature[node] = split.feature;
    tree_.gain[node] = split.gain * splitter_.unit();
    tree_.missing_left[node] = split.missing_left ? 1 : 0;
    if (!split.is_category) {
        tree_.threshold[node] = split.threshold;
        tree_.shown[node] = limits_.short_labels
                                ? shortest_between(split.left_value, split.right_value, split.threshold)
                                : split.threshold;
        return;
    }
    tree_.unseen_left[node] = split.heavier_left ? 1 : 0;
    tree_.category_set[node] = static_cast<std::int32_t>(tree_.set_start.size() - 1);
    tree_.set_bits.insert(tree_.set_bits.end(), split.members.begin(), split.members.end());
    tree_.set_start.push_back(static_cast<std::int64_t>(tree_.set_bits.size()));
    if (tree_.set_bits.size() > max_set_words) {
        throw std::length_error(
            "the category sets of one tree need more than 1 GiB; limit max_depth or max_leaf_nodes, or give features "
            "with fewer levels");
    }
}

// Splits a node and its rows; the children have no nodes yet.
std::pair<NodeRows, NodeRows> Grower::divide(const NodeRows& rows, const Split& split) {
    write_split(rows.node, split);
    const std::size_t n_left = splitter_.partition(rows_.subspan(rows.first, rows.size), scratch_, split);
    return {{0, rows.first, n_left, rows.depth + 1}, {0, rows.first + n_left, rows.size - n_left, rows.depth + 1}};
}

TreeNodes Grower::depth_first() {
    // The parent's side is where a child's number goes once it has one.
    struct Waiting {
        NodeRows rows;
        std::int64_t parent;
        bool is_left;
    };
    std::vector<Waiting> stack{{{0, 0, rows_.size(), 0}, -1, false}};
    while (!stack.empty()) {
        Waiting now = stack.back();
        stack.pop_back();
        now.rows.node = tree_.size();
        if (now.parent >= 0) {
            (now.is_left ? tree_.left : tree_.right)[now.parent] = static_cast<std::int32_t>(now.rows.node);
        }
        add_node(now.rows);
        if (!may_split(now.rows)) continue;
        const Split split = find_split();
        if (!split.found()) continue;
        const auto [left, right] = divide(now.rows, split);
        const auto node = static_cast<std::int64_t>(now.rows.node);
        stack.push_back({right, node, false});
        stack.push_back({left, node, true});
    }
    return std::move(tree_);
}

// Adds a node and finds out whether it can be split.
std::optional<Pending> Grower::consider(const NodeRows& rows) {
    add_node(rows);
    if (!may_split(rows)) return std::nullopt;
    Split split = find_split();
    if (!split.found()) return std::nullopt;
    return Pending{rows, std::move(split)};
}

TreeNodes Grower::best_first() {
    std::priority_queue<Pending> heap;
    const auto add = [&](NodeRows rows) {
        rows.node = tree_.size();
        if (auto pending = consider(rows)) heap.push(std::move(*pending));
        return static_cast<std::int32_t>(rows.node);
    };
    add({0, 0, rows_.size(), 0});
    for (std::size_t n_leaves = 1; n_leaves < limits_.max_leaves && !heap.empty(); ++n_leaves) {
        const Pending next = heap.top();
        heap.pop();
        const auto [left, right] = divide(next.rows, next.split);
        const std::int32_t left_node = add(left), right_node = add(right);
        tree_.left[next.rows.node] = left_node;
        tree_.right[next.rows.node] = right_node;
    }
    return std::move(tree_);
}

}  // namespace

TreeNodes grow_tree(Splitter& splitter, std::span<std::uint32_t> rows, std::size_t n_features, const GrowLimits& limits,
                    base::Random random, const base::Interrupt& interrupt) {
    Grower grower(splitter, rows, n_features, limits, random, interrupt);
    return limits.max_leaves > 0 ? grower.best_first() : grower.depth_first();
}

}  // namespace glasswood::forest

#include "glasswood/attributions/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "glasswood/base/elementary.hpp"

namespace glasswood::attributions {
namespace {

// Rows for which groups are chosen: fixed, or results would depend on how many are asked for.
constexpr double reference_rows = 10000;
constexpr int max_table_bits = 9;
constexpr int max_deep_bits = 14;
constexpr std::size_t max_asks = 10;  // masks are looked up in tables of 2^asks
constexpr std::size_t too_many = 99;

template <class T>
std::int32_t index_of(const std::vector<T>& items, T item) {
    return static_cast<std::int32_t>(std::ranges::find(items, item) - items.begin());
}

}  // namespace

void MaskTable::prepare(const AttributionGroup& group, const AttributionLeaf& leaf) {
    n_above = group.n_above;
    const std::size_t n = std::size_t{1} << group.asks.size();
    low.assign(n, 0);
    high.assign(n, 0);
    const auto sides = group.sides_of(leaf);
    for (std::size_t j = 0; j < sides.size(); ++j) {
        std::vector<Mask>& out = static_cast<std::int32_t>(j) < n_above ? low : high;
        const Mask bit = Mask{1} << j;
        for (std::size_t inside = 0; inside < n; ++inside) {
            if ((inside & sides[j].yes) == sides[j].yes && (inside & sides[j].no) == 0) out[inside] |= bit;
        }
    }
}

// Groups of one tree.
class TreePlanner {
 public:
    TreePlanner(const AttributionPlan& plan, std::size_t tree)
        : plan_(plan),
          e_(plan.ensemble_),
          first_(e_.tree_start[tree]),
          n_(static_cast<std::size_t>(e_.tree_start[tree + 1] - first_)),
          parent_(n_, -1),
          reached_(n_, 0),
          path_(n_),
          asks_(n_),
          n_leaves_(n_, 0) {
        out_.tree = static_cast<std::int32_t>(tree);
        out_.question_of.assign(n_, -1);
        walk_down();
        number_questions();
        const auto n_features = static_cast<int>(max_features_);
        out_.kind = n_features > plan.limits_.mask    ? AttributionKind::wide
                    : n_features > plan.limits_.table ? AttributionKind::deep
                                                      : AttributionKind::table;
    }

    AttributionKind kind() const { return out_.kind; }
    AttributionTree questions() { return std::move(out_); }

    AttributionTree plan() {
        walk_up();
        choose();
        std::vector<std::int32_t> stack{first_};
        while (!stack.empty()) {
            const std::int32_t node = stack.back();
            stack.pop_back();
            if (whole_[at(node)] != 0) {
                out_.groups.push_back(group(node));
            } else {
                stack.push_back(e_.right[node]);
                stack.push_back(e_.left[node]);
            }
        }
        return std::move(out_);
    }

 private:
    std::size_t at(std::int32_t node) const { return static_cast<std::size_t>(node - first_); }
    std::int32_t node(std::size_t i) const { return first_ + static_cast<std::int32_t>(i); }

    void walk_down() {
        std::vector<std::uint8_t> used(e_.n_features(), 0);
        reached_[0] = 1;
        for (std::size_t i = 0; i < n_; ++i) {
            const std::int32_t here = node(i);
            if (reached_[i] == 0) continue;
            if (e_.is_leaf(here)) {
                max_features_ = std::max(max_features_, path_[i].size());
                continue;
            }
            const std::int32_t f = e_.feature[here];
            n_used_ += used[f] == 0 ? 1 : 0;
            used[f] = 1;
            std::vector<std::int32_t> path = path_[i];
            if (std::ranges::find(path, f) == path.end()) path.push_back(f);
            for (const std::int32_t child : {e_.left[here], e_.right[here]}) {
                parent_[at(child)] = here;
                reached_[at(child)] = 1;
                path_[at(child)] = path;
            }
        }
    }

    // Splits that ask the same are one question.
    void number_questions() {
        std::map<std::array<std::int64_t, 3>, std::int32_t> known;
        for (std::size_t i = 0; i < n_; ++i) {
            const std::int32_t here = node(i);
            if (reached_[i] == 0 || e_.is_leaf(here)) continue;
            const explain::SplitQuestion asked = plan_.splits_.of(here);
            const std::array<std::int64_t, 3> key{asked.feature, asked.choice,
                                                  (static_cast<std::int64_t>(asked.cut) << 32) | asked.also};
            const auto found = known.emplace(key, static_cast<std::int32_t>(known.size()));
            if (found.second) out_.questions.push_back(asked);
            out_.question_of[i] = found.first->second;
        }
    }

    // Questions below each node, as long as they are few, and leaves.
    void walk_up() {
        std::vector<std::uint8_t> many(n_, 0);
        for (std::size_t i = n_; i-- > 0;) {
            const std::int32_t here = node(i);
            if (reached_[i] == 0) continue;
            if (e_.is_leaf(here)) {
                n_leaves_[i] = 1;
                continue;
            }
            const std::size_t l = at(e_.left[here]), r = at(e_.right[here]);
            n_leaves_[i] = n_leaves_[l] + n_leaves_[r];
            many[i] = many[l] | many[r];
            if (many[i] != 0) continue;
            std::vector<std::int32_t>& all = asks_[i];
            std::ranges::set_union(asks_[l], asks_[r], std::back_inserter(all));
            const auto found = std::ranges::lower_bound(all, out_.question_of[i]);
            if (found == all.end() || *found != out_.question_of[i]) all.insert(found, out_.question_of[i]);
            if (all.size() > max_asks) {
                many[i] = 1;
                all = {};
            }
        }
        many_ = std::move(many);
    }

    // Bottom-up: a node is one group if that costs less than the groups of its children.
    void choose() {
        std::vector<double> cost(n_, 0.0);
        whole_.assign(n_, 0);
        for (std::size_t i = n_; i-- > 0;) {
            if (reached_[i] == 0) continue;
            const std::int32_t here = node(i);
            const double one = cost_of(i);
            if (e_.is_leaf(here)) {
                cost[i] = one;
                whole_[i] = 1;
                continue;
            }
            const double two = cost[at(e_.left[here])] + cost[at(e_.right[here])];
            whole_[i] = one <= two ? 1 : 0;
            cost[i] = std::min(one, two);
        }
    }

    double cost_of(std::size_t i) const {
        const bool leaf = e_.is_leaf(node(i)), table = out_.kind == AttributionKind::table;
        const std::size_t n_asks = leaf ? 0 : many_[i] != 0 ? too_many : asks_[i].size();
        const std::size_t k = path_[i].size(), bits = k + n_asks, max_bits = table ? max_table_bits : max_deep_bits;
        if (!leaf && (bits > max_bits || n_asks > max_asks || out_.kind == AttributionKind::wide))
            return std::numeric_limits<double>::infinity();
        const auto outputs = static_cast<double>(e_.width);
        const auto columns = static_cast<double>(std::min(bits, n_used_));
        const auto features = static_cast<double>(k), n = static_cast<double>(n_leaves_[i]);
        const double row = plan_.pairs_ ? 0.55 * columns * (columns + 1) / 2 : 0.9 * columns;
        const double entry = plan_.pairs_ ? 0.6 * features * features : 1.5 * features;
        // only patterns that occur get a line in a deep tree, and each must be looked up first
        const double lines =
            table
                ? std::ldexp(1.0, static_cast<int>(bits))
                : std::min(base::elementary::exp(0.7 * std::numbers::ln2 * static_cast<double>(bits)), reference_rows);
        return reference_rows * (3 + row * outputs + (table ? 0 : 15)) + lines * n * (4 + entry * outputs);
    }

    AttributionGroup group(std::int32_t anchor) {
        AttributionGroup g;
        g.anchor = anchor;
        g.features = path_[at(anchor)];
        g.n_above = static_cast<std::int32_t>(g.features.size());
        g.asks = asks_[at(anchor)];
        for (std::int32_t child = anchor; parent_[at(child)] >= 0; child = parent_[at(child)]) {
            const std::int32_t up = parent_[at(child)];
            g.above.push_back({out_.question_of[at(up)], index_of(g.features, e_.feature[up]), plan_.share(up, child),
                               child == e_.left[up]});
        }
        struct Visit {
            std::int32_t node, up;
        };
        std::vector<Visit> stack{{anchor, -1}};
        std::vector<Visit> leaves;
        while (!stack.empty()) {
            const Visit here = stack.back();
            stack.pop_back();
            if (e_.is_leaf(here.node)) {
                leaves.push_back(here);
                continue;
            }
            const std::int32_t f = e_.feature[here.node];
            if (std::ranges::find(g.features, f) == g.features.end()) g.features.push_back(f);
            const auto index = static_cast<std::int32_t>(g.inner.size());
            const bool is_right = here.up >= 0 && e_.right[g.inner[here.up].node] == here.node;
            g.inner.push_back({here.node, index_of(g.asks, out_.question_of[at(here.node)]), index_of(g.features, f),
                               here.up, is_right});
            stack.push_back({e_.right[here.node], index});
            stack.push_back({e_.left[here.node], index});
        }
        for (const Visit& leaf : leaves) add_leaf(g, leaf.node, leaf.up);
        return g;
    }

    void add_leaf(AttributionGroup& g, std::int32_t leaf, std::int32_t up) const {
        const std::vector<std::int32_t>& path = path_[at(leaf)];
        const auto first = static_cast<std::int32_t>(g.sides.size());
        for (const std::int32_t f : path) g.sides.push_back({index_of(g.features, f), 1.0, 0, 0});
        for (std::int32_t child = leaf; parent_[at(child)] >= 0; child = parent_[at(child)]) {
            const std::int32_t split = parent_[at(child)];
            AttributionSide& side = g.sides[first + index_of(path, e_.feature[split])];
            side.share *= plan_.share(split, child);
            if (up < 0) continue;  // above the anchor
            (child == e_.left[split] ? side.yes : side.no) |= Mask{1} << g.inner[up].bit;
            up = g.inner[up].up;
        }
        g.leaves.push_back({leaf, first, static_cast<std::int32_t>(path.size())});
    }

    const AttributionPlan& plan_;
    const model::Ensemble& e_;
    const std::int32_t first_;
    const std::size_t n_;
    std::vector<std::int32_t> parent_;
    std::vector<std::uint8_t> reached_;
    std::vector<std::vector<std::int32_t>> path_;  // features asked above a node, each once
    std::vector<std::vector<std::int32_t>> asks_;  // questions at and below a node, sorted
    std::vector<std::uint8_t> many_;               // there are more than asks_ holds
    std::vector<std::int32_t> n_leaves_;
    std::vector<std::uint8_t> whole_;
    std::size_t n_used_ = 0, max_features_ = 0;
    AttributionTree out_;
};

AttributionPlan::AttributionPlan(const model::Ensemble& e, const explain::Axes& axes, std::span<const double> weight,
                                 bool pairs, AttributionLimits limits)
    : ensemble_(e), axes_(axes), weight_(weight), pairs_(pairs), limits_(limits), splits_(e, axes) {
    trees_.resize(e.n_trees());
    for (std::size_t t = 0; t < e.n_trees(); ++t) {
        TreePlanner planner(*this, t);
        if (planner.kind() == AttributionKind::table) {
            trees_[t] = planner.plan();
        } else {
            trees_[t].kind = planner.kind();
            trees_[t].tree = static_cast<std::int32_t>(t);
        }
    }
}

AttributionTree AttributionPlan::make(std::size_t tree) const { return TreePlanner(*this, tree).plan(); }

AttributionTree AttributionPlan::questions(std::size_t tree) const { return TreePlanner(*this, tree).questions(); }

double AttributionPlan::share(std::int32_t parent, std::int32_t child) const {
    const double both = weight_[ensemble_.left[parent]] + weight_[ensemble_.right[parent]];
    return both == 0 ? 0.5 : weight_[child] / both;
}

}  // namespace glasswood::attributions

#include "glasswood/explain/leaf_paths.hpp"

#include <algorithm>

#include "glasswood/base/bitset.hpp"

namespace glasswood::explain {
namespace {

// One feature's side while its path is walked: plain numbers, since a split keeps a copy to put back.
struct Side {
    std::int32_t feature;
    std::int32_t first, last;  // intervals; empty when first > last
    bool missing, unseen;
    double share;
    std::int64_t words;  // first word of the known categories in the walker's pool; unused for a number
};

struct Visit {
    std::int32_t node, parent;
    std::int32_t depth;  // of the parent's split
    bool is_left;
};

// What a split changed, to be put back when the walk leaves it.
struct Change {
    std::int32_t position;  // in the path
    bool is_new;
    Side before;
};

class Walker {
 public:
    Walker(const model::Ensemble& e, std::span<const double> weight, Paths& out)
        : e_(e), weight_(weight), out_(out), position_(e.n_features(), -1) {}

    void walk(std::size_t tree) {
        pool_.clear();
        stack_.push_back({e_.tree_start[tree], -1, 0, false});
        while (!stack_.empty()) {
            const Visit at = stack_.back();
            stack_.pop_back();
            while (static_cast<std::int32_t>(changes_.size()) > at.depth) put_back();
            if (at.parent >= 0) narrow(at);
            if (e_.is_leaf(at.node)) {
                append(at.node);
                continue;
            }
            const auto depth = static_cast<std::int32_t>(changes_.size());
            stack_.push_back({e_.right[at.node], at.node, depth, false});
            stack_.push_back({e_.left[at.node], at.node, depth, true});
        }
        while (!changes_.empty()) put_back();
        out_.tree_leaf.push_back(static_cast<std::int32_t>(out_.leaf.size()));
    }

 private:
    void narrow(const Visit& at) {
        const std::int32_t node = at.parent;
        const std::int32_t feature = e_.feature[node];
        const bool is_new = position_[feature] < 0;
        if (is_new) {
            position_[feature] = static_cast<std::int32_t>(path_.size());
            path_.push_back(whole(feature));
        }
        Side& side = path_[position_[feature]];
        changes_.push_back({position_[feature], is_new, side});
        side.missing = side.missing && (e_.missing_left[node] != 0) == at.is_left;
        const double total = weight_[e_.left[node]] + weight_[e_.right[node]];
        side.share *= total == 0.0 ? 0.5 : weight_[at.node] / total;
        if (e_.is_category_split(node)) {
            side.unseen = side.unseen && (e_.unseen_left[node] != 0) == at.is_left;
            side.words = keep(e_.category_set[node], at.is_left, side.words, e_.n_levels[feature]);
        } else if (at.is_left) {
            side.last = std::min(side.last, out_.axes.cut[node]);
        } else {
            side.first = std::max(side.first, out_.axes.cut[node] + 1);
        }
    }

    void put_back() {
        const Change& change = changes_.back();
        if (change.is_new) {
            position_[path_.back().feature] = -1;
            path_.pop_back();
        } else {
            path_[change.position] = change.before;
        }
        changes_.pop_back();
    }

    Side whole(std::int32_t feature) {
        const std::int32_t levels = e_.n_levels[feature];
        const auto words = static_cast<std::int64_t>(pool_.size());
        pool_.resize(pool_.size() + base::words_for(levels));
        base::set_first_bits(std::span(pool_).subspan(words), levels);
        return {feature, 0, out_.axes.regular[feature] - 1, true, out_.axes.is_category(feature), 1.0, words};
    }

    // The categories that are left, as new words: the other child needs the old ones.
    std::int64_t keep(std::int32_t set, bool is_left, std::int64_t words, std::int32_t levels) {
        const auto kept = static_cast<std::int64_t>(pool_.size());
        for (std::size_t w = 0; w < base::words_for(levels); ++w) {
            const std::uint64_t before = pool_[words + w], members = e_.set_word(set, w);
            pool_.push_back(before & (is_left ? members : ~members));
        }
        return kept;
    }

    void append(std::int32_t node) {
        out_.leaf.push_back(node);
        out_.weight.push_back(weight_[node]);
        const std::size_t first = out_.feature.size(), last = first + path_.size();
        out_.feature.resize(last);
        out_.share.resize(last);
        out_.n_regular.resize(last);
        out_.edge_start.resize(last + 1);
        bool reachable = true;
        for (std::size_t at = first; at < last; ++at) {
            const Side& side = path_[at - first];
            const std::size_t before = out_.edge.size();
            out_.feature[at] = side.feature;
            out_.share[at] = side.share;
            out_.n_regular[at] = out_.axes.is_category(side.feature) ? add_levels(side) : add_interval(side);
            reachable = reachable && out_.edge.size() > before;
            if (out_.edge.size() > before && out_.edge.back() == out_.axes.size[side.feature]) out_.edge.pop_back();
            out_.edge_start[at + 1] = static_cast<std::int64_t>(out_.edge.size());
        }
        out_.reachable.push_back(reachable ? 1 : 0);
        out_.start.push_back(static_cast<std::int64_t>(last));
    }

    std::int32_t add_interval(const Side& side) {
        run_ = static_cast<std::int64_t>(out_.edge.size());
        if (side.first <= side.last) add_run(side.first, side.last + 1);
        add_missing(side);
        return std::max(0, side.last - side.first + 1);
    }

    std::int32_t add_levels(const Side& side) {
        run_ = static_cast<std::int64_t>(out_.edge.size());
        const std::int32_t levels = e_.n_levels[side.feature];
        std::int32_t count = 0;
        for (std::int32_t level = 0; level < levels; ++level) {
            if (!base::has_bit(std::span(pool_).subspan(side.words), level)) continue;
            add_run(level, level + 1);
            ++count;
        }
        if (side.unseen) add_run(levels, levels + 1);
        add_missing(side);
        return count;
    }

    void add_missing(const Side& side) {
        const std::int32_t cell = out_.axes.missing[side.feature];
        if (side.missing && out_.axes.has_missing(side.feature)) add_run(cell, cell + 1);
    }

    // Adds [begin, end), joined to the run before it if they touch.
    void add_run(std::int32_t begin, std::int32_t end) {
        if (static_cast<std::int64_t>(out_.edge.size()) > run_ && out_.edge.back() == begin) {
            out_.edge.back() = end;
        } else {
            out_.edge.push_back(begin);
            out_.edge.push_back(end);
        }
    }

    const model::Ensemble& e_;
    std::span<const double> weight_;
    Paths& out_;
    std::vector<Side> path_;              // of the node being visited
    std::vector<std::int32_t> position_;  // (n_features) where each feature stands in it, -1 if it does not
    std::vector<Change> changes_;         // one per split above the node
    std::vector<Visit> stack_;
    std::vector<std::uint64_t> pool_;  // sets of categories of the paths of one tree
    std::int64_t run_ = 0;             // first edge of the side being written
};

}  // namespace

std::int64_t Paths::side_of(std::size_t at, std::int32_t wanted) const {
    for (std::int64_t side = start[at]; side < start[at + 1]; ++side) {
        if (feature[side] == wanted) return side;
    }
    return -1;
}

std::vector<std::int32_t> trees_of_leaves(const Paths& paths) {
    std::vector<std::int32_t> tree(paths.n_leaves());
    for (std::size_t t = 0; t < paths.n_trees(); ++t) {
        for (std::int32_t leaf = paths.tree_leaf[t]; leaf < paths.tree_leaf[t + 1]; ++leaf)
            tree[leaf] = static_cast<std::int32_t>(t);
    }
    return tree;
}

Paths make_paths(const model::Ensemble& e, std::span<const double> weight,
                 std::span<const std::uint8_t> missing_routed) {
    Paths out;
    out.axes = make_axes(e, missing_routed);
    out.tree_leaf.push_back(0);
    out.start.push_back(0);
    out.edge_start.push_back(0);
    const std::size_t n_leaves = e.n_nodes() / 2 + e.n_trees();
    out.leaf.reserve(n_leaves);
    out.weight.reserve(n_leaves);
    out.reachable.reserve(n_leaves);
    out.start.reserve(n_leaves + 1);
    // about what boosted trees of 31 leaves have
    out.feature.reserve(6 * n_leaves);
    out.share.reserve(6 * n_leaves);
    out.n_regular.reserve(6 * n_leaves);
    out.edge_start.reserve(6 * n_leaves + 1);
    out.edge.reserve(9 * n_leaves);
    Walker walker(e, weight, out);
    for (std::size_t tree = 0; tree < e.n_trees(); ++tree) {
        out.tree_weight.push_back(weight[e.tree_start[tree]]);
        walker.walk(tree);
    }
    return out;
}

}  // namespace glasswood::explain

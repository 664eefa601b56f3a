#include "glasswood/rules/path_counts.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "glasswood/base/bitset.hpp"

namespace glasswood::rules {
namespace {

using Words = std::vector<std::uint64_t>;
using Path = std::vector<std::int32_t>;

struct HashOfVector {
    template <class T>
    std::size_t operator()(const std::vector<T>& items) const {
        return std::hash<std::string_view>()({reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)});
    }
};

Words all_cells(const CellFeatures& features, std::size_t f) {
    const auto n_cells = static_cast<std::size_t>(features.n_cells[f]);
    Words words(n_cells / 64 + 1);
    for (std::size_t c = 0; c < n_cells; ++c) base::set_bit(words, c);
    if (features.has_missing[f]) base::set_bit(words, n_cells);
    return words;
}

class PathCounter {
 public:
    PathCounter(const CellTrees& trees, const CellFeatures& features, std::size_t max_depth)
        : trees_(trees), features_(features), max_depth_(max_depth) {
        for (std::size_t f = 0; f < features.n_cells.size(); ++f) universe_.push_back(all_cells(features, f));
    }

    RulePaths count() {
        for (std::size_t tree = 0; tree + 1 < trees_.tree_start.size(); ++tree) walk(tree);
        return std::move(out_);
    }

 private:
    // What is known about a node when the walk reaches it.
    struct PathState {
        Path path;
        std::size_t depth = 0;
        bool reached = false;
    };

    void walk(std::size_t tree) {
        const std::int32_t first = trees_.tree_start[tree], last = trees_.tree_start[tree + 1];
        states_.assign(static_cast<std::size_t>(last - first), {});
        states_[0].reached = true;
        for (std::int32_t node = first; node < last; ++node) {
            const PathState state = std::move(states_[node - first]);
            if (!state.reached || trees_.feature[node] < 0 || state.depth >= max_depth_) continue;
            const auto f = static_cast<std::size_t>(trees_.feature[node]);
            const Words left = left_cells(node, f);
            Words right = universe_[f];
            for (std::size_t w = 0; w < right.size(); ++w) right[w] &= ~left[w];
            descend(state, f, left, tree, states_[trees_.left[node] - first]);
            descend(state, f, right, tree, states_[trees_.right[node] - first]);
        }
    }

    Words left_cells(std::int32_t node, std::size_t f) const {
        Words words(universe_[f].size());
        if (features_.is_category(f)) {
            const std::int64_t first = trees_.set_start[trees_.category_set[node]];
            const std::int64_t last = trees_.set_start[trees_.category_set[node] + 1];
            const std::span set = trees_.set_bits.subspan(first, last - first);
            const std::span cells = features_.level_cell.subspan(
                features_.level_start[f], features_.level_start[f + 1] - features_.level_start[f]);
            for (std::size_t level = 0; level < std::min(cells.size(), set.size() * 64); ++level) {
                if (cells[level] >= 0 && base::has_bit(set, level))
                    base::set_bit(words, static_cast<std::size_t>(cells[level]));
            }
        } else {
            for (std::int32_t c = 0; c <= trees_.cut[node]; ++c) base::set_bit(words, static_cast<std::size_t>(c));
        }
        if (features_.has_missing[f] && trees_.missing_left[node]) {
            base::set_bit(words, static_cast<std::size_t>(features_.n_cells[f]));
        }
        return words;
    }

    // The child that takes `cells` of what its parent has of feature f.
    void descend(const PathState& parent, std::size_t f, const Words& cells, std::size_t tree, PathState& child) {
        const auto before = [&](std::int32_t region, std::int32_t rank) {
            return features_.rank[out_.region_feature[region]] < rank;
        };
        const auto found = std::lower_bound(parent.path.begin(), parent.path.end(), features_.rank[f], before);
        const bool known = found != parent.path.end() && out_.region_feature[*found] == static_cast<std::int32_t>(f);
        Words now = universe_[f];
        if (known) std::ranges::copy(out_.words(*found), now.begin());
        const Words had = now;
        std::uint64_t any = 0;
        for (std::size_t w = 0; w < now.size(); ++w) any |= now[w] &= cells[w];
        if (any == 0) return;
        child.reached = true;
        child.depth = parent.depth + 1;
        child.path = parent.path;
        if (now == had) return;
        const auto position = child.path.begin() + (found - parent.path.begin());
        const std::int32_t region = intern(f, now);
        if (known) {
            *position = region;
        } else {
            child.path.insert(position, region);
        }
        tally(child.path, tree);
    }

    std::int32_t intern(std::size_t f, const Words& words) {
        Words key = words;
        key.push_back(f);
        const auto [found, is_new] = regions_.try_emplace(std::move(key), static_cast<std::int32_t>(regions_.size()));
        if (is_new) {
            out_.region_feature.push_back(static_cast<std::int32_t>(f));
            out_.region_bits.insert(out_.region_bits.end(), words.begin(), words.end());
            out_.region_start.push_back(static_cast<std::int64_t>(out_.region_bits.size()));
        }
        return found->second;
    }

    void tally(const Path& path, std::size_t tree) {
        const auto [found, is_new] = paths_.try_emplace(path, static_cast<std::int32_t>(paths_.size()));
        if (is_new) {
            out_.region.insert(out_.region.end(), path.begin(), path.end());
            out_.start.push_back(static_cast<std::int64_t>(out_.region.size()));
            out_.count.push_back(0);
            last_tree_.push_back(static_cast<std::size_t>(-1));
        }
        if (last_tree_[found->second] == tree) return;
        last_tree_[found->second] = tree;
        ++out_.count[found->second];
    }

    const CellTrees& trees_;
    const CellFeatures& features_;
    std::size_t max_depth_;
    std::vector<Words> universe_;
    std::vector<PathState> states_;
    std::unordered_map<Words, std::int32_t, HashOfVector> regions_;
    std::unordered_map<Path, std::int32_t, HashOfVector> paths_;
    std::vector<std::size_t> last_tree_;
    RulePaths out_;
};

}  // namespace

RulePaths count_paths(const CellTrees& trees, const CellFeatures& features, std::size_t max_depth) {
    return PathCounter(trees, features, max_depth).count();
}

}  // namespace glasswood::rules

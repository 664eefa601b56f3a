#include "glasswood/model/leaf_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/base/bitset.hpp"

namespace glasswood::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One feature's side of a box while its path is walked. `words` stays empty for a numeric feature.
struct Side {
    std::int32_t feature;
    double lower, upper;
    bool missing, unseen;
    std::vector<std::uint64_t> words;
};

using Path = std::vector<Side>;

Side unbounded(const Ensemble& e, std::int32_t feature) {
    const std::int32_t levels = e.n_levels[feature];
    if (levels == 0) return {feature, -infinity, infinity, true, false, {}};
    std::vector<std::uint64_t> words(base::words_for(levels));
    base::set_first_bits(words, levels);
    return {feature, nan, nan, true, true, std::move(words)};
}

void narrow_to_set(const Ensemble& e, std::int32_t set, bool go_left, std::vector<std::uint64_t>& words) {
    for (std::size_t w = 0; w < words.size(); ++w) words[w] &= go_left ? e.set_word(set, w) : ~e.set_word(set, w);
}

// The path below `node` on its left or right side.
Path narrowed(const Ensemble& e, const Path& path, std::size_t node, bool go_left) {
    Path below = path;
    auto side = std::ranges::find(below, e.feature[node], &Side::feature);
    if (side == below.end()) side = below.insert(below.end(), unbounded(e, e.feature[node]));
    side->missing = side->missing && (e.missing_left[node] != 0) == go_left;
    if (e.is_category_split(node)) {
        side->unseen = side->unseen && (e.unseen_left[node] != 0) == go_left;
        narrow_to_set(e, e.category_set[node], go_left, side->words);
    } else if (go_left) {
        side->upper = std::min(side->upper, e.threshold[node]);
    } else {
        side->lower = std::max(side->lower, e.threshold[node]);
    }
    return below;
}

void append(Boxes& out, std::size_t leaf, const Path& path) {
    out.leaf.push_back(static_cast<std::int32_t>(leaf));
    for (const Side& side : path) {
        out.feature.push_back(side.feature);
        out.lower.push_back(side.lower);
        out.upper.push_back(side.upper);
        out.missing.push_back(side.missing);
        out.unseen.push_back(side.unseen);
        out.category_set.push_back(side.words.empty() ? -1 : static_cast<std::int32_t>(out.set_start.size() - 1));
        if (side.words.empty()) continue;
        out.set_bits.insert(out.set_bits.end(), side.words.begin(), side.words.end());
        out.set_start.push_back(static_cast<std::int64_t>(out.set_bits.size()));
    }
    out.start.push_back(static_cast<std::int64_t>(out.feature.size()));
}

}  // namespace

Boxes boxes(const Ensemble& e, bool of_inner) {
    Boxes out;
    out.start.push_back(0);
    out.set_start.push_back(0);
    // Children stand after their parents: one forward pass, each path kept only until both its children have
    // theirs.
    std::vector<Path> paths(e.n_nodes());
    for (std::size_t node = 0; node < e.n_nodes(); ++node) {
        if (e.is_leaf(node) || of_inner) append(out, node, paths[node]);
        if (!e.is_leaf(node)) {
            paths[e.left[node]] = narrowed(e, paths[node], node, true);
            paths[e.right[node]] = narrowed(e, paths[node], node, false);
        }
        Path().swap(paths[node]);
    }
    return out;
}

}  // namespace glasswood::model

#include "glasswood/rules/path_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "glasswood/rules/modular.hpp"

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

void set_bit(Words& words, std::size_t bit) { words[bit >> 6] |= std::uint64_t{1} << (bit & 63); }
bool has_bit(std::span<const std::uint64_t> words, std::size_t bit) { return (words[bit >> 6] >> (bit & 63) & 1) != 0; }

bool is_category(const CellFeatures& features, std::size_t f) {
    return features.level_start[f + 1] > features.level_start[f];
}

Words all_cells(const CellFeatures& features, std::size_t f) {
    const auto n_cells = static_cast<std::size_t>(features.n_cells[f]);
    Words words(n_cells / 64 + 1);
    for (std::size_t c = 0; c < n_cells; ++c) set_bit(words, c);
    if (features.has_missing[f]) set_bit(words, n_cells);
    return words;
}

std::span<const std::uint64_t> words_of(const RulePaths& paths, std::int32_t region) {
    const auto first = static_cast<std::size_t>(paths.region_start[region]);
    return {paths.region_bits.data() + first, static_cast<std::size_t>(paths.region_start[region + 1]) - first};
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
    struct State {
        Path path;
        std::size_t depth = 0;
        bool reached = false;
    };

    void walk(std::size_t tree) {
        const std::int32_t first = trees_.tree_start[tree], last = trees_.tree_start[tree + 1];
        states_.assign(static_cast<std::size_t>(last - first), {});
        states_[0].reached = true;
        for (std::int32_t node = first; node < last; ++node) {
            const State state = std::move(states_[node - first]);
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
        if (is_category(features_, f)) {
            const std::int64_t first = trees_.set_start[trees_.category_set[node]];
            const std::int64_t last = trees_.set_start[trees_.category_set[node] + 1];
            const std::span set = trees_.set_bits.subspan(first, last - first);
            const std::span cells = features_.level_cell.subspan(
                features_.level_start[f], features_.level_start[f + 1] - features_.level_start[f]);
            for (std::size_t level = 0; level < std::min(cells.size(), set.size() * 64); ++level) {
                if (cells[level] >= 0 && has_bit(set, level)) set_bit(words, static_cast<std::size_t>(cells[level]));
            }
        } else {
            for (std::int32_t c = 0; c <= trees_.cut[node]; ++c) set_bit(words, static_cast<std::size_t>(c));
        }
        if (features_.has_missing[f] && trees_.missing_left[node]) {
            set_bit(words, static_cast<std::size_t>(features_.n_cells[f]));
        }
        return words;
    }

    // The child that takes `cells` of what its parent has of feature f.
    void descend(const State& parent, std::size_t f, const Words& cells, std::size_t tree, State& child) {
        const std::int32_t place = features_.place[f];
        const auto before = [&](std::int32_t region, std::int32_t p) {
            return features_.place[out_.region_feature[region]] < p;
        };
        const auto at = std::lower_bound(parent.path.begin(), parent.path.end(), place, before);
        const bool known = at != parent.path.end() && out_.region_feature[*at] == static_cast<std::int32_t>(f);
        Words now = universe_[f];
        if (known) std::ranges::copy(words_of(out_, *at), now.begin());
        const Words had = now;
        std::uint64_t any = 0;
        for (std::size_t w = 0; w < now.size(); ++w) any |= now[w] &= cells[w];
        if (any == 0) return;
        child.reached = true;
        child.depth = parent.depth + 1;
        child.path = parent.path;
        if (now == had) return;
        const auto where = child.path.begin() + (at - parent.path.begin());
        const std::int32_t region = intern(f, now);
        if (known) {
            *where = region;
        } else {
            child.path.insert(where, region);
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
    std::vector<State> states_;
    std::unordered_map<Words, std::int32_t, HashOfVector> regions_;
    std::unordered_map<Path, std::int32_t, HashOfVector> paths_;
    std::vector<std::size_t> last_tree_;
    RulePaths out_;
};

// Conditions of a region: (feature, rank, side, missing left) each; side 0 is `<=`, 1 is `>`, 2 a set that is neither.
// "Is missing" is the right side of the last rank.
struct Conditions {
    std::size_t number = 0;
    std::vector<std::int64_t> key;

    void add(std::int64_t place, std::int64_t rank, std::int64_t side, bool missing_left) {
        ++number;
        key.insert(key.end(), {place, rank, side, missing_left ? 1 : 0});
    }
};

Conditions conditions_of(const RulePaths& paths, const CellFeatures& features, std::int32_t region) {
    const auto f = static_cast<std::size_t>(paths.region_feature[region]);
    const std::span words = words_of(paths, region);
    const std::int64_t n_cells = features.n_cells[f], place = features.place[f];
    const bool missing = has_bit(words, static_cast<std::size_t>(n_cells));
    std::int64_t low = n_cells, high = -1, held = 0;
    for (std::int64_t c = 0; c < n_cells; ++c) {
        if (!has_bit(words, static_cast<std::size_t>(c))) continue;
        low = std::min(low, c);
        high = c;
        ++held;
    }
    Conditions out;
    if (held == 0) {
        out.add(place, n_cells - 1, 1, false);
    } else if (held == high - low + 1 && (low == 0 || high == n_cells - 1)) {
        if (low == 0) {
            out.add(place, high, 0, missing);
        } else {
            out.add(place, low - 1, 1, !missing);
        }
    } else if (is_category(features, f)) {
        out.add(place, high, 2, missing);
        for (const std::uint64_t word : words) out.key.push_back(static_cast<std::int64_t>(word));
    } else {
        out.add(place, low - 1, 1, !missing);
        out.add(place, high, 0, missing);
    }
    return out;
}

// Decides whether a path's indicator is a linear combination of the constant and those kept before it. On the grid of
// all cells the scalar product of two indicators under the uniform measure is Π_f |A_f ∩ B_f| / |U_f|: exact and
// cheap at any depth. The Gram matrix of independent functions is regular, so a vanishing Schur complement (here: of
// its LDLᵀ factors modulo a prime of 61 bits) means dependence.
class Span {
 public:
    Span(const RulePaths& paths, const CellFeatures& features) : paths_(paths), features_(features) {
        for (std::size_t f = 0; f < features.n_cells.size(); ++f) {
            const int size = features.n_cells[f] + (features.has_missing[f] ? 1 : 0);
            share_.push_back(Modular::inverse(static_cast<std::uint64_t>(std::max(size, 1))));
        }
        factors_.push_back({{}, 1});  // the constant, whose square is 1
    }

    // Keeps the path and says so, unless it depends on those before.
    bool keep(std::int32_t path) {
        std::vector<std::uint64_t> along(factors_.size()), row(factors_.size());
        std::uint64_t rest = product(path, path);
        for (std::size_t k = 0; k < factors_.size(); ++k) {
            // an indicator is its own square, so its product with the constant is that with itself
            along[k] = product(path, k == 0 ? path : kept_[k - 1]);
            for (std::size_t j = 0; j < k; ++j) {
                along[k] = Modular::minus(along[k], Modular::times(factors_[k].row[j], along[j]));
            }
            row[k] = Modular::times(along[k], factors_[k].inverse);
            rest = Modular::minus(rest, Modular::times(along[k], row[k]));
        }
        if (rest == 0) return false;
        factors_.push_back({std::move(row), Modular::inverse(rest)});
        kept_.push_back(path);
        return true;
    }

 private:
    struct Factor {
        std::vector<std::uint64_t> row;
        std::uint64_t inverse;  // of the pivot
    };

    std::span<const std::int32_t> regions(std::int32_t path) const {
        const auto first = static_cast<std::size_t>(paths_.start[path]);
        return {paths_.region.data() + first, static_cast<std::size_t>(paths_.start[path + 1]) - first};
    }

    std::uint64_t part(std::int32_t a, std::int32_t b) const {
        const std::span left = words_of(paths_, a), right = words_of(paths_, b);
        int common = 0;
        for (std::size_t w = 0; w < left.size(); ++w) common += std::popcount(left[w] & right[w]);
        return Modular::times(static_cast<std::uint64_t>(common), share_[paths_.region_feature[a]]);
    }

    std::uint64_t product(std::int32_t a, std::int32_t b) const {
        const std::span one = regions(a), two = regions(b);
        const auto place = [&](std::int32_t region) { return features_.place[paths_.region_feature[region]]; };
        std::uint64_t result = 1;
        std::size_t i = 0, j = 0;
        while (i < one.size() || j < two.size()) {
            if (j == two.size() || (i < one.size() && place(one[i]) < place(two[j]))) {
                result = Modular::times(result, part(one[i], one[i]));
                ++i;
            } else if (i == one.size() || place(two[j]) < place(one[i])) {
                result = Modular::times(result, part(two[j], two[j]));
                ++j;
            } else {
                result = Modular::times(result, part(one[i++], two[j++]));
            }
        }
        return result;
    }

    const RulePaths& paths_;
    const CellFeatures& features_;
    std::vector<std::uint64_t> share_;
    std::vector<Factor> factors_;
    std::vector<std::int32_t> kept_;
};

struct Candidate {
    std::int32_t path;
    std::int32_t count;
    Conditions conditions;

    bool operator<(const Candidate& other) const {
        if (count != other.count) return count > other.count;
        if (conditions.number != other.conditions.number) return conditions.number < other.conditions.number;
        return conditions.key < other.conditions.key;
    }
};

}  // namespace

RulePaths count_paths(const CellTrees& trees, const CellFeatures& features, std::size_t max_depth) {
    return PathCounter(trees, features, max_depth).count();
}

std::vector<std::int32_t> choose_paths(const RulePaths& paths, const CellFeatures& features, std::size_t n_trees,
                                       double p0, std::size_t max_rules, std::span<const std::uint8_t> excluded) {
    std::vector<Conditions> of_region;
    for (std::size_t r = 0; r < paths.region_feature.size(); ++r) {
        of_region.push_back(conditions_of(paths, features, static_cast<std::int32_t>(r)));
    }
    std::vector<Candidate> candidates;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(paths.count.size()); ++p) {
        if (excluded[p] || !(paths.count[p] / static_cast<double>(n_trees) > p0)) continue;
        Candidate candidate{p, paths.count[p], {}};
        for (std::int64_t i = paths.start[p]; i < paths.start[p + 1]; ++i) {
            const Conditions& more = of_region[paths.region[i]];
            candidate.conditions.number += more.number;
            candidate.conditions.key.insert(candidate.conditions.key.end(), more.key.begin(), more.key.end());
        }
        candidates.push_back(std::move(candidate));
    }
    std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) { return a < b; });
    Span span(paths, features);
    std::vector<std::int32_t> chosen;
    for (const Candidate& candidate : candidates) {
        if (chosen.size() >= max_rules) break;
        if (span.keep(candidate.path)) chosen.push_back(candidate.path);
    }
    return chosen;
}

}  // namespace glasswood::rules

#include "glasswood/rules/path_choice.hpp"

#include <algorithm>
#include <bit>

#include "glasswood/base/bitset.hpp"
#include "glasswood/rules/modular.hpp"

namespace glasswood::rules {
namespace {

// Conditions of a region: (rank of the feature, cut, side, missing left) each; side 0 is `<=`, 1 is `>`, 2 a set that
// is neither. "Is missing" is the right side of the last cut.
struct Conditions {
    std::size_t number = 0;
    std::vector<std::int64_t> key;

    void add(std::int64_t feature, std::int64_t cut, std::int64_t side, bool missing_left) {
        ++number;
        key.insert(key.end(), {feature, cut, side, missing_left ? 1 : 0});
    }
};

Conditions conditions_of(const RulePaths& paths, const CellFeatures& features, std::int32_t region) {
    const auto f = static_cast<std::size_t>(paths.region_feature[region]);
    const std::span words = paths.words(region);
    const std::int64_t n_cells = features.n_cells[f], feature = features.rank[f];
    const bool missing = base::has_bit(words, static_cast<std::size_t>(n_cells));
    std::int64_t low = n_cells, high = -1, held = 0;
    for (std::int64_t c = 0; c < n_cells; ++c) {
        if (!base::has_bit(words, static_cast<std::size_t>(c))) continue;
        low = std::min(low, c);
        high = c;
        ++held;
    }
    Conditions out;
    if (held == 0) {
        out.add(feature, n_cells - 1, 1, false);
    } else if (held == high - low + 1 && (low == 0 || high == n_cells - 1)) {
        if (low == 0) {
            out.add(feature, high, 0, missing);
        } else {
            out.add(feature, low - 1, 1, !missing);
        }
    } else if (features.is_category(f)) {
        out.add(feature, high, 2, missing);
        for (const std::uint64_t word : words) out.key.push_back(static_cast<std::int64_t>(word));
    } else {
        out.add(feature, low - 1, 1, !missing);
        out.add(feature, high, 0, missing);
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

    // |A ∩ B| / |U| of two regions of one feature.
    std::uint64_t overlap(std::int32_t a, std::int32_t b) const {
        const std::span left = paths_.words(a), right = paths_.words(b);
        int common = 0;
        for (std::size_t w = 0; w < left.size(); ++w) common += std::popcount(left[w] & right[w]);
        return Modular::times(static_cast<std::uint64_t>(common), share_[paths_.region_feature[a]]);
    }

    std::uint64_t product(std::int32_t a, std::int32_t b) const {
        const std::span one = regions(a), two = regions(b);
        const auto rank = [&](std::int32_t region) { return features_.rank[paths_.region_feature[region]]; };
        std::uint64_t result = 1;
        std::size_t i = 0, j = 0;
        while (i < one.size() || j < two.size()) {
            if (j == two.size() || (i < one.size() && rank(one[i]) < rank(two[j]))) {
                result = Modular::times(result, overlap(one[i], one[i]));
                ++i;
            } else if (i == one.size() || rank(two[j]) < rank(one[i])) {
                result = Modular::times(result, overlap(two[j], two[j]));
                ++j;
            } else {
                result = Modular::times(result, overlap(one[i++], two[j++]));
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

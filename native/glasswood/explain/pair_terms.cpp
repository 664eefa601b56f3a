#include "glasswood/explain/pair_terms.hpp"

#include <algorithm>

namespace glasswood::explain {
namespace {

// Calls visit(pair, entry) for every leaf and every wanted pair on its path.
template <class Visit>
void for_each_entry(const Paths& paths, std::span<const Role> role, std::span<const std::int32_t> pair_of,
                    std::span<const std::int32_t> compact, std::size_t n_compact, Visit&& visit) {
    struct Free {
        std::int32_t feature;
        std::int64_t side;
    };
    std::vector<Free> path;
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) {
        path.clear();
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const std::int32_t f = paths.feature[side];
            if (role[f] == Role::free) path.push_back({compact[f], side});
        }
        for (std::size_t i = 0; i < path.size(); ++i) {
            for (std::size_t j = 0; j < path.size(); ++j) {
                if (path[i].feature < 0 || path[j].feature < 0) continue;
                const std::int32_t pair = pair_of[path[i].feature * n_compact + path[j].feature];
                if (pair < 0) continue;
                visit(pair, PairLeaves::Entry{static_cast<std::int32_t>(leaf), static_cast<std::int32_t>(i) + 1,
                                              static_cast<std::int32_t>(j) + 1, path[i].side, path[j].side});
            }
        }
    }
}

}  // namespace

std::vector<std::int32_t> distinct_features(std::span<const std::int32_t> pairs) {
    std::vector<std::int32_t> features(pairs.begin(), pairs.end());
    std::ranges::sort(features);
    features.erase(std::unique(features.begin(), features.end()), features.end());
    return features;
}

PairLeaves::PairLeaves(const Paths& paths, std::span<const Role> role, std::span<const std::int32_t> pairs) {
    // features are numbered afresh, so that the look-up stays small when a few pairs of a wide model are asked for
    std::vector<std::int32_t> compact(role.size(), -1);
    std::size_t n_compact = 0;
    for (const std::int32_t f : pairs) {
        if (compact[f] < 0) compact[f] = static_cast<std::int32_t>(n_compact++);
    }
    std::vector<std::int32_t> pair_of(n_compact * n_compact, -1);
    const std::size_t n_pairs = pairs.size() / 2;
    for (std::size_t p = 0; p < n_pairs; ++p)
        pair_of[compact[pairs[2 * p]] * n_compact + compact[pairs[2 * p + 1]]] = static_cast<std::int32_t>(p);

    start_.assign(n_pairs + 1, 0);
    for_each_entry(paths, role, pair_of, compact, n_compact,
                   [&](std::int32_t pair, const Entry&) { ++start_[pair + 1]; });
    for (std::size_t p = 0; p < n_pairs; ++p) start_[p + 1] += start_[p];
    entries_.resize(start_.back());
    std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
    for_each_entry(paths, role, pair_of, compact, n_compact,
                   [&](std::int32_t pair, const Entry& entry) { entries_[next[pair]++] = entry; });
}

PairTerms::PairTerms(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                     std::span<const std::int32_t> pairs)
    : e_(e),
      paths_(paths),
      leaf_shares_(shares),
      pairs_(pairs),
      leaves_(paths, shares.role, pairs),
      tree_(trees_of_leaves(paths)) {}

void PairTerms::scatter(std::size_t p, double* differences) const {
    const std::int64_t n_columns = paths_.axes.size[pairs_[2 * p + 1]];
    const std::int64_t cells = paths_.axes.size[pairs_[2 * p]] * n_columns;
    for (const PairLeaves::Entry& at : leaves_.of(p)) {
        const Shares w = shares(at);
        if (w.both == 0.0) continue;  // the largest of the four
        for (std::size_t k = 0; k < e_.width; ++k) {
            const double v = value(at.leaf, k);
            scatter_pair(paths_.edges(at.side_a), paths_.edges(at.side_b), n_columns, v * w.both, v * w.first,
                         v * w.second, v * w.none, differences + (output(at.leaf) + k) * cells);
        }
    }
}

}  // namespace glasswood::explain

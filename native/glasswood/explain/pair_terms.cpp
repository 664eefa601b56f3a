#include "glasswood/explain/pair_terms.hpp"

#include <algorithm>

#include "glasswood/base/interrupt.hpp"

namespace glasswood::explain {
namespace {

// Calls visit(pair, entry) for every leaf of the trees and every wanted pair on its path. Features without the role
// `free` have no position; an empty `role` means that all are free.
template <class Visit>
void for_each_entry(const Paths& paths, std::span<const Role> role, TreeRange trees, const PairLookup& lookup,
                    Visit&& visit) {
    struct Wanted {
        std::int32_t feature, position;
        std::int64_t side;
    };
    std::vector<Wanted> path;
    for (std::int32_t leaf = paths.tree_leaf[trees.first]; leaf < paths.tree_leaf[trees.last]; ++leaf) {
        if (leaf % 4096 == 0) base::check_interrupt();
        path.clear();
        std::int32_t position = 0;
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const std::int32_t f = paths.feature[side];
            if (!role.empty() && role[f] != Role::free) continue;
            ++position;
            if (lookup.compact[f] >= 0) path.push_back({lookup.compact[f], position, side});
        }
        for (const Wanted& one : path) {
            const std::int32_t* pairs = lookup.pair_of.data() + one.feature * lookup.n_compact;
            for (const Wanted& two : path) {
                const std::int32_t pair = pairs[two.feature];
                if (pair < 0) continue;
                visit(pair, PairLeaves::Entry{leaf, one.position, two.position, one.side, two.side});
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

PairLeaves::PairLeaves(const Paths& paths, const LeafShares& shares, std::span<const std::int32_t> pairs) {
    const PairLookup lookup(paths.axes.size.size(), pairs);
    const TreeRange trees{shares.first_tree, shares.last_tree};
    const std::size_t n_pairs = pairs.size() / 2;
    start_.assign(n_pairs + 1, 0);
    for_each_entry(paths, shares.role, trees, lookup, [&](std::int32_t pair, const Entry&) { ++start_[pair + 1]; });
    for (std::size_t p = 0; p < n_pairs; ++p) start_[p + 1] += start_[p];
    entries_.resize(start_.back());
    std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
    for_each_entry(paths, shares.role, trees, lookup,
                   [&](std::int32_t pair, const Entry& entry) { entries_[next[pair]++] = entry; });
}

std::vector<std::int64_t> count_pair_leaves(const Paths& paths, std::span<const std::int32_t> pairs, TreeRange trees) {
    std::vector<std::int64_t> n_leaves(pairs.size() / 2, 0);
    const PairLookup lookup(paths.axes.size.size(), pairs);
    for_each_entry(paths, {}, trees, lookup, [&](std::int32_t pair, const PairLeaves::Entry&) { ++n_leaves[pair]; });
    return n_leaves;
}

PairTerms::PairTerms(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                     std::span<const std::int32_t> pairs)
    : e_(e),
      paths_(paths),
      leaf_shares_(shares),
      pairs_(pairs),
      leaves_(paths, shares, pairs),
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

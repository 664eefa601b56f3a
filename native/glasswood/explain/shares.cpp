#include "glasswood/explain/shares.hpp"

namespace glasswood::explain {
namespace {

std::int64_t n_free(const Paths& paths, std::span<const Role> role, std::size_t leaf) {
    std::int64_t m = 0;
    for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side)
        m += role[paths.feature[side]] == Role::free ? 1 : 0;
    return m;
}

// Products of all numbers but one, and of all but two.
void all_but(std::span<const double> q, int order, double fixed, double* share) {
    const auto m = static_cast<std::int64_t>(q.size());
    std::vector<double> after(m + 1, 1.0);
    for (std::int64_t i = m; i-- > 0;) after[i] = after[i + 1] * q[i];
    share[0] = fixed * after[0];
    double before = fixed;
    for (std::int64_t a = 1; order > 0 && a <= m; ++a) {
        share[LeafShares::of(order, a)] = before * after[a];
        double between = before;
        for (std::int64_t b = a + 1; order > 1 && b <= m; ++b) {
            share[LeafShares::of_two(a, b)] = between * after[b];
            between *= q[b - 1];
        }
        before *= q[a - 1];
    }
}

}  // namespace

LeafShares make_layout(const Paths& paths, std::span<const Role> role, int order, TreeRange trees) {
    LeafShares shares{{role.begin(), role.end()}, order, {0}, {}, &paths, trees.first, trees.last};
    shares.start.reserve(paths.n_leaves() + 1);
    const auto first = static_cast<std::size_t>(paths.tree_leaf[trees.first]);
    const auto last = static_cast<std::size_t>(paths.tree_leaf[trees.last]);
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) {
        const bool counts = leaf >= first && leaf < last;
        shares.start.push_back(shares.start.back() +
                               (counts ? LeafShares::count(order, n_free(paths, role, leaf)) : 0));
    }
    return shares;
}

LeafShares path_shares(const Paths& paths, std::span<const Role> role, int order) {
    LeafShares shares = make_layout(paths, role, order, {0, paths.n_trees()});
    shares.share.assign(shares.start.back(), 0.0);
    std::vector<double> q;
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) {
        double fixed = 1.0;
        q.clear();
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const Role side_role = role[paths.feature[side]];
            if (side_role == Role::fixed) fixed *= paths.share[side];
            if (side_role == Role::free) q.push_back(paths.share[side]);
        }
        all_but(q, order, fixed, shares.share.data() + shares.start[leaf]);
    }
    return shares;
}

void sum_subsets(const Paths& paths, double total, LeafShares& shares) {
    const std::int32_t last = paths.tree_leaf[shares.last_tree];
    for (std::int32_t leaf = paths.tree_leaf[shares.first_tree]; leaf < last; ++leaf) {
        double* share = shares.share.data() + shares.start[leaf];
        const std::int64_t m = n_free(paths, shares.role, leaf);
        for (std::int64_t b = 1; shares.order > 1 && b <= m; ++b) {
            for (std::int64_t a = 1; a < b; ++a) {
                share[LeafShares::of_two(a, b)] +=
                    (share[0] + share[LeafShares::of(2, a)]) + share[LeafShares::of(2, b)];
            }
        }
        for (std::int64_t b = 1; shares.order > 0 && b <= m; ++b) share[LeafShares::of(shares.order, b)] += share[0];
        for (std::int64_t s = shares.start[leaf]; s < shares.start[leaf + 1]; ++s) shares.share[s] /= total;
    }
}

}  // namespace glasswood::explain

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

LeafShares make_leaf_shares(const Paths& paths, std::span<const Role> role, int order) {
    LeafShares slots{{role.begin(), role.end()}, order, {0}, {}, &paths};
    slots.start.reserve(paths.n_leaves() + 1);
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf)
        slots.start.push_back(slots.start.back() + LeafShares::count(order, n_free(paths, role, leaf)));
    slots.share.assign(slots.start.back(), 0.0);
    return slots;
}

LeafShares path_shares(const Paths& paths, std::span<const Role> role, int order) {
    LeafShares slots = make_leaf_shares(paths, role, order);
    std::vector<double> q;
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) {
        double fixed = 1.0;
        q.clear();
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const Role its = role[paths.feature[side]];
            if (its == Role::fixed) fixed *= paths.share[side];
            if (its == Role::free) q.push_back(paths.share[side]);
        }
        all_but(q, order, fixed, slots.share.data() + slots.start[leaf]);
    }
    return slots;
}

void sum_subsets(const Paths& paths, double total, LeafShares& slots) {
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) {
        double* share = slots.share.data() + slots.start[leaf];
        const std::int64_t m = n_free(paths, slots.role, leaf);
        for (std::int64_t b = 1; slots.order > 1 && b <= m; ++b) {
            for (std::int64_t a = 1; a < b; ++a) {
                share[LeafShares::of_two(a, b)] +=
                    (share[0] + share[LeafShares::of(2, a)]) + share[LeafShares::of(2, b)];
            }
        }
        for (std::int64_t b = 1; slots.order > 0 && b <= m; ++b) share[LeafShares::of(slots.order, b)] += share[0];
        for (std::int64_t s = slots.start[leaf]; s < slots.start[leaf + 1]; ++s) slots.share[s] /= total;
    }
}

}  // namespace glasswood::explain

// LeafShares: per leaf one number for every small set of path features, from which exact effects are computed.
//
// A leaf's free features get positions 1 … m in the order of its path. Slot 0 belongs to the empty set; with order 1
// slot b to {b}; with order 2 slot 1 + b(b-1)/2 to {b} and a further on to {a, b}, a < b. The layout does not depend on
// m, so a set keeps its slot while a path is walked down.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"

namespace glasswood::explain {

enum class Role : std::uint8_t {
    fixed,     // the rows' own values decide
    free,      // may be replaced: sets of free features have slots
    replaced,  // always: both sides of its splits are open
};

struct LeafShares {
    std::vector<Role> role;           // (n_features)
    int order = 0;                    // largest set of free features that has a slot: 0, 1 or 2
    std::vector<std::int64_t> start;  // (n_leaves + 1)
    std::vector<double> share;
    const Paths* paths = nullptr;               // whose leaves these are; only compared
    std::size_t first_tree = 0, last_tree = 0;  // the trees whose leaves have slots

    static std::int64_t count(int order, std::int64_t m) { return order == 0 ? 1 : order == 1 ? 1 + m : pairs(m + 1); }
    static std::int64_t of(int order, std::int64_t b) { return order == 1 ? b : pairs(b); }
    static std::int64_t of_two(std::int64_t a, std::int64_t b) { return pairs(b) + a; }

    // W[U]: share of the rows that a leaf receives once the features of U are replaced by values it accepts.
    double none(std::size_t leaf) const { return share[start[leaf]]; }
    double one(std::size_t leaf, std::int64_t b) const { return share[start[leaf] + of(order, b)]; }
    double two(std::size_t leaf, std::int64_t a, std::int64_t b) const {
        return share[start[leaf] + (a < b ? of_two(a, b) : of_two(b, a))];
    }

 private:
    static std::int64_t pairs(std::int64_t b) { return 1 + b * (b - 1) / 2; }
};

// The trees [first, last) of an ensemble.
struct TreeRange {
    std::size_t first, last;
};

// The layout, without memory for the shares.
LeafShares make_layout(const Paths& paths, std::span<const Role> role, int order, TreeRange trees);

// Shares by training weight: the product of child / parent over the splits that are not replaced.
LeafShares path_shares(const Paths& paths, std::span<const Role> role, int order);

// From the weight of rows that fail exactly V to the share W[U] = Σ_{V ⊆ U} E[V] / total.
void sum_subsets(const Paths& paths, double total, LeafShares& shares);

}  // namespace glasswood::explain

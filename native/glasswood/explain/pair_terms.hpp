// PairTerms: the term of a pair of features, from the leaves whose paths split on both.
//     f_jk = PD_jk - PD_j - PD_k + PD_∅ = Σ v (W[jk] 1a 1b - W[j] 1a - W[k] 1b + W[∅])
// is exactly 0 for a pair that never occurs on one path. The same sum with other coefficients distributes training
// weights over cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/shares.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

// The features that occur in `pairs`, ascending.
std::vector<std::int32_t> distinct_features(std::span<const std::int32_t> pairs);

// Finds the pair of two features. Only features that occur in a pair get a number, so that the look-up stays small when
// a few pairs of a model with many features are requested.
struct PairLookup {
    std::vector<std::int32_t> compact;  // (n_features) -1: in no pair
    std::size_t n_compact = 0;
    std::vector<std::int32_t> pair_of;  // (n_compact, n_compact) -1: not requested

    PairLookup(std::size_t n_features, std::span<const std::int32_t> pairs) : compact(n_features, -1) {
        for (const std::int32_t f : pairs) {
            if (compact[f] < 0) compact[f] = static_cast<std::int32_t>(n_compact++);
        }
        pair_of.assign(n_compact * n_compact, -1);
        for (std::size_t p = 0; p < pairs.size() / 2; ++p)
            pair_of[compact[pairs[2 * p]] * n_compact + compact[pairs[2 * p + 1]]] = static_cast<std::int32_t>(p);
    }
};

// For each pair, the leaves whose paths split on both features.
class PairLeaves {
 public:
    struct Entry {
        std::int32_t leaf;
        std::int32_t a, b;  // positions of the pair's first and second feature among the free ones of the path
        std::int64_t side_a, side_b;
    };

    // `pairs`: (n_pairs, 2) features. Of `shares`, only the trees and the roles are used: they decide which features
    // have a position.
    PairLeaves(const Paths& paths, const LeafShares& shares, std::span<const std::int32_t> pairs);

    std::span<const Entry> of(std::size_t pair) const {
        return {entries_.data() + start_[pair], static_cast<std::size_t>(start_[pair + 1] - start_[pair])};
    }

 private:
    std::vector<std::int64_t> start_;
    std::vector<Entry> entries_;
};

// For each pair, the number of leaves of the trees whose paths split on both features.
std::vector<std::int64_t> count_pair_leaves(const Paths& paths, std::span<const std::int32_t> pairs, TreeRange trees);

// Adds v (both 1a 1b - first 1a - second 1b + none) to a difference array with rows of n_columns cells.
inline void scatter_pair(std::span<const std::int32_t> rows, std::span<const std::int32_t> columns,
                         std::int64_t n_columns, double both, double first, double second, double none, double* out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double* row = out + rows[i] * n_columns;
        const double sign = i % 2 == 0 ? 1.0 : -1.0;
        row[0] -= sign * first;
        for (std::size_t j = 0; j < columns.size(); ++j) row[columns[j]] += j % 2 == 0 ? sign * both : -sign * both;
    }
    for (std::size_t j = 0; j < columns.size(); ++j) out[columns[j]] -= j % 2 == 0 ? second : -second;
    out[0] += none;
}

// f_jk of one pair at a time, as a difference array.
class PairTerms {
 public:
    PairTerms(const model::Ensemble& ensemble, const Paths& paths, const LeafShares& shares,
              std::span<const std::int32_t> pairs);

    const PairLeaves& leaves() const { return leaves_; }

    // What a leaf adds to the pair's term, per unit of its value: v (both 1a 1b - first 1a - second 1b + none).
    struct Shares {
        double both, first, second, none;
    };
    Shares shares(const PairLeaves::Entry& at) const {
        return {leaf_shares_.two(at.leaf, at.a, at.b), leaf_shares_.one(at.leaf, at.a), leaf_shares_.one(at.leaf, at.b),
                leaf_shares_.none(at.leaf)};
    }
    // First output that the tree of a leaf adds to.
    std::int32_t output(std::int32_t leaf) const { return e_.tree_output[tree_[leaf]]; }
    double value(std::int32_t leaf, std::size_t k) const { return e_.value[paths_.leaf[leaf] * e_.width + k]; }

    // Adds the pair at `p` to (n_outputs, cells of j, cells of k) differences.
    void scatter(std::size_t p, double* differences) const;

 private:
    const model::Ensemble& e_;
    const Paths& paths_;
    const LeafShares& leaf_shares_;
    std::span<const std::int32_t> pairs_;
    PairLeaves leaves_;
    std::vector<std::int32_t> tree_;
};

}  // namespace glasswood::explain

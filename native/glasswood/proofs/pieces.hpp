// Pieces: the leaves of every tree as boxes that divide the space. A feature has numbered cells, values that the model
// cannot tell apart; a box is a set of cells of each feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::proofs {

using Word = std::uint64_t;

// The pieces that one feature limits, and the cells of the feature that each of them contains.
struct Side {
    std::size_t n_cells = 0;
    std::vector<std::int32_t> piece;
    std::vector<Word> bits;  // (n_limits, words)
};

struct Pieces {
    std::vector<std::int64_t> tree_start;  // (n_trees + 1) first piece of each tree
    std::vector<Side> sides;               // per feature

    std::size_t n_trees() const { return tree_start.size() - 1; }
    std::size_t n_pieces() const { return static_cast<std::size_t>(tree_start.back()); }
    std::size_t n_cells() const;  // of all features
    std::size_t n_words() const;  // of a set of cells of every feature
};

// Pieces from the limits of all features, one feature after the other: those of feature f from limit_start[f] on.
// `bits` holds words for the cells of each. Throws std::invalid_argument if the arrays do not fit.
Pieces make_pieces(std::span<const std::int64_t> tree_start, std::span<const std::int64_t> n_cells,
                   std::span<const std::int64_t> limit_start, std::span<const std::int32_t> piece,
                   std::span<const Word> bits);

// A sum over the trees: what it starts with, and what each piece adds.
struct Sum {
    double start = 0.0;
    std::span<const double> value;  // (n_pieces)
};

// Sums from their starts and the values of all, (n_sums, n_pieces).
std::vector<Sum> make_sums(std::span<const double> start, std::span<const double> value);

// When a search gives up.
struct Limits {
    std::size_t max_nodes = 0;
    double seconds = 0.0;  // from the call on; may be infinite
};

inline bool meet(const Word* a, const Word* b, std::size_t n) {
    Word found = 0;
    for (std::size_t w = 0; w < n; ++w) found |= a[w] & b[w];
    return found != 0;
}

}  // namespace glasswood::proofs

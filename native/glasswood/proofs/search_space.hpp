// SearchSpace: what a search goes through, the pieces that a domain reaches, made few. Cells between which no reached
// piece ends are joined, and consecutive trees are merged into groups whose leaves are the overlaps of theirs.
#pragma once

#include <array>
#include <limits>

#include "glasswood/proofs/pieces.hpp"

namespace glasswood::proofs {

struct SpaceFeature {
    std::size_t word = 0;  // where its cells stand in a box
    std::size_t n_words = 0;
    std::vector<std::uint32_t> cell;  // the original cell that stands for each joined one
    std::vector<double> cost;         // of that cell
};

struct Limit {
    std::uint32_t feature = 0;
    std::uint32_t bits = 0;  // position in the pool
};

struct UsedLimit {
    std::uint32_t leaf = 0;
    std::uint32_t bits = 0;
};

// What the leaves add to one sum. A group of several trees adds one part after the other, as a prediction does.
struct GroupValues {
    double start = 0.0;
    std::vector<double> part;    // of leaf l and tree i of its group at part_start[l] + i
    std::vector<double> key;     // (n_leaves) sum of the parts; orders the leaves up to rounding
    std::vector<double> margin;  // (n_groups) leaves whose keys differ by more than this keep their order when added
};

class SearchSpace {
 public:
    // `open` holds the allowed cells of every feature, one after the other; `cost` a price of every cell, or nothing. A
    // group gets at most `most_leaves` leaves, unless a single tree has more.
    SearchSpace(const Pieces& pieces, std::span<const Sum> sums, std::span<const Word> open,
                std::span<const double> cost, std::size_t most_leaves);

    std::size_t n_groups() const { return group_start.size() - 1; }
    std::size_t n_leaves() const { return group_start.back(); }
    std::size_t group_size(std::size_t g) const { return group_trees[g]; }

    // The largest sum over the living leaves, added in the order of the trees and rounded after every step. As a
    // rounded sum never falls if a part rises, no prediction in the box exceeds it, to the last bit.
    double bound(const Word* alive, const GroupValues& values, bool sorted) const;
    // The same sum of one leaf per group.
    double total(std::span<const std::uint32_t> leaf, const GroupValues& values) const;
    // Clears the leaves that a box does not reach after its cells of a feature have become `kept`.
    void clear_unreached(std::size_t feature, const Word* kept, Word* alive) const;
    std::vector<std::int32_t> original(std::span<const std::uint32_t> cells) const;

    std::vector<SpaceFeature> features;
    std::size_t n_words = 0;       // of a box
    std::size_t alive_words = 0;   // of a set of leaves
    std::vector<Word> everything;  // the box of all cells
    std::vector<std::size_t> group_start;
    std::vector<std::size_t> group_trees;
    std::vector<std::size_t> part_start;   // (n_leaves + 1)
    std::vector<std::size_t> limit_start;  // (n_leaves + 1)
    std::vector<Limit> limits;
    std::vector<Word> pool;
    std::vector<std::vector<UsedLimit>> used;  // per feature
    std::vector<GroupValues> values;           // per sum; the leaves of a group fall in the key of the first

 private:
    struct Leaves {
        std::size_t n_trees = 0;
        std::vector<std::uint32_t> pieces;  // (n_leaves, n_trees)
        std::vector<std::size_t> start = {0};
        std::vector<Limit> limits;
        std::size_t size() const { return start.size() - 1; }
    };

    std::vector<std::uint8_t> reached_pieces(const Pieces& pieces, std::span<const Word> open) const;
    void join_cells(const Pieces& pieces, std::span<const Word> open, std::span<const double> cost,
                    std::span<const std::uint8_t> reached);
    std::vector<std::vector<Limit>> joined_limits(const Pieces& pieces, std::span<const std::uint8_t> reached);
    bool merged(const Leaves& a, const Leaves& b, std::size_t most, Leaves& out);
    void add_group(const Leaves& leaves, std::span<const Sum> sums);
    void finish(std::span<const Sum> sums, std::size_t n_trees, std::span<const double> largest);
};

template <class Use>
void for_each_bit(const Word* words, std::size_t first, std::size_t last, Use&& use) {
    for (std::size_t w = first >> 6; w <= (last - 1) >> 6 && first < last; ++w) {
        Word word = words[w];
        if (w == first >> 6) word &= ~Word{0} << (first & 63);
        if (w == (last - 1) >> 6 && (last & 63) != 0) word &= (Word{1} << (last & 63)) - 1;
        while (word != 0) {
            const std::size_t bit = (w << 6) + static_cast<std::size_t>(__builtin_ctzll(word));
            if (!use(bit)) return;
            word &= word - 1;
        }
    }
}

}  // namespace glasswood::proofs

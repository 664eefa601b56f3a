#include "glasswood/proofs/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "glasswood/base/bitset.hpp"

namespace glasswood::proofs {

using base::words_for;

SearchSpace::SearchSpace(const Pieces& pieces, std::span<const Sum> sums, std::span<const Word> open,
                         std::span<const double> cost, std::size_t most_leaves) {
    const std::vector<std::uint8_t> reached = reached_pieces(pieces, open);
    join_cells(pieces, open, cost, reached);
    const std::vector<std::vector<Limit>> found = joined_limits(pieces, reached);

    group_start = part_start = limit_start = {0};
    values.resize(sums.size());
    for (std::size_t k = 0; k < sums.size(); ++k) values[k].start = sums[k].start;
    std::vector<double> size(sums.size());  // of the largest sum of parts
    for (std::size_t k = 0; k < sums.size(); ++k) size[k] = std::abs(sums[k].start);
    Leaves group, one, both;
    for (std::size_t t = 0; t < pieces.n_trees(); ++t) {
        one = Leaves();
        one.n_trees = 1;
        std::vector<double> most(sums.size(), 0.0);
        for (auto p = static_cast<std::size_t>(pieces.tree_start[t]);
             p < static_cast<std::size_t>(pieces.tree_start[t + 1]); ++p) {
            if (!reached[p]) continue;
            one.pieces.push_back(static_cast<std::uint32_t>(p));
            one.limits.insert(one.limits.end(), found[p].begin(), found[p].end());
            one.start.push_back(one.limits.size());
            for (std::size_t k = 0; k < sums.size(); ++k) most[k] = std::max(most[k], std::abs(sums[k].value[p]));
        }
        for (std::size_t k = 0; k < sums.size(); ++k) size[k] += most[k];
        if (group.n_trees != 0 && merged(group, one, most_leaves, both)) {
            std::swap(group, both);
        } else {
            if (group.n_trees != 0) add_group(group, sums);
            std::swap(group, one);
        }
    }
    if (group.n_trees != 0) add_group(group, sums);
    finish(sums, pieces.n_trees(), size);
}

std::vector<std::uint8_t> SearchSpace::reached_pieces(const Pieces& pieces, std::span<const Word> open) const {
    std::vector<std::uint8_t> reached(pieces.n_pieces(), 1);
    const Word* here = open.data();
    for (const Side& side : pieces.sides) {
        const std::size_t n = words_for(side.n_cells);
        for (std::size_t e = 0; e < side.piece.size(); ++e)
            if (!meet(side.bits.data() + e * n, here, n)) reached[static_cast<std::size_t>(side.piece[e])] = 0;
        here += n;
    }
    return reached;
}

void SearchSpace::join_cells(const Pieces& pieces, std::span<const Word> open, std::span<const double> cost,
                             std::span<const std::uint8_t> reached) {
    const Word* here = open.data();
    const double* price = cost.empty() ? nullptr : cost.data();
    for (const Side& side : pieces.sides) {
        const std::size_t n = words_for(side.n_cells);
        std::vector<Word> ends(n, 0);  // bit c: a piece contains only one of the cells c − 1 and c
        for (std::size_t e = 0; e < side.piece.size(); ++e) {
            if (!reached[static_cast<std::size_t>(side.piece[e])]) continue;
            const Word* bits = side.bits.data() + e * n;
            Word carry = 0;
            for (std::size_t w = 0; w < n; ++w) {
                ends[w] |= bits[w] ^ ((bits[w] << 1) | carry);
                carry = bits[w] >> 63;
            }
        }
        SpaceFeature feature;
        bool ended = true;
        for (std::size_t c = 0; c < side.n_cells; ++c) {
            ended = ended || base::has_bit(ends, c);
            if (!base::has_bit({here, n}, c)) continue;
            const double mine = price == nullptr ? 0.0 : price[c];
            if (ended || feature.cell.empty()) {
                feature.cell.push_back(static_cast<std::uint32_t>(c));
                feature.cost.push_back(mine);
            } else if (mine < feature.cost.back()) {
                feature.cell.back() = static_cast<std::uint32_t>(c);
                feature.cost.back() = mine;
            }
            ended = false;
        }
        feature.word = n_words;
        feature.n_words = words_for(std::max<std::size_t>(feature.cell.size(), 1));
        n_words += feature.n_words;
        features.push_back(std::move(feature));
        here += n;
        if (price != nullptr) price += side.n_cells;
    }
    everything.assign(n_words, 0);
    for (const SpaceFeature& f : features)
        if (!f.cell.empty()) base::set_first_bits({everything.data() + f.word, f.n_words}, f.cell.size());
}

// The limits of every reached piece, in the joined cells, in the order of the features.
std::vector<std::vector<Limit>> SearchSpace::joined_limits(const Pieces& pieces,
                                                           std::span<const std::uint8_t> reached) {
    std::vector<std::vector<Limit>> found(pieces.n_pieces());
    for (std::size_t f = 0; f < features.size(); ++f) {
        const Side& side = pieces.sides[f];
        const SpaceFeature& feature = features[f];
        if (feature.cell.size() < 2) continue;
        const std::size_t n = words_for(side.n_cells);
        std::vector<Word> joined(feature.n_words);
        for (std::size_t e = 0; e < side.piece.size(); ++e) {
            const auto piece = static_cast<std::size_t>(side.piece[e]);
            if (!reached[piece]) continue;
            const std::span<const Word> bits{side.bits.data() + e * n, n};
            std::ranges::fill(joined, 0);
            std::size_t count = 0;
            for (std::size_t c = 0; c < feature.cell.size(); ++c) {
                const Word bit = base::has_bit(bits, feature.cell[c]);
                joined[c >> 6] |= bit << (c & 63);
                count += bit;
            }
            if (count == feature.cell.size()) continue;
            found[piece].push_back({static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(pool.size())});
            pool.insert(pool.end(), joined.begin(), joined.end());
        }
    }
    return found;
}

// The overlaps of the leaves of two groups; false if there are more than `most`, and than each has by itself.
bool SearchSpace::merged(const Leaves& a, const Leaves& b, std::size_t most, Leaves& out) {
    most = std::max({most, a.size() == 1 ? b.size() : 0, b.size() == 1 ? a.size() : 0});
    const std::size_t pool_before = pool.size();
    out = Leaves();
    out.n_trees = a.n_trees + b.n_trees;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t limits_before = out.limits.size(), pool_here = pool.size();
            std::size_t x = a.start[i], y = b.start[j];
            bool empty = false;
            while (!empty && (x < a.start[i + 1] || y < b.start[j + 1])) {
                if (y == b.start[j + 1] || (x < a.start[i + 1] && a.limits[x].feature < b.limits[y].feature)) {
                    out.limits.push_back(a.limits[x++]);
                } else if (x == a.start[i + 1] || b.limits[y].feature < a.limits[x].feature) {
                    out.limits.push_back(b.limits[y++]);
                } else {
                    const std::size_t n = features[a.limits[x].feature].n_words;
                    if (!meet(pool.data() + a.limits[x].bits, pool.data() + b.limits[y].bits, n)) {
                        empty = true;
                        break;
                    }
                    out.limits.push_back({a.limits[x].feature, static_cast<std::uint32_t>(pool.size())});
                    for (std::size_t w = 0; w < n; ++w) {
                        const Word both = pool[a.limits[x].bits + w] & pool[b.limits[y].bits + w];
                        pool.push_back(both);
                    }
                    ++x;
                    ++y;
                }
            }
            if (empty) {
                out.limits.resize(limits_before);
                pool.resize(pool_here);
                continue;
            }
            out.start.push_back(out.limits.size());
            out.pieces.insert(out.pieces.end(), a.pieces.begin() + static_cast<std::ptrdiff_t>(i * a.n_trees),
                              a.pieces.begin() + static_cast<std::ptrdiff_t>((i + 1) * a.n_trees));
            out.pieces.push_back(b.pieces[j]);
            if (out.size() > most) {
                pool.resize(pool_before);
                return false;
            }
        }
    }
    return true;
}

void SearchSpace::add_group(const Leaves& leaves, std::span<const Sum> sums) {
    const std::size_t n = leaves.n_trees;
    std::vector<double> key(leaves.size());
    const auto sum_of = [&](std::size_t leaf, const Sum& sum) {
        double found = 0.0;
        for (std::size_t i = 0; i < n; ++i) found += sum.value[leaves.pieces[leaf * n + i]];
        return found;
    };
    std::vector<std::size_t> order(leaves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) key[leaf] = sum_of(leaf, sums[0]);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key[a] > key[b]; });
    for (const std::size_t leaf : order) {
        for (std::size_t x = leaves.start[leaf]; x < leaves.start[leaf + 1]; ++x) limits.push_back(leaves.limits[x]);
        limit_start.push_back(limits.size());
        for (std::size_t k = 0; k < sums.size(); ++k) {
            for (std::size_t i = 0; i < n; ++i) values[k].part.push_back(sums[k].value[leaves.pieces[leaf * n + i]]);
            values[k].key.push_back(sum_of(leaf, sums[k]));
        }
        part_start.push_back(part_start.back() + n);
    }
    group_start.push_back(group_start.back() + leaves.size());
    group_trees.push_back(n);
}

void SearchSpace::finish(std::span<const Sum> sums, std::size_t n_trees, std::span<const double> largest) {
    constexpr double half_ulp = std::numeric_limits<double>::epsilon() / 2;
    for (std::size_t k = 0; k < sums.size(); ++k) {
        // a key and a chain of additions are each off by at most their number of steps × half an ulp of the largest sum
        const double step = 8.0 * half_ulp * largest[k] * (1.0 + static_cast<double>(n_trees) * half_ulp);
        for (const std::size_t trees : group_trees)
            values[k].margin.push_back(trees == 1 ? 0.0 : step * static_cast<double>(trees));
    }
    alive_words = words_for(n_leaves());
    used.resize(features.size());
    for (std::size_t leaf = 0; leaf < n_leaves(); ++leaf)
        for (std::size_t x = limit_start[leaf]; x < limit_start[leaf + 1]; ++x)
            used[limits[x].feature].push_back({static_cast<std::uint32_t>(leaf), limits[x].bits});
}

double SearchSpace::bound(const Word* alive, const GroupValues& of, bool sorted) const {
    double sum = of.start;
    for (std::size_t g = 0; g < n_groups(); ++g) {
        const std::size_t first = group_start[g], last = group_start[g + 1], n = group_trees[g];
        double top = -std::numeric_limits<double>::infinity();
        if (!sorted || n != 1) {
            for_each_bit(alive, first, last, [&](std::size_t leaf) {
                top = std::max(top, of.key[leaf]);
                return !sorted;
            });
        }
        const double from = sum;
        bool any = false;
        for_each_bit(alive, first, last, [&](std::size_t leaf) {
            // not below the top by more than rounding can make up for; also true if these are infinite
            if (!(sorted && n == 1) && of.key[leaf] < top - of.margin[g]) return !sorted;
            double here = from;
            for (std::size_t i = 0; i < n; ++i) here += of.part[part_start[leaf] + i];
            if (!any || here > sum) sum = here;
            any = true;
            return !(sorted && n == 1);
        });
    }
    return sum;
}

double SearchSpace::total(std::span<const std::uint32_t> leaf, const GroupValues& of) const {
    double sum = of.start;
    for (std::size_t g = 0; g < n_groups(); ++g)
        for (std::size_t i = part_start[leaf[g]]; i < part_start[leaf[g] + 1]; ++i) sum += of.part[i];
    return sum;
}

void SearchSpace::clear_unreached(std::size_t feature, const Word* kept, Word* alive) const {
    const std::size_t n = features[feature].n_words;
    const auto clear = [&](std::uint32_t leaf, bool stays) {
        alive[leaf >> 6] &= ~(static_cast<Word>(!stays) << (leaf & 63));
    };
    if (n == 1) {
        for (const UsedLimit& limit : used[feature]) clear(limit.leaf, (pool[limit.bits] & kept[0]) != 0);
    } else {
        for (const UsedLimit& limit : used[feature]) clear(limit.leaf, meet(pool.data() + limit.bits, kept, n));
    }
}

std::vector<std::int32_t> SearchSpace::original(std::span<const std::uint32_t> cells) const {
    std::vector<std::int32_t> found(cells.size());
    for (std::size_t f = 0; f < cells.size(); ++f) found[f] = static_cast<std::int32_t>(features[f].cell[cells[f]]);
    return found;
}

}  // namespace glasswood::proofs

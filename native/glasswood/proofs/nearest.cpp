#include "glasswood/proofs/nearest.hpp"

#include <algorithm>

#include "glasswood/base/bitset.hpp"
#include "glasswood/base/interrupt.hpp"

namespace glasswood::proofs {

Nearest::Nearest(const Pieces& pieces, std::span<const Sum> sums, std::vector<double> least, std::vector<double> slack,
                 std::span<const Word> open, std::span<const double> cost, double reach, std::size_t most_leaves)
    : space_(pieces, sums, open, cost, most_leaves),
      least_(std::move(least)),
      slack_(std::move(slack)),
      reach_(reach),
      store_(space_.n_words + space_.alive_words),
      box_(space_.n_words + space_.alive_words),
      anchor_(space_.features.size()),
      here_(space_.n_groups()) {
    std::copy(space_.everything.begin(), space_.everything.end(), box_.begin());
    for (std::size_t leaf = 0; leaf < space_.n_leaves(); ++leaf) alive(box_)[leaf >> 6] |= Word{1} << (leaf & 63);
    add(box_);
}

// Distance of the cheapest point of a box, added feature by feature: it never falls if a cost rises.
double Nearest::look(const std::vector<Word>& box, std::vector<std::uint32_t>& anchor) const {
    double distance = 0.0;
    for (std::size_t f = 0; f < space_.features.size(); ++f) {
        const SpaceFeature& feature = space_.features[f];
        double least = std::numeric_limits<double>::infinity();
        for_each_bit(box.data() + feature.word, 0, 64 * feature.n_words, [&](std::size_t cell) {
            if (feature.cost[cell] < least) {
                least = feature.cost[cell];
                anchor[f] = static_cast<std::uint32_t>(cell);
            }
            return true;
        });
        distance += least;
    }
    return distance;
}

bool Nearest::repeats(std::span<const std::uint32_t> anchor) const {
    return std::ranges::any_of(taken_, [&](const std::vector<std::uint32_t>& changed) {
        return std::ranges::all_of(changed, [&](std::uint32_t f) { return space_.features[f].cost[anchor[f]] > 0; });
    });
}

// Keeps a box, without the cells that are out of reach, if it may have a point that reaches all goals.
void Nearest::add(std::vector<Word>& box) {
    std::vector<std::uint32_t> anchor(space_.features.size());
    const double distance = look(box, anchor);
    if (!(distance <= reach_)) return;
    if (reach_ < std::numeric_limits<double>::infinity()) {
        const double spare = (reach_ - distance) + 1e-9 * (reach_ + 1.0);  // rounding may only keep more cells
        for (std::size_t f = 0; f < space_.features.size(); ++f) {
            const SpaceFeature& feature = space_.features[f];
            Word* cells = box.data() + feature.word;
            const double most = feature.cost[anchor[f]] + spare;
            bool less = false;
            for_each_bit(cells, 0, 64 * feature.n_words, [&](std::size_t cell) {
                if (!(feature.cost[cell] <= most)) {
                    cells[cell >> 6] &= ~(Word{1} << (cell & 63));
                    less = true;
                }
                return true;
            });
            if (less) space_.clear_unreached(f, cells, alive(box));
        }
    }
    for (std::size_t k = 0; k < least_.size(); ++k)
        if (space_.bound(alive(box), space_.values[k], k == 0) < least_[k] - slack_[k]) return;
    std::size_t n_changed = 0;
    for (std::size_t f = 0; f < anchor.size(); ++f) n_changed += space_.features[f].cost[anchor[f]] > 0;
    heap_.push({distance, n_changed, pushed_++, store_.add(box.data())});
}

Pause Nearest::run(const Limits& limits) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    while (!heap_.empty()) {
        const Waiting next = heap_.top();
        heap_.pop();
        store_.take(next.slot, box_.data());
        distance_ = look(box_, anchor_);
        if (repeats(anchor_)) continue;
        const std::chrono::duration<double> spent = Clock::now() - begun;
        if (n_nodes_ >= limits.max_nodes || spent.count() > limits.seconds) {
            heap_.push({next.distance, next.n_changed, next.order, store_.add(box_.data())});
            return Pause::limit;
        }
        ++n_nodes_;
        if (n_nodes_ % 16 == 0) base::check_interrupt();
        find_leaves();
        bool reached = true;
        for (std::size_t k = 0; k < least_.size() && reached; ++k) reached = at_goal(k);
        if (reached) return Pause::point;
        cut();
    }
    distance_ = std::numeric_limits<double>::infinity();
    return Pause::end;
}

void Nearest::answer(bool taken) {
    if (!taken) {
        cut();
        return;
    }
    std::vector<std::uint32_t> changed;
    for (std::uint32_t f = 0; f < anchor_.size(); ++f)
        if (space_.features[f].cost[anchor_[f]] > 0) changed.push_back(f);
    taken_.push_back(std::move(changed));
}

void Nearest::find_leaves() {
    for (std::size_t g = 0; g < space_.n_groups(); ++g) {
        for_each_bit(alive(box_), space_.group_start[g], space_.group_start[g + 1], [&](std::size_t leaf) {
            for (std::size_t x = space_.limit_start[leaf]; x < space_.limit_start[leaf + 1]; ++x) {
                const std::uint32_t cell = anchor_[space_.limits[x].feature];
                if (!((space_.pool[space_.limits[x].bits + (cell >> 6)] >> (cell & 63)) & 1)) return true;
            }
            here_[g] = static_cast<std::uint32_t>(leaf);
            return false;
        });
    }
}

// Cuts the box by the leaf that adds most to the goal that is missed by most; of the features that keep the anchor out
// of it, by the one that costs most to change.
void Nearest::cut() {
    std::size_t which = 0;
    double missed = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < least_.size(); ++k) {
        const double short_by = least_[k] - space_.total(here_, space_.values[k]);
        if (short_by > missed) missed = short_by, which = k;
    }
    const std::vector<double>& key = space_.values[which].key;
    std::size_t leader = 0;
    double widest = 0.0;
    for (std::size_t g = 0; g < space_.n_groups(); ++g) {
        for_each_bit(alive(box_), space_.group_start[g], space_.group_start[g + 1], [&](std::size_t leaf) {
            if (key[leaf] - key[here_[g]] > widest) widest = key[leaf] - key[here_[g]], leader = leaf;
            return which != 0;  // the leaves are in the order of the first sum
        });
    }
    if (widest > 0) {
        double dearest = -1.0;
        const Limit* chosen = nullptr;
        for (std::size_t x = space_.limit_start[leader]; x < space_.limit_start[leader + 1]; ++x) {
            const Limit& limit = space_.limits[x];
            const SpaceFeature& feature = space_.features[limit.feature];
            const Word* inside = space_.pool.data() + limit.bits;
            const std::uint32_t cell = anchor_[limit.feature];
            if ((inside[cell >> 6] >> (cell & 63)) & 1) continue;
            double price = std::numeric_limits<double>::infinity();
            for_each_bit(inside, 0, 64 * feature.n_words, [&](std::size_t c) {
                if ((box_[feature.word + (c >> 6)] >> (c & 63)) & 1) price = std::min(price, feature.cost[c]);
                return true;
            });
            if (price > dearest) dearest = price, chosen = &limit;
        }
        cut_at(chosen->feature, space_.pool.data() + chosen->bits);
        return;
    }
    // every group is at its best here, and only rounding can tell points apart
    for (std::size_t f = 0; f < space_.features.size(); ++f) {
        const SpaceFeature& feature = space_.features[f];
        std::vector<Word> alone(feature.n_words, 0);
        base::set_bit(alone, anchor_[f]);
        bool more = false;
        for (std::size_t w = 0; w < feature.n_words; ++w) more = more || (box_[feature.word + w] & ~alone[w]) != 0;
        if (!more) continue;
        cut_at(f, alone.data());
        return;
    }
}

void Nearest::cut_at(std::size_t feature, const Word* inside) {
    const SpaceFeature& of = space_.features[feature];
    for (const bool kept : {true, false}) {
        std::vector<Word> part = box_;
        Word any = 0;
        for (std::size_t w = 0; w < of.n_words; ++w) any |= part[of.word + w] &= kept ? inside[w] : ~inside[w];
        if (any == 0) continue;
        space_.clear_unreached(feature, part.data() + of.word, alive(part));
        add(part);
    }
}

}  // namespace glasswood::proofs

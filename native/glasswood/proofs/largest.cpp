#include "glasswood/proofs/largest.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <queue>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/proofs/box_store.hpp"

namespace glasswood::proofs {
namespace {

constexpr std::size_t tried_groups = 3;  // whose best leaves are tried as cuts

struct Waiting {
    double bound;
    std::size_t order, slot;
    bool operator<(const Waiting& other) const {
        return bound < other.bound || (bound == other.bound && order > other.order);
    }
};

}  // namespace

class Largest::Search {
 public:
    explicit Search(const SearchSpace& space)
        : space_(space),
          size_(space.n_words + space.alive_words),
          box_(size_),
          store_(size_),
          point_(space.n_words),
          chosen_(space.n_groups()),
          order_(space.n_groups()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        const auto stake = [&](std::size_t g) {
            return key(space_.group_start[g]) - key(space_.group_start[g + 1] - 1);
        };
        std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return stake(a) > stake(b); });
        std::copy(space_.everything.begin(), space_.everything.end(), box_.begin());
        std::fill(alive(box_), alive(box_) + space_.alive_words, 0);
        for (std::size_t leaf = 0; leaf < space_.n_leaves(); ++leaf) alive(box_)[leaf >> 6] |= Word{1} << (leaf & 63);
        push(box_, bound(box_));
    }

    bool empty() const { return heap_.empty(); }
    double top() const { return heap_.top().bound; }

    // Takes the box with the highest bound, tries a point of it and cuts it.
    void step() {
        const Waiting next = heap_.top();
        heap_.pop();
        store_.take(next.slot, box_.data());
        dive();
        const double value = space_.total(chosen_, space_.values[0]);
        if (best_point.empty() || value > best) {
            best = value;
            best_point.resize(space_.features.size());
            for (std::size_t f = 0; f < space_.features.size(); ++f) {
                const SpaceFeature& feature = space_.features[f];
                for_each_bit(point_.data() + feature.word, 0, 64 * feature.n_words, [&](std::size_t cell) {
                    best_point[f] = static_cast<std::uint32_t>(cell);
                    return false;
                });
            }
        }
        if (value < next.bound) cut();
    }

    double best = -std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> best_point;

 private:
    double key(std::size_t leaf) const { return space_.values[0].key[leaf]; }
    Word* alive(std::vector<Word>& box) const { return box.data() + space_.n_words; }
    double bound(std::vector<Word>& box) const { return space_.bound(alive(box), space_.values[0], true); }

    void push(const std::vector<Word>& box, double its_bound) {
        heap_.push({its_bound, pushed_++, store_.add(box.data())});
    }

    // A point of the box: group by group the best leaf that still overlaps with those chosen before it.
    void dive() {
        std::copy(box_.begin(), box_.begin() + static_cast<std::ptrdiff_t>(space_.n_words), point_.begin());
        for (const std::size_t g : order_) {
            for_each_bit(alive(box_), space_.group_start[g], space_.group_start[g + 1], [&](std::size_t leaf) {
                for (std::size_t x = space_.limit_start[leaf]; x < space_.limit_start[leaf + 1]; ++x) {
                    const SpaceFeature& feature = space_.features[space_.limits[x].feature];
                    if (!meet(space_.pool.data() + space_.limits[x].bits, point_.data() + feature.word,
                              feature.n_words))
                        return true;
                }
                for (std::size_t x = space_.limit_start[leaf]; x < space_.limit_start[leaf + 1]; ++x) {
                    const SpaceFeature& feature = space_.features[space_.limits[x].feature];
                    for (std::size_t w = 0; w < feature.n_words; ++w)
                        point_[feature.word + w] &= space_.pool[space_.limits[x].bits + w];
                }
                chosen_[g] = static_cast<std::uint32_t>(leaf);
                return false;
            });
        }
    }

    // Of the limits that keep the point out of the best leaf of a group, for the groups with most to gain, the one
    // whose two parts have the lowest bounds.
    void cut() {
        std::vector<std::pair<double, std::size_t>> gaps;
        for (std::size_t g = 0; g < space_.n_groups(); ++g) {
            const double gap = key(first_alive(g)) - key(chosen_[g]);
            if (gap > 0) gaps.emplace_back(gap, g);
        }
        const std::size_t n = std::min(tried_groups, gaps.size());
        std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(n), gaps.end(),
                          [](const auto& a, const auto& b) {
                              return a.first > b.first || (a.first == b.first && a.second < b.second);
                          });
        bool any = false;
        std::array<double, 2> kept{};
        std::array<std::vector<Word>, 2> parts, tried;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t leaf = first_alive(gaps[i].second);
            for (std::size_t x = space_.limit_start[leaf]; x < space_.limit_start[leaf + 1]; ++x) {
                const SpaceFeature& feature = space_.features[space_.limits[x].feature];
                const Word* bits = space_.pool.data() + space_.limits[x].bits;
                if (meet(bits, point_.data() + feature.word, feature.n_words)) continue;
                std::array<double, 2> found{};
                for (std::size_t part = 0; part < 2; ++part) {
                    tried[part] = box_;
                    Word* cells = tried[part].data() + feature.word;
                    for (std::size_t w = 0; w < feature.n_words; ++w) cells[w] &= part == 0 ? bits[w] : ~bits[w];
                    space_.clear_unreached(space_.limits[x].feature, cells, alive(tried[part]));
                    found[part] = bound(tried[part]);
                }
                if (!any || score(found) < score(kept)) {
                    any = true;
                    kept = found;
                    std::swap(parts, tried);
                }
            }
        }
        if (!any) {  // every group is at its best, and only rounding tells points apart
            split_anywhere();
            return;
        }
        for (std::size_t part = 0; part < 2; ++part)
            if (kept[part] > best) push(parts[part], kept[part]);
    }

    std::pair<double, double> score(const std::array<double, 2>& found) const {
        const double high = std::max(found[0], found[1]), low = std::max(std::min(found[0], found[1]), best);
        return {high, low};
    }

    void split_anywhere() {
        for (const SpaceFeature& feature : space_.features) {
            const Word* cells = box_.data() + feature.word;
            std::size_t count = 0, first = 0;
            for_each_bit(cells, 0, 64 * feature.n_words, [&](std::size_t cell) {
                if (count++ == 0) first = cell;
                return count < 2;
            });
            if (count < 2) continue;
            for (const bool inside : {true, false}) {
                std::vector<Word> part = box_;
                Word* kept = part.data() + feature.word;
                for (std::size_t w = 0; w < feature.n_words; ++w) {
                    const Word mask = w == first >> 6 ? Word{1} << (first & 63) : 0;
                    kept[w] &= inside ? mask : ~mask;
                }
                space_.clear_unreached(static_cast<std::size_t>(&feature - space_.features.data()), kept, alive(part));
                const double its = bound(part);
                if (its > best) push(part, its);
            }
            return;
        }
    }

    std::size_t first_alive(std::size_t g) {
        std::size_t found = space_.group_start[g];
        for_each_bit(alive(box_), space_.group_start[g], space_.group_start[g + 1], [&](std::size_t leaf) {
            found = leaf;
            return false;
        });
        return found;
    }

    const SearchSpace& space_;
    std::size_t size_;
    std::vector<Word> box_;
    BoxStore store_;
    std::vector<Word> point_;
    std::vector<std::uint32_t> chosen_;
    std::vector<std::size_t> order_;
    std::priority_queue<Waiting> heap_;
    std::size_t pushed_ = 0;
};

Largest::Largest(const Pieces& pieces, const Sum& sum, std::span<const Word> open, double enough,
                 std::size_t most_leaves)
    : space_(pieces, {&sum, 1}, open, {}, most_leaves), enough_(enough), search_(std::make_unique<Search>(space_)) {}

Largest::~Largest() = default;

bool Largest::run(const Limits& limits) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    while (!search_->empty()) {
        bound_ = search_->top();
        const bool has_point = !search_->best_point.empty();
        const bool none_above = enough_ < std::numeric_limits<double>::infinity() && bound_ <= enough_;
        if (none_above || (has_point && (bound_ <= search_->best || search_->best > enough_))) return true;
        const std::chrono::duration<double> spent = Clock::now() - begun;
        if (has_point && (n_nodes_ >= limits.max_nodes || spent.count() > limits.seconds)) return false;
        ++n_nodes_;
        if (n_nodes_ % 16 == 0) base::check_interrupt();
        search_->step();
    }
    bound_ = search_->best;
    return true;
}

Found Largest::found() const {
    Found found{search_->best, {}, std::max(bound_, search_->best), n_nodes_};
    if (!search_->best_point.empty()) found.point = space_.original(search_->best_point);
    return found;
}

}  // namespace glasswood::proofs

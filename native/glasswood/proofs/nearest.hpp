// Nearest: the points that reach all goals, in the order of their distance, by a best-first search over boxes.
#pragma once

#include <chrono>
#include <queue>

#include "glasswood/proofs/box_store.hpp"
#include "glasswood/proofs/search_space.hpp"

namespace glasswood::proofs {

enum class Pause { point, limit, end };

// The distance of a point is the sum of the costs of its cells. Boxes are taken in the order of the least distance that
// a point in them can have, then of the number of features that it must change. A box in which a goal cannot be reached
// is dropped. If the cheapest point of a box does not do, the box is cut so that one part excludes this point and the
// other the best leaf of a group.
class Nearest {
 public:
    // A sum must reach its `least`, give or take its `slack`; only points at a distance of at most `reach` count.
    Nearest(const Pieces& pieces, std::span<const Sum> sums, std::vector<double> least, std::vector<double> slack,
            std::span<const Word> open, std::span<const double> cost, double reach, std::size_t most_leaves);

    // Searches on until a point reaches all goals, the limits are met or nothing is left.
    Pause run(const Limits& limits);
    // Whether the point at which the search stands is taken. If so, later ones do not change all that it changes.
    void answer(bool taken);

    std::vector<std::int32_t> point() const { return space_.original(anchor_); }
    double distance() const { return distance_; }  // of the point, or what every later one has at least
    std::size_t n_nodes() const { return n_nodes_; }

 private:
    struct Waiting {
        double distance;
        std::size_t n_changed, order, slot;
        bool operator<(const Waiting& other) const {
            if (distance != other.distance) return distance > other.distance;
            return n_changed != other.n_changed ? n_changed > other.n_changed : order > other.order;
        }
    };

    Word* alive(std::vector<Word>& box) const { return box.data() + space_.n_words; }
    double look(const std::vector<Word>& box, std::vector<std::uint32_t>& anchor) const;
    bool repeats(std::span<const std::uint32_t> anchor) const;
    void add(std::vector<Word>& box);
    void find_leaves();
    bool at_goal(std::size_t k) const { return least_[k] - space_.total(here_, space_.values[k]) <= slack_[k]; }
    void cut();
    void cut_at(std::size_t feature, const Word* inside);

    SearchSpace space_;
    std::vector<double> least_, slack_;
    double reach_;
    BoxStore store_;
    std::priority_queue<Waiting> heap_;
    std::size_t pushed_ = 0, n_nodes_ = 0;
    std::vector<Word> box_;
    std::vector<std::uint32_t> anchor_;  // the cheapest cell of each feature in the box
    std::vector<std::uint32_t> here_;    // the leaf of each group that contains the anchor
    double distance_ = 0.0;
    std::vector<std::vector<std::uint32_t>> taken_;  // features changed by each point
};

}  // namespace glasswood::proofs

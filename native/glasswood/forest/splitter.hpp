// Splitter: finds the best way to divide a node. Split is that way, Contest the rule by which a candidate replaces it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "glasswood/base/tie.hpp"

namespace glasswood::forest {

struct Split {
    double gain = -1;  // in the criterion's unit; below 0: none found
    std::int32_t feature = -1;
    std::uint32_t order = 0;  // index of the candidate among those of its feature
    bool missing_left = false;
    bool heavier_left = false;  // the left child weighs more: where what the node has never seen goes
    bool is_category = false;
    std::uint32_t last = 0;       // number: the largest rank that goes left
    double threshold = 0;         // number: the largest value that goes left
    double right_value = 0;       // number: the smallest value of the node that goes right
    double left_value = 0;        // number: the largest value of the node that goes left
    std::uint32_t right_row = 0;  // number: a row with each of these values
    std::uint32_t left_row = 0;
    std::vector<std::uint64_t> members;  // category: bit c is set if code c goes left

    bool found() const { return gain >= 0; }
};

// What a child must hold, and whether a split must gain something.
struct SplitLimits {
    std::size_t min_rows = 1;
    double min_weight = 0;
    bool needs_gain = false;  // false: a split of gain 0 is taken, XOR needs it
};

// Two candidates tie when their gains differ by less than base::tie of the larger, or by rounding of the node's
// impurity; of those the first feature wins, then the lowest threshold, then missing on the right.
class Contest {
 public:
    static constexpr double rounding = 1e-13;  // of the node's impurity

    Contest(Split& best, double mass) : best_(best), rounding_(rounding * mass) { aim(); }

    // A gain at or below this cannot win: the fast test before `enter`.
    double bar() const { return bar_; }

    // Whether a candidate takes the lead; if so the caller fills in the rest of the split.
    bool enter(double gain, std::int32_t feature, std::uint32_t order, bool missing_left) {
        gain = std::max(gain, 0.0);  // impurities are concave: below 0 is rounding
        if (best_.found()) {
            const double width = base::tie * std::max(gain, best_.gain) + rounding_;
            const bool earlier =
                std::tie(feature, order, missing_left) < std::tie(best_.feature, best_.order, best_.missing_left);
            if (gain < best_.gain - width || (gain <= best_.gain + width && !earlier)) return false;
        }
        best_.gain = gain;
        best_.feature = feature;
        best_.order = order;
        best_.missing_left = missing_left;
        aim();
        return true;
    }

    Split& best() { return best_; }

 private:
    void aim() { bar_ = best_.found() ? best_.gain * (1 - base::tie) - rounding_ : -1; }

    Split& best_;
    double rounding_;
    double bar_ = -1;
};

// Splits one node after another of one tree. `begin` sets the tree's row weights, `open` the node that the other
// functions speak of. Not shared between threads.
class Splitter {
 public:
    virtual ~Splitter() = default;

    virtual void begin(std::span<const double> weight) = 0;
    // The same for rows that count a whole number of times, if it takes them; false: too often. Borrows the counts.
    virtual bool takes_counts() const { return false; }
    virtual bool begin_counts(std::span<const std::uint8_t> /*count*/) { return false; }
    virtual void prepare(std::span<const std::uint32_t> rows) = 0;
    virtual double weight() const = 0;
    virtual double mass() const = 0;  // weighted impurity, in the unit of gains
    virtual double unit() const = 0;
    virtual bool pure() const = 0;
    virtual std::size_t value_width() const = 0;
    virtual void value(double* out) const = 0;

    // Tries `features`; returns how many of them vary within the node.
    virtual std::size_t search(std::span<const std::int32_t> features, const SplitLimits& limits, Split& best) = 0;
    // Moves the rows that go left to the front, keeping the order on both sides; returns their number.
    virtual std::size_t partition(std::span<std::uint32_t> rows, std::span<std::uint32_t> scratch,
                                  const Split& split) const = 0;
};

// The part of a Splitter that knows the open node's rows and target but not its features.
template <class Criterion>
class NodeSplitter : public Splitter {
 public:
    explicit NodeSplitter(Criterion criterion) : criterion_(std::move(criterion)) {}

    void begin(std::span<const double> weight) override {
        weight_ = weight;
        whole_ = std::ranges::all_of(weight, [](double w) { return w == std::floor(w); });
    }
    void prepare(std::span<const std::uint32_t> rows) override {
        rows_ = rows;
        criterion_.prepare(rows, weight_, whole_);
    }
    double weight() const override { return criterion_.cover(); }
    double mass() const override { return criterion_.mass(); }
    double unit() const override { return criterion_.unit(); }
    bool pure() const override { return criterion_.pure(); }
    std::size_t value_width() const override { return criterion_.value_width(); }
    void value(double* out) const override { criterion_.value(out); }

 protected:
    Criterion criterion_;
    std::span<const double> weight_;
    bool whole_ = false;  // all weights are whole numbers, as those of drawn rows are
    std::span<const std::uint32_t> rows_;
};

}  // namespace glasswood::forest

// Criteria: what a node's rows say about the target, and how much better two children say it. A criterion holds the
// totals of the open node, a `Left` the sums of the rows that a candidate sends left, so that several threads can
// search one node. `gain` is the weighted impurity of the node minus that of its children, in units of `unit()`; a cell
// holds the sums of several rows, their weight first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/base/elementary.hpp"
#include "glasswood/base/rounding_grid.hpp"

namespace glasswood::forest {

// A numeric target, shifted and scaled by a power of two to lie within [-1, 1]: sums of squares then neither overflow
// nor cancel, whatever the target's own scale.
struct Numbers {
    std::span<const double> raw;
    std::vector<double> scaled;
    double centre = 0;
    double scale = 1;
};

Numbers make_numbers(std::span<const double> y, std::span<const double> weight);

// Whether n weights, none above `heaviest`, are whole numbers that a rounding grid leaves as they are.
inline bool need_no_rounding(bool whole, double heaviest, std::size_t n) {
    return whole && heaviest * static_cast<double>(n) <= 0x1p48;
}

// Squared error. Gini of two classes is twice the squared error of their 0/1 target. Both gains are
// (S_L·W − S·W_L)² / (W·W_L·W_R), exact for whole numbers and the same when the sides are swapped. A row's part is
// rounded to a grid of its node, so that no sum depends on the order of the rows.
class Moments {
 public:
    struct Left {
        double weight = 0, sum = 0;
    };

    Moments(const Numbers& numbers, double unit) : numbers_(&numbers), unit_(unit) {}

    // `whole`: all weights are whole numbers.
    void prepare(std::span<const std::uint32_t> rows, std::span<const double> weight, bool whole) {
        double low = numbers_->scaled[rows[0]], high = low, heaviest = 0;
        rows_.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double w = weight[rows[i]], y = numbers_->scaled[rows[i]];
            rows_[i] = {w, y};  // until they are added up
            low = std::min(low, y);
            high = std::max(high, y);
            heaviest = std::max(heaviest, w);
        }
        pure_ = low == high;
        whole = need_no_rounding(whole, heaviest, rows.size());
        if (pure_) return whole ? close<true>(rows, heaviest) : close<false>(rows, heaviest);
        // Centred where that saves bits: a narrow range far from zero.
        centre_ = high - low < 0.5 * std::max(std::abs(low), std::abs(high)) ? low / 2 + high / 2 : 0;
        const double reach = std::max(high - centre_, centre_ - low);
        whole ? add_up<true>(heaviest, reach) : add_up<false>(heaviest, reach);
    }

    // Opens a node of a 0/1 target by its sums alone; the rows have no parts then.
    void open_counts(std::uint32_t first, double weight, double ones) {
        rows_.clear();
        first_ = first;
        weight_ = cover_ = weight;
        sum_ = ones;
        centre_ = 0;
        mean_ = ones / weight;
        pure_ = ones == 0 || ones == weight;
        mass_ = pure_ ? 0 : std::max(ones - ones * ones / weight, 0.0);
    }

    double weight() const { return weight_; }  // of the rounded rows, as `Left` counts them
    double cover() const { return cover_; }    // of the rows as they are
    double mass() const { return mass_; }
    double unit() const { return unit_; }
    bool pure() const { return pure_; }
    std::size_t value_width() const { return 1; }
    void value(double* out) const { *out = pure_ ? numbers_->raw[first_] : numbers_->centre + numbers_->scale * mean_; }

    Left empty() const { return {}; }
    void add(Left& left, std::size_t i) const {
        left.weight += rows_[i].weight;
        left.sum += rows_[i].sum;
    }
    bool beats(const Left& left, double gain) const {
        const double d = left.sum * weight_ - sum_ * left.weight;
        return d * d > gain * (weight_ * left.weight * (weight_ - left.weight));
    }
    double gain(const Left& left) const {
        const double d = left.sum * weight_ - sum_ * left.weight;
        return d * d / (weight_ * left.weight * (weight_ - left.weight));
    }

    std::size_t cell_width() const { return 2; }
    Left part(std::size_t i) const { return rows_[i]; }
    void add_to(double* cell, const Left& part) const {
        cell[0] += part.weight;
        cell[1] += part.sum;
    }
    void add_cell(Left& left, const double* cell) const {
        left.weight += cell[0];
        left.sum += cell[1];
    }
    double mean_target(const double* cell) const { return cell[1] / cell[0]; }  // orders the levels of a category

 private:
    // Sums of weights: rounded ones, and what rounding takes from them. Whole ones stay as they are.
    template <bool whole>
    class WeightSums {
     public:
        WeightSums(double heaviest, std::size_t n) : grid_(heaviest, n), rests_(grid_.unit(), n) {}

        double add(double w, double rounded) {
            sum_ += rounded;
            if constexpr (!whole) rest_ += rests_.round(w - rounded);
            return rounded;
        }
        double rounded(double w) const { return whole ? w : grid_.round(w); }
        double least() const { return whole ? 1 : grid_.unit(); }
        double sum() const { return sum_; }
        double with_rests() const { return sum_ + rest_; }

     private:
        base::RoundingGrid grid_, rests_;
        double sum_ = 0, rest_ = 0;
    };

    // A node that is never searched: its value is the lowest raw target among those that are equal when scaled.
    template <bool whole>
    void close(std::span<const std::uint32_t> rows, double heaviest) {
        WeightSums<whole> weights(heaviest, rows.size());
        first_ = rows[0];
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double w = rows_[i].weight;
            weights.add(w, weights.rounded(w));
            if (numbers_->raw[rows[i]] < numbers_->raw[first_]) first_ = rows[i];
        }
        weight_ = cover_ = weights.with_rests();
        mass_ = 0;
    }

    // What rounding takes from a row is added up beside it: the mean and the cover are those of the rows as they are.
    template <bool whole>
    void add_up(double heaviest, double reach) {
        const std::size_t n = rows_.size();
        WeightSums<whole> weights(heaviest, n);
        const base::RoundingGrid sums(heaviest * reach, n), squares(heaviest * reach * reach, n);
        const base::RoundingGrid sum_rests(sums.unit(), n);
        double sum = 0, sum_rest = 0, square = 0;
        for (Left& row : rows_) {
            const double w = row.weight, y = row.sum - centre_;
            // No row loses all its weight.
            row = {weights.add(w, std::max(weights.rounded(w), weights.least())), sums.round(w * y)};
            sum += row.sum;
            sum_rest += sum_rests.round(w * y - row.sum);
            square += squares.round(w * y * y);
        }
        weight_ = weights.sum();
        sum_ = sum;
        cover_ = weights.with_rests();
        const double exact = (sum + sum_rest) / cover_;
        mean_ = centre_ + exact;
        mass_ = std::max(square - (sum + sum_rest) * exact, 0.0);
    }

    const Numbers* numbers_;
    double unit_;
    std::vector<Left> rows_;  // each row's own part, rounded to a grid: sums of them are exact
    std::uint32_t first_ = 0;
    bool pure_ = false;
    double centre_ = 0;            // the parts hold the target minus this
    double weight_ = 0, sum_ = 0;  // of the parts
    double cover_ = 0, mean_ = 0, mass_ = 0;
};

// What gini and entropy of several classes share: counts per class.
class ClassCounts {
 public:
    struct Row {
        double weight;
        std::int32_t label;
    };

    ClassCounts(std::span<const std::int32_t> label, std::size_t n_classes) : label_(label), total_(n_classes) {}

    void prepare(std::span<const std::uint32_t> rows, std::span<const double> weight, bool whole) {
        double heaviest = 0;
        rows_.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows_[i] = {weight[rows[i]], label_[rows[i]]};
            heaviest = std::max(heaviest, rows_[i].weight);
        }
        std::ranges::fill(total_, 0.0);
        need_no_rounding(whole, heaviest, rows.size()) ? add_up() : add_rounded(heaviest);
        frequent_ = static_cast<std::size_t>(std::ranges::max_element(total_) - total_.begin());
        if (total_.size() == 2) frequent_ = 1;  // two classes: the mean target is the share of the second
    }

    double weight() const { return weight_; }
    double cover() const { return cover_; }
    double unit() const { return 1; }
    bool pure() const { return pure_; }
    // Two classes have one output, the share of the second.
    std::size_t value_width() const { return total_.size() == 2 ? 1 : total_.size(); }
    void value(double* out) const {
        for (std::size_t k = total_.size() == 2 ? 1 : 0; k < total_.size(); ++k) *out++ = total_[k] / weight_;
    }

    std::size_t cell_width() const { return 1 + total_.size(); }
    Row part(std::size_t i) const { return rows_[i]; }
    void add_to(double* cell, const Row& part) const {
        cell[0] += part.weight;
        cell[1 + part.label] += part.weight;
    }
    double mean_target(const double* cell) const { return cell[1 + frequent_] / cell[0]; }

 private:
    void add_up() {
        const std::int32_t first = rows_[0].label;
        double sum = 0;
        bool pure = true;
        for (const Row& row : rows_) {
            sum += row.weight;
            pure &= row.label == first;
            total_[row.label] += row.weight;
        }
        weight_ = cover_ = sum;
        pure_ = pure;
        whole_ = sum <= 0x1p26;
    }

    void add_rounded(double heaviest) {
        const base::RoundingGrid weights(heaviest, rows_.size()), rests(weights.unit(), rows_.size());
        const std::int32_t first = rows_[0].label;
        double sum = 0, rest = 0;
        bool pure = true, whole = true;
        for (Row& row : rows_) {
            const double rounded = std::max(weights.round(row.weight), weights.unit());  // no row loses all its weight
            sum += rounded;
            rest += rests.round(row.weight - rounded);
            whole &= rounded == std::floor(rounded);
            pure &= row.label == first;
            total_[row.label] += rounded;
            row.weight = rounded;
        }
        weight_ = sum;
        cover_ = sum + rest;
        pure_ = pure;
        whole_ = whole && sum <= 0x1p26;
    }

 protected:
    std::span<const std::int32_t> label_;
    std::vector<Row> rows_;
    std::vector<double> total_;
    std::size_t frequent_ = 0;
    bool pure_ = false;
    bool whole_ = false;  // the weights are whole numbers, so few that the square of their sum is exact
    double weight_ = 0, cover_ = 0;
};

// H = Σ p_k (1 − p_k): gain = Σ L_k²/W_L + Σ R_k²/W_R − Σ P_k²/W. Where the squares are exact they follow from Σ L_k²
// and Σ L_k P_k, which a row changes in constant time; else they are added up for each candidate, because such
// sums would remember the order of the rows.
class Gini : public ClassCounts {
 public:
    struct Left {
        double weight = 0, squares = 0, cross = 0;
        std::vector<double> count;
    };
    using ClassCounts::ClassCounts;

    void prepare(std::span<const std::uint32_t> rows, std::span<const double> weight, bool whole) {
        ClassCounts::prepare(rows, weight, whole);
        squares_ = 0;
        for (const double total : total_) squares_ += total * total;
    }
    double mass() const { return pure_ ? 0 : std::max(weight_ - squares_ / weight_, 0.0); }

    Left empty() const { return {0, 0, 0, std::vector<double>(total_.size())}; }
    void add(Left& left, std::size_t i) const {
        add_weight(left, static_cast<std::size_t>(rows_[i].label), rows_[i].weight);
    }
    void add_cell(Left& left, const double* cell) const {
        for (std::size_t k = 0; k < total_.size(); ++k) add_weight(left, k, cell[1 + k]);
    }
    bool beats(const Left& left, double gain) const {
        return numerator(left) > (gain + squares_ / weight_) * (left.weight * (weight_ - left.weight));
    }
    double gain(const Left& left) const {
        return numerator(left) / (left.weight * (weight_ - left.weight)) - squares_ / weight_;
    }

 private:
    void add_weight(Left& left, std::size_t k, double w) const {
        if (whole_) {
            left.squares += w * (2 * left.count[k] + w);
            left.cross += w * total_[k];
        }
        left.count[k] += w;
        left.weight += w;
    }
    double numerator(const Left& left) const {
        if (!whole_) return numerator_of_counts(left);
        const double right_squares = squares_ - 2 * left.cross + left.squares;
        return left.squares * (weight_ - left.weight) + right_squares * left.weight;
    }
    double numerator_of_counts(const Left& left) const {
        double left_squares = 0, right_squares = 0;
        for (std::size_t k = 0; k < total_.size(); ++k) {
            const double rest = total_[k] - left.count[k];
            left_squares += left.count[k] * left.count[k];
            right_squares += rest * rest;
        }
        return left_squares * (weight_ - left.weight) + right_squares * left.weight;
    }

    double squares_ = 0;
};

// H = −Σ p_k log2 p_k: with e(c) = Σ c_k log2 (c_k / Σ c_k), gain = e(L) + e(R) − e(P). Shares, not counts, in the
// logarithm: the gain of weights times a power of two is the gain times it, to the bit.
class Entropy : public ClassCounts {
 public:
    struct Left {
        double weight = 0;
        std::vector<double> count;
    };
    using ClassCounts::ClassCounts;

    void prepare(std::span<const std::uint32_t> rows, std::span<const double> weight, bool whole) {
        ClassCounts::prepare(rows, weight, whole);
        order_ = 0;
        for (const double total : total_) order_ += x_log_share(total, weight_);
    }
    double mass() const { return pure_ ? 0 : std::max(-order_, 0.0); }

    Left empty() const { return {0, std::vector<double>(total_.size())}; }
    void add(Left& left, std::size_t i) const {
        left.count[rows_[i].label] += rows_[i].weight;
        left.weight += rows_[i].weight;
    }
    void add_cell(Left& left, const double* cell) const {
        left.weight += cell[0];
        for (std::size_t k = 0; k < total_.size(); ++k) left.count[k] += cell[1 + k];
    }
    bool beats(const Left& left, double other) const { return gain(left) > other; }
    double gain(const Left& left) const {
        const double rest = weight_ - left.weight;
        double below = 0, above = 0;
        for (std::size_t k = 0; k < total_.size(); ++k) {
            below += x_log_share(left.count[k], left.weight);
            above += x_log_share(total_[k] - left.count[k], rest);
        }
        return below + above - order_;
    }

 private:
    static double x_log_share(double x, double all) { return x > 0 ? x * base::elementary::log2(x / all) : 0; }

    double order_ = 0;
};

}  // namespace glasswood::forest

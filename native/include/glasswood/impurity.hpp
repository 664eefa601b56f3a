// Impurity: what a node's rows say about the target, and how much better two children say it. A criterion holds the
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

#include "glasswood/elementary.hpp"

namespace glasswood {

// A numeric target, shifted and scaled by a power of two to lie within [-1, 1]: sums of squares then neither overflow
// nor cancel, whatever the target's own scale.
struct Numbers {
    std::span<const double> raw;
    std::vector<double> scaled;
    double centre = 0;
    double scale = 1;
};

Numbers make_numbers(std::span<const double> y, std::span<const double> weight);

// Squared error. Gini of two classes is twice the squared error of their 0/1 target. Both gains are
// (S_L·W − S·W_L)² / (W·W_L·W_R), exact for whole numbers and the same when the sides are swapped.
class Moments {
 public:
    struct Left {
        double weight = 0, sum = 0;
    };

    Moments(const Numbers& numbers, double unit) : numbers_(&numbers), unit_(unit) {}

    void open(std::span<const std::uint32_t> rows, std::span<const double> weight) {
        rows_.resize(rows.size());
        weight_ = sum_ = 0;
        double squares = 0;
        first_ = rows[0];
        pure_ = true;
        const double first = numbers_->scaled[first_];
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double w = weight[rows[i]], y = numbers_->scaled[rows[i]];
            rows_[i] = {w, w * y};
            weight_ += w;
            sum_ += w * y;
            squares += w * y * y;
            pure_ &= y == first;
        }
        mass_ = pure_ ? 0 : std::max(squares - sum_ * sum_ / weight_, 0.0);
    }

    // Opens a node of a 0/1 target by its sums alone; the rows have no parts then.
    void open_counts(std::uint32_t first, double weight, double ones) {
        rows_.clear();
        first_ = first;
        weight_ = weight;
        sum_ = ones;
        pure_ = ones == 0 || ones == weight;
        mass_ = pure_ ? 0 : std::max(ones - ones * ones / weight, 0.0);
    }

    double weight() const { return weight_; }
    double mass() const { return mass_; }
    double unit() const { return unit_; }
    bool pure() const { return pure_; }
    std::size_t value_width() const { return 1; }
    void value(double* out) const {
        *out = pure_ ? numbers_->raw[first_] : numbers_->centre + numbers_->scale * (sum_ / weight_);
    }

    Left nothing() const { return {}; }
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
    double place(const double* cell) const { return cell[1] / cell[0]; }  // mean target: where a level stands

 private:
    const Numbers* numbers_;
    double unit_;
    std::vector<Left> rows_;  // each row's own part
    std::uint32_t first_ = 0;
    bool pure_ = false;
    double weight_ = 0, sum_ = 0, mass_ = 0;
};

// What gini and entropy of several classes share: counts per class.
class ClassCounts {
 public:
    struct Row {
        double weight;
        std::int32_t label;
    };

    ClassCounts(std::span<const std::int32_t> label, std::size_t n_classes) : label_(label), total_(n_classes) {}

    void open(std::span<const std::uint32_t> rows, std::span<const double> weight) {
        rows_.resize(rows.size());
        weight_ = 0;
        std::ranges::fill(total_, 0.0);
        pure_ = true;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows_[i] = {weight[rows[i]], label_[rows[i]]};
            weight_ += rows_[i].weight;
            total_[rows_[i].label] += rows_[i].weight;
            pure_ &= rows_[i].label == rows_[0].label;
        }
        frequent_ = static_cast<std::size_t>(std::ranges::max_element(total_) - total_.begin());
        if (total_.size() == 2) frequent_ = 1;  // two classes: the mean target is the share of the second
    }

    double weight() const { return weight_; }
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
    double place(const double* cell) const { return cell[1 + frequent_] / cell[0]; }

 protected:
    std::span<const std::int32_t> label_;
    std::vector<Row> rows_;
    std::vector<double> total_;
    std::size_t frequent_ = 0;
    bool pure_ = false;
    double weight_ = 0;
};

// H = Σ p_k (1 − p_k): gain = Σ L_k²/W_L + Σ R_k²/W_R − Σ P_k²/W. The sums of squares follow from Σ L_k² and Σ L_k P_k,
// which a row changes in constant time.
class Gini : public ClassCounts {
 public:
    struct Left {
        double weight = 0, squares = 0, cross = 0;
        std::vector<double> count;
    };
    using ClassCounts::ClassCounts;

    void open(std::span<const std::uint32_t> rows, std::span<const double> weight) {
        ClassCounts::open(rows, weight);
        squares_ = 0;
        for (const double total : total_) squares_ += total * total;
    }
    double mass() const { return pure_ ? 0 : std::max(weight_ - squares_ / weight_, 0.0); }

    Left nothing() const { return {0, 0, 0, std::vector<double>(total_.size())}; }
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
        left.squares += w * (2 * left.count[k] + w);
        left.cross += w * total_[k];
        left.count[k] += w;
        left.weight += w;
    }
    double numerator(const Left& left) const {
        const double right_squares = squares_ - 2 * left.cross + left.squares;
        return left.squares * (weight_ - left.weight) + right_squares * left.weight;
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

    void open(std::span<const std::uint32_t> rows, std::span<const double> weight) {
        ClassCounts::open(rows, weight);
        order_ = 0;
        for (const double total : total_) order_ += x_log_share(total, weight_);
    }
    double mass() const { return pure_ ? 0 : std::max(-order_, 0.0); }

    Left nothing() const { return {0, std::vector<double>(total_.size())}; }
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
    static double x_log_share(double x, double all) { return x > 0 ? x * elementary::log2(x / all) : 0; }

    double order_ = 0;
};

}  // namespace glasswood

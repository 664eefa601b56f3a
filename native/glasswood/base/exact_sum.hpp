// ExactSum: sums of floats that do not depend on the order of the numbers, nor on how they were cut into pieces.
//
// The largest absolute value comes first; it decides the unit, a power of two. Every number is then rounded to whole
// units, 62 bits for the largest, and added as an integer of 128 bits. Sums of pieces are merged by adding them up. The
// rounding is below that of a float64 running sum.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::base {

__extension__ using Int128 = __int128;

// A unit of fixed-point numbers: 2^exponent.
struct Unit {
    int exponent;
    double size;  // 2^exponent
    double per;   // 2^-exponent: numbers times this are in units

    // The unit in which numbers up to `largest` have at most `bits` bits. Numbers below 2^-1021 units do not exist.
    static Unit of(double largest, int bits);
    // The unit 2^exponent, or the nearest that has an inverse.
    static Unit of_exponent(int exponent);

    std::int64_t whole(double x) const { return std::llrint(x * per); }
};

class ExactSum {
 public:
    // No number may be larger than `largest` in size; all must be finite.
    explicit ExactSum(double largest) : unit_(Unit::of(largest, 62)) {}

    void add(double x) { sum_ += unit_.whole(x); }
    void merge(Int128 other) { sum_ += other; }  // state of another sum with the same largest number

    Int128 state() const { return sum_; }
    const Unit& unit() const { return unit_; }
    double value() const { return static_cast<double>(sum_) * unit_.size; }

 private:
    Unit unit_;
    Int128 sum_ = 0;
};

// Sum of the values; infinities and NaN give what they give in float64 (∞ − ∞ is NaN).
double exact_sum(std::span<const double> values);

// Σ w x / Σ w, between the smallest and the largest x; an empty `weight` means 1. Rows without weight do not count,
// whatever their value; NaN where no row counts.
double exact_mean(std::span<const double> values, std::span<const double> weight);

// What decides the units of a mean, and where it lies. Machines that share rows merge these before they add up.
struct ValueRange {
    double lowest;  // of values of rows that count; infinite where none does
    double highest;
    double largest = 0.0;   // size of weight times value
    double heaviest = 0.0;  // weight
    std::size_t n = 0;      // rows that count
    bool finite = true;
    double infinite_sum = 0.0;  // of the products that are not finite
};
ValueRange value_range(std::span<const double> values, std::span<const double> weight);

// Sum of weight times value in whole units; an empty `weight` means 1. All products must be finite.
Int128 whole_sum(std::span<const double> values, std::span<const double> weight, const Unit& unit);

// Sum of the values of each group, 0 <= group < n_groups.
std::vector<double> exact_group_sums(std::span<const std::int64_t> group, std::span<const double> values,
                                     std::size_t n_groups);

// Finite numbers in whole units; their sizes together have at most 62 bits, so 64-bit sums of any of them are exact.
struct FixedNumbers {
    std::vector<std::int64_t> whole;
    Unit unit;
};
// The unit for numbers whose sizes sum to `total`.
Unit weight_unit(double total);
FixedNumbers fixed_numbers(std::span<const double> values);

// What merges into the probability below: pairs of a positive and a negative row in the right order, counted twice
// (ties once), and the weight of the negative and of the positive rows.
struct ScorePairs {
    Int128 twice = 0;
    std::int64_t below = 0;
    std::int64_t above = 0;
};
ScorePairs score_pairs(std::span<const double> score, std::span<const std::uint8_t> positive,
                       std::span<const std::int64_t> whole);

// Probability that a row of class 1 scores above one of class 0, ties counted half; NaN where a class is without
// weight.
double exact_auc(std::span<const double> score, std::span<const std::uint8_t> positive, std::span<const double> weight);

}  // namespace glasswood::base

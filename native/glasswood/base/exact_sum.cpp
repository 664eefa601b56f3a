#include "glasswood/base/exact_sum.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace glasswood::base {
namespace {

double largest_size(std::span<const double> values) {
    double largest = 0.0;
    for (const double x : values) largest = std::max(largest, std::fabs(x));
    return largest;
}

bool all_finite(std::span<const double> values) {
    bool finite = true;
    for (const double x : values) finite &= std::fabs(x) <= std::numeric_limits<double>::max();
    return finite;
}

// The sum where some values are not finite: the order of such sums never matters.
double sum_of_infinite(std::span<const double> values) {
    double sum = 0.0;
    for (const double x : values) sum += std::isfinite(x) ? 0.0 : x;
    return sum;
}

}  // namespace

Unit Unit::of_exponent(int exponent) {
    exponent = std::clamp(exponent, -1021, 1021);
    return {exponent, std::ldexp(1.0, exponent), std::ldexp(1.0, -exponent)};
}

Unit Unit::of(double largest, int bits) {
    if (!(largest > 0.0)) return of_exponent(0);
    int exponent = 0;
    (void)std::frexp(largest, &exponent);
    return of_exponent(exponent - bits);
}

double exact_sum(std::span<const double> values) {
    if (!all_finite(values)) return sum_of_infinite(values);
    ExactSum sum(largest_size(values));
    for (const double x : values) sum.add(x);
    return sum.value();
}

ValueRange value_range(std::span<const double> values, std::span<const double> weight) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    ValueRange range{.lowest = infinity, .highest = -infinity};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double w = weight.empty() ? 1.0 : weight[i];
        if (w == 0.0) continue;
        const double product = w * values[i];
        range.lowest = std::min(range.lowest, values[i]);
        range.highest = std::max(range.highest, values[i]);
        range.largest = std::max(range.largest, std::fabs(product));
        range.heaviest = std::max(range.heaviest, std::fabs(w));
        if (!(std::fabs(product) <= std::numeric_limits<double>::max())) {
            range.finite = false;
            range.infinite_sum += product;
        }
        ++range.n;
    }
    return range;
}

Int128 whole_sum(std::span<const double> values, std::span<const double> weight, const Unit& unit) {
    Int128 sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double w = weight.empty() ? 1.0 : weight[i];
        if (w != 0.0) sum += unit.whole(w * values[i]);
    }
    return sum;
}

double exact_mean(std::span<const double> values, std::span<const double> weight) {
    const ValueRange range = value_range(values, weight);
    if (range.n == 0) return std::numeric_limits<double>::quiet_NaN();
    if (!range.finite) return range.infinite_sum;
    const Unit unit = Unit::of(range.largest, 62), unit_of_weight = Unit::of(range.heaviest, 62);
    const Int128 sum = whole_sum(values, weight, unit);
    const Int128 total = weight.empty() ? Int128{unit_of_weight.whole(1.0)} * static_cast<Int128>(values.size())
                                        : whole_sum(weight, {}, unit_of_weight);
    // The quotient first: the sum itself may be beyond all numbers.
    const double mean =
        std::ldexp(static_cast<double>(sum) / static_cast<double>(total), unit.exponent - unit_of_weight.exponent);
    return std::clamp(mean, range.lowest, range.highest);
}

std::vector<double> exact_group_sums(std::span<const std::int64_t> group, std::span<const double> values,
                                     std::size_t n_groups) {
    const Unit unit = Unit::of(largest_size(values), 62);
    std::vector<Int128> sums(n_groups, 0);
    for (std::size_t i = 0; i < values.size(); ++i) sums[static_cast<std::size_t>(group[i])] += unit.whole(values[i]);
    std::vector<double> out(n_groups);
    std::ranges::transform(sums, out.begin(), [&](Int128 sum) { return static_cast<double>(sum) * unit.size; });
    return out;
}

// A sum beyond all numbers has the largest unit.
Unit weight_unit(double total) { return std::isinf(total) ? Unit::of_exponent(1021) : Unit::of(total, 61); }

FixedNumbers fixed_numbers(std::span<const double> values) {
    ExactSum sizes(largest_size(values));
    for (const double x : values) sizes.add(std::fabs(x));
    FixedNumbers fixed{std::vector<std::int64_t>(values.size()), weight_unit(sizes.value())};
    std::ranges::transform(values, fixed.whole.begin(), [&](double x) { return fixed.unit.whole(x); });
    return fixed;
}

ScorePairs score_pairs(std::span<const double> score, std::span<const std::uint8_t> positive,
                       std::span<const std::int64_t> whole) {
    const auto w = [&](std::size_t i) { return whole.empty() ? std::int64_t{1} : whole[i]; };
    std::vector<std::size_t> order(score.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
    ScorePairs pairs;
    for (std::size_t i = 0; i < order.size();) {
        std::int64_t up = 0, down = 0;
        const double level = score[order[i]];
        for (; i < order.size() && score[order[i]] == level; ++i) (positive[order[i]] != 0 ? up : down) += w(order[i]);
        pairs.twice += Int128{up} * (Int128{2} * pairs.below + down);
        pairs.below += down;
        pairs.above += up;
    }
    return pairs;
}

double exact_auc(std::span<const double> score, std::span<const std::uint8_t> positive,
                 std::span<const double> weight) {
    const FixedNumbers fixed = fixed_numbers(weight);
    const ScorePairs pairs = score_pairs(score, positive, fixed.whole);
    const Int128 all = Int128{pairs.below} * pairs.above;
    if (all == 0) return std::numeric_limits<double>::quiet_NaN();
    return 0.5 * (static_cast<double>(pairs.twice) / static_cast<double>(all));
}

}  // namespace glasswood::base

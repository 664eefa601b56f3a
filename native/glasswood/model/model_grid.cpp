#include "glasswood/model/model_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "glasswood/table/encoder.hpp"

namespace glasswood::model {
namespace {

// The distinct thresholds of one feature, found by hashing: trees ask for the same few again and again, and only the
// distinct ones need to be sorted.
class Distinct {
 public:
    // Room for `n` thresholds, forgetting all before.
    void open(std::size_t n) {
        const std::size_t size = std::bit_ceil(2 * n + 1);
        slots_.assign(size, empty);
        shift_ = 64 - std::countr_zero(size);
        values_.clear();
    }

    // Number of the threshold among the distinct ones, in the order of their first coming.
    std::int32_t add(double threshold) {
        const double value = threshold == 0.0 ? 0.0 : threshold;  // -0 and 0 are one threshold
        std::size_t at = (std::bit_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15U) >> shift_;
        for (; slots_[at] != empty; at = (at + 1) & (slots_.size() - 1)) {
            if (values_[slots_[at]] == value) return slots_[at];
        }
        slots_[at] = static_cast<std::int32_t>(values_.size());
        values_.push_back(value);
        return slots_[at];
    }

    // Appends the thresholds in ascending order; `place` of each number is where it went, counted from 0.
    void sort(std::vector<double>& out, std::vector<std::int32_t>& place) {
        order_.resize(values_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = {values_[i], static_cast<std::int32_t>(i)};
        std::ranges::sort(order_, {}, &Numbered::value);
        place.resize(order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) {
            place[order_[i].number] = static_cast<std::int32_t>(i);
            out.push_back(order_[i].value);
        }
    }

 private:
    static constexpr std::int32_t empty = -1;
    struct Numbered {
        double value;
        std::int32_t number;
    };
    std::vector<std::int32_t> slots_;
    std::vector<double> values_;
    std::vector<Numbered> order_;
    int shift_ = 0;
};

}  // namespace

table::Grid make_grid(const Ensemble& ensemble, std::size_t first_tree, std::size_t last_tree,
                      std::vector<std::int32_t>* place) {
    const std::size_t n_features = ensemble.n_features();
    const auto first = static_cast<std::size_t>(ensemble.tree_start[first_tree]);
    const auto last = static_cast<std::size_t>(ensemble.tree_start[last_tree]);
    const auto has_threshold = [&](std::size_t node) {
        return !ensemble.is_leaf(node) && !ensemble.is_category_split(node);
    };

    std::vector<std::int64_t> at(n_features + 1, 0);
    for (std::size_t node = first; node < last; ++node) {
        if (has_threshold(node)) ++at[ensemble.feature[node] + 1];
    }
    for (std::size_t f = 0; f < n_features; ++f) at[f + 1] += at[f];
    std::vector<std::int64_t> next(at.begin(), at.end() - 1);
    std::vector<std::int32_t> nodes(at[n_features]);  // by feature
    for (std::size_t node = first; node < last; ++node) {
        if (has_threshold(node)) nodes[next[ensemble.feature[node]]++] = static_cast<std::int32_t>(node);
    }

    table::Grid grid;
    grid.start.reserve(n_features + 1);
    grid.start.push_back(0);
    Distinct distinct;
    std::vector<std::int32_t> numbers, places;
    for (std::size_t f = 0; f < n_features; ++f) {
        const std::span<const std::int32_t> its(nodes.data() + at[f], static_cast<std::size_t>(at[f + 1] - at[f]));
        distinct.open(its.size());
        numbers.clear();
        const bool joins_zero = place != nullptr && ensemble.zero_is_missing[f] != 0;
        for (const std::int32_t node : its) {
            const double threshold = ensemble.threshold[node];
            numbers.push_back(distinct.add(joins_zero && std::fabs(threshold) <= table::zero_reach ? 0.0 : threshold));
        }
        distinct.sort(grid.thresholds, places);
        for (std::size_t i = 0; place != nullptr && i < its.size(); ++i) (*place)[its[i]] = places[numbers[i]];
        grid.start.push_back(static_cast<std::int64_t>(grid.thresholds.size()));
    }
    return grid;
}

}  // namespace glasswood::model

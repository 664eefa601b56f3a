#include "glasswood/model/model_thresholds.hpp"

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
    // Makes space for `n` thresholds and forgets all before.
    void prepare(std::size_t n) {
        const std::size_t size = std::bit_ceil(2 * n + 1);
        slots_.assign(size, empty);
        shift_ = 64 - std::countr_zero(size);
        values_.clear();
    }

    // Number of the threshold among the distinct ones, in the order in which they first came.
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

    // Appends the thresholds in ascending order; `rank` of each number is its position there, from 0.
    void sort(std::vector<double>& out, std::vector<std::int32_t>& rank) {
        order_.resize(values_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = {values_[i], static_cast<std::int32_t>(i)};
        std::ranges::sort(order_, {}, &Numbered::value);
        rank.resize(order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) {
            rank[order_[i].number] = static_cast<std::int32_t>(i);
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
                      std::vector<std::int32_t>* rank) {
    const std::size_t n_features = ensemble.n_features();
    const auto first = static_cast<std::size_t>(ensemble.tree_start[first_tree]);
    const auto last = static_cast<std::size_t>(ensemble.tree_start[last_tree]);
    const auto has_threshold = [&](std::size_t node) {
        return !ensemble.is_leaf(node) && !ensemble.is_category_split(node);
    };

    std::vector<std::int64_t> start(n_features + 1, 0);
    for (std::size_t node = first; node < last; ++node) {
        if (has_threshold(node)) ++start[ensemble.feature[node] + 1];
    }
    for (std::size_t f = 0; f < n_features; ++f) start[f + 1] += start[f];
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    std::vector<std::int32_t> nodes(start[n_features]);  // by feature
    for (std::size_t node = first; node < last; ++node) {
        if (has_threshold(node)) nodes[next[ensemble.feature[node]]++] = static_cast<std::int32_t>(node);
    }

    table::Grid grid;
    grid.start.reserve(n_features + 1);
    grid.start.push_back(0);
    Distinct distinct;
    std::vector<std::int32_t> numbers, ranks;
    for (std::size_t f = 0; f < n_features; ++f) {
        const std::span<const std::int32_t> feature_nodes(nodes.data() + start[f],
                                                          static_cast<std::size_t>(start[f + 1] - start[f]));
        distinct.prepare(feature_nodes.size());
        numbers.clear();
        const bool joins_zero = rank != nullptr && ensemble.zero_is_missing[f] != 0;
        for (const std::int32_t node : feature_nodes) {
            const double threshold = ensemble.threshold[node];
            numbers.push_back(distinct.add(joins_zero && std::fabs(threshold) <= table::zero_reach ? 0.0 : threshold));
        }
        distinct.sort(grid.thresholds, ranks);
        for (std::size_t i = 0; rank != nullptr && i < feature_nodes.size(); ++i)
            (*rank)[feature_nodes[i]] = ranks[numbers[i]];
        grid.start.push_back(static_cast<std::int64_t>(grid.thresholds.size()));
    }
    return grid;
}

}  // namespace glasswood::model

#include "glasswood/boosting/split_candidates.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "glasswood/boosting/level_formula.hpp"

namespace glasswood::boosting {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

// Levels that hold rows, ascending, and the means they are ordered by: those of their Newton residual −G/H; units do
// not change the order. A mean that is not credible is noise, and a sort by it would turn noise into gain: such levels
// take their common mean and keep their own order. `level` and `mean` have room for all bins; `mean` is by bin.
std::span<std::uint32_t> set_means(const Sums* cells, std::size_t n_bins, const ScanTask& task, std::uint32_t* level,
                                   double* mean) {
    std::size_t n = 0;
    for (std::size_t b = 0; b < n_bins; ++b) {
        level[n] = static_cast<std::uint32_t>(b);
        n += cells[b].weight != 0 ? 1 : 0;
    }
    const std::span levels(level, n);
    const auto numbers = [&](std::size_t k) { return in_numbers(cells[levels[k]], task.unit); };
    const double needed = (1 - tie) * even_weight(numbers, n, task.rows_per_weight, task.rows_per_level);
    const auto is_credible = [&](std::uint32_t bin) {
        return static_cast<double>(cells[bin].hess) * task.unit.hess >= needed;
    };
    Sums others{};
    for (const std::uint32_t bin : levels) others = is_credible(bin) ? others : plus(others, cells[bin]);
    for (const std::uint32_t bin : levels) {
        const Sums& sums = is_credible(bin) ? cells[bin] : others;
        mean[bin] = -static_cast<double>(sums.grad) / static_cast<double>(sums.hess);
    }
    return levels;
}

// Levels in an order; places that fit no level are not used.
struct LevelOrder {
    std::size_t n = 0;
    std::array<std::uint32_t, max_bins> level;
};

LevelOrder order_of_levels(const Sums* cells, std::size_t n_bins, const ScanTask& task) {
    LevelOrder order;
    std::array<double, max_bins> mean;
    const std::span levels = set_means(cells, n_bins, task, order.level.data(), mean.data());
    std::ranges::sort(levels,
                      [&](std::uint32_t a, std::uint32_t b) { return mean[a] != mean[b] ? mean[a] < mean[b] : a < b; });
    order.n = levels.size();
    return order;
}

// Cuts that leave a child fewer rows than it must have are none.
void keep_full(const LevelList& list, const ScanTask& task, bool missing_left, std::span<double> gains) {
    const std::int64_t n_missing = list.missing.weight != 0 ? list.n_rows.back() : 0;
    const auto n_known = std::accumulate(list.n_rows.begin(), list.n_rows.end() - 1, std::int64_t{0});
    std::int64_t left = missing_left ? n_missing : 0;
    for (std::size_t k = 0; k < gains.size(); ++k) {
        left += list.n_rows[k];
        if (left < task.min_rows || n_known + n_missing - left < task.min_rows) gains[k] = none;
    }
}

// Best cut of a category's levels, in the order of their means.
Candidate best_of_levels(const Sums* cells, std::size_t n_bins, const Sums* missing, const ScanTask& task,
                         const BoostKernels& kernels) {
    const LevelOrder order = order_of_levels(cells, n_bins, task);
    std::array<Sums, max_bins> ordered;
    for (std::size_t k = 0; k < order.n; ++k) ordered[k] = cells[order.level[k]];
    if (task.rows == nullptr) return kernels.scan(ordered.data(), order.n, missing, task);
    std::array<std::int64_t, max_bins + 1> rows;
    for (std::size_t k = 0; k < order.n; ++k) rows[k] = task.rows[order.level[k]];
    rows[order.n] = task.rows[n_bins];
    ScanTask own = task;
    own.rows = rows.data();
    return kernels.scan(ordered.data(), order.n, missing, own);
}

}  // namespace

void put_in_order(LevelList& list, const ScanTask& task) {
    std::vector<std::uint32_t> place(list.level.size());
    std::vector<double> mean(list.level.size());
    // means stand beside their levels: looking them up is what takes most of the time to sort thousands of levels
    std::vector<std::pair<double, std::uint32_t>> order;
    order.reserve(place.size());
    for (const std::uint32_t at : set_means(list.sums.data(), place.size(), task, place.data(), mean.data())) {
        order.emplace_back(mean[at], at);
    }
    if (!std::ranges::is_sorted(order)) std::ranges::sort(order);  // they are where no mean is credible
    LevelList sorted;
    sorted.level.reserve(order.size());
    sorted.sums.reserve(order.size());
    sorted.n_rows.reserve(order.size() + 1);
    for (const auto& [_, at] : order) {
        sorted.level.push_back(list.level[at]);
        sorted.sums.push_back(list.sums[at]);
        sorted.n_rows.push_back(list.n_rows[at]);
    }
    sorted.n_rows.push_back(list.n_rows.back());
    sorted.missing = list.missing;
    list = std::move(sorted);
}

void set_gains(const LevelList& list, bool missing_left, const ScanTask& task, const BoostKernels& kernels,
               std::vector<double>& gains) {
    const std::size_t n = list.sums.size();
    gains.resize(n);
    Sums left = missing_left ? list.missing : Sums{};
    for (std::size_t first = 0; first < n; first += max_bins) {
        const std::size_t last = std::min(first + max_bins, n);
        kernels.gains(list.sums.data() + first, last - first, left, task, gains.data() + first);
        for (std::size_t k = first; last < n && k < last; ++k) left = plus(left, list.sums[k]);
    }
    if (task.rows != nullptr) keep_full(list, task, missing_left, gains);
}

std::ptrdiff_t take_best(std::span<const double> gains, bool missing_left, Candidate& found) {
    double best = none;
    for (const double gain : gains) best = gain > best ? gain : best;
    if (best == none || !(best - found.gain > tie * best)) return -1;
    const double enough = best - tie * std::max(best, 0.0);
    const auto cut = std::ranges::find_if(gains, [&](double gain) { return gain >= enough; }) - gains.begin();
    found = {best, static_cast<std::int32_t>(cut), missing_left, {}};
    return cut;
}

std::vector<std::uint32_t> bins_in_order(const Sums* cells, std::size_t n_bins, const ScanTask& task) {
    const LevelOrder order = order_of_levels(cells, n_bins, task);
    return {order.level.begin(), order.level.begin() + static_cast<std::ptrdiff_t>(order.n)};
}

namespace {

// Takes the best cut, the first of those that tie, if it is better than what was found: the rule of the scan of bins,
// which holds all its cuts at once.
void consider(const LevelList& list, bool missing_left, bool last_counts, const ScanTask& task,
              const BoostKernels& kernels, Candidate& found) {
    std::vector<double> gains;  // of the cut after each level
    set_gains(list, missing_left, task, kernels, gains);
    if (!gains.empty() && !last_counts) gains.back() = none;
    const std::ptrdiff_t cut = take_best(gains, missing_left, found);
    if (cut < 0) return;
    found.left = std::accumulate(list.sums.begin(), list.sums.begin() + cut + 1, missing_left ? list.missing : Sums{},
                                 [](const Sums& a, const Sums& b) { return plus(a, b); });
}

}  // namespace

Candidate best_of_feature(const BinnedFeatures& features, std::size_t feature, const Sums* cells, const ScanTask& task,
                          const BoostKernels& kernels) {
    const std::size_t n_bins = features.n_bins[feature];
    const Sums* missing = cells + n_bins;
    if (features.is_category[feature] == 0) {
        ScanTask own = task;
        own.monotone = features.monotone[feature];
        return kernels.scan(cells, n_bins, missing, own);
    }
    return best_of_levels(cells, n_bins, missing, task, kernels);
}

Candidate best_of_list(const BinnedFeatures& features, std::size_t feature, const CellList& list, const ScanTask& task,
                       const BoostKernels& kernels) {
    if (features.is_category[feature] == 0) {
        ScanTask own = task;
        own.monotone = features.monotone[feature];
        Candidate found = kernels.scan(list.sums, list.n, &list.missing, own);
        if (found.bin >= 0) found.bin = list.bin[found.bin];
        return found;
    }
    return best_of_levels(list.sums, list.n, &list.missing, task, kernels);
}

Candidate best_of_wide(LevelList& list, const ScanTask& task, const BoostKernels& kernels) {
    put_in_order(list, task);
    const bool any_missing = list.missing.weight != 0;
    Candidate found = no_candidate;
    consider(list, false, any_missing, task, kernels, found);
    if (any_missing) consider(list, true, false, task, kernels, found);
    return found;
}

std::ptrdiff_t best_of(std::span<const Candidate> candidates, double min_gain) {
    double best = none;
    for (const Candidate& c : candidates) best = c.gain > best ? c.gain : best;
    if (!(best > min_gain)) return -1;
    const auto ties = [&](const Candidate& c) { return c.gain > min_gain && c.gain >= best - tie * best; };
    return std::find_if(candidates.begin(), candidates.end(), ties) - candidates.begin();
}

Split make_split(const BinnedFeatures& features, std::size_t feature, const Candidate& candidate, const Sums* cells,
                 const ScanTask& task) {
    const std::size_t n_bins = features.n_bins[feature];
    const bool heavier_left = 2 * candidate.left.weight >= task.total.weight;
    const bool any_missing = cells[n_bins].weight != 0;
    Split split{};
    split.gain = candidate.gain;
    split.feature = static_cast<std::uint32_t>(feature);
    split.bin = candidate.bin;
    split.missing_left = any_missing ? candidate.missing_left : heavier_left;
    split.left = candidate.left;
    if (features.is_category[feature] != 0) {
        split.unseen_left = heavier_left;
        split.left_set.fill(heavier_left ? ~std::uint64_t{0} : 0);
        const LevelOrder order = order_of_levels(cells, n_bins, task);
        for (std::size_t k = 0; k < order.n; ++k) {
            put(split.left_set, order.level[k], static_cast<std::int32_t>(k) <= candidate.bin);
        }
    } else {
        split.left_set = first_bins(static_cast<std::size_t>(candidate.bin) + 1);
    }
    put(split.left_set, n_bins, split.missing_left);
    return split;
}

Split make_wide_split(std::size_t feature, std::uint32_t column, std::size_t n_levels, const Candidate& candidate,
                      const LevelList& list, const ScanTask& task) {
    const bool heavier_left = 2 * candidate.left.weight >= task.total.weight;
    const bool any_missing = list.missing.weight != 0;
    Split split{};
    split.gain = candidate.gain;
    split.feature = static_cast<std::uint32_t>(feature);
    split.bin = candidate.bin;
    split.missing_left = any_missing ? candidate.missing_left : heavier_left;
    split.unseen_left = heavier_left;
    split.left = candidate.left;
    split.wide.column = column;
    split.wide.resize(n_levels + 2, heavier_left);
    for (std::size_t k = 0; k < list.level.size(); ++k) {
        split.wide.set(list.level[k], static_cast<std::int32_t>(k) <= candidate.bin);
    }
    split.wide.set(n_levels, split.missing_left);
    return split;
}

}  // namespace glasswood::boosting

#include "glasswood/boosting/split_candidates.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace glasswood::boosting {
namespace {

// Bühlmann's constant: the weight at which a level's mean is worth as much as that of all levels, the variance within
// levels over the variance between them. Infinite where levels differ by no more than their noise.
double even_weight(const Sums* cells, std::span<const std::uint32_t> levels, const ScanTask& task) {
    NodeSums all{};
    double explained = 0.0;
    double squared_weights = 0.0;
    for (const std::uint32_t bin : levels) {
        const NodeSums level = in_numbers(cells[bin], task.unit);
        all.grad += level.grad;
        all.square += level.square;
        all.hess += level.hess;
        all.weight += level.weight;
        explained += level.grad * level.grad / level.hess;
        squared_weights += level.hess * level.hess;
    }
    const auto n_levels = static_cast<double>(levels.size());
    const double n_rows = all.weight * task.rows_per_weight;
    if (!(n_rows > (1 + tie) * n_levels)) return std::numeric_limits<double>::infinity();
    const double within = std::max(all.square - explained, 0.0) / (n_rows - n_levels);
    const double beyond_noise = explained - all.grad * all.grad / all.hess - (n_levels - 1) * within;
    if (!(beyond_noise > tie * all.square)) return std::numeric_limits<double>::infinity();
    const double between = beyond_noise / (all.hess - squared_weights / all.hess);
    return within / between;
}

// Levels in an order; places that fit no level are not used.
struct LevelOrder {
    std::size_t n = 0;
    std::array<std::uint32_t, most_bins> level;

    std::span<const std::uint32_t> all() const { return std::span(level).first(n); }
};

// Levels that hold rows, by the mean of their Newton residual −G/H; units do not change the order. A mean that is not
// credible is noise, and a sort by it would turn noise into gain: such levels take their common mean and keep their
// own order.
LevelOrder order_of_levels(const Sums* cells, std::size_t n_bins, const ScanTask& task) {
    LevelOrder order;
    for (std::size_t b = 0; b < n_bins; ++b) {
        order.level[order.n] = static_cast<std::uint32_t>(b);
        order.n += cells[b].weight != 0 ? 1 : 0;
    }
    const double needed = (1 - tie) * even_weight(cells, order.all(), task);
    const auto is_credible = [&](std::uint32_t bin) {
        return static_cast<double>(cells[bin].hess) * task.unit.hess >= needed;
    };
    Sums others{};
    for (const std::uint32_t bin : order.all()) others = is_credible(bin) ? others : plus(others, cells[bin]);
    std::array<double, most_bins> mean;
    for (const std::uint32_t bin : order.all()) {
        const Sums& sums = is_credible(bin) ? cells[bin] : others;
        mean[bin] = -static_cast<double>(sums.grad) / static_cast<double>(sums.hess);
    }
    std::sort(order.level.begin(), order.level.begin() + static_cast<std::ptrdiff_t>(order.n),
              [&](std::uint32_t a, std::uint32_t b) { return mean[a] != mean[b] ? mean[a] < mean[b] : a < b; });
    return order;
}

// Best cut of a category's levels, in the order of their means.
Candidate best_of_levels(const Sums* cells, std::size_t n_bins, const Sums* missing, const ScanTask& task,
                         const BoostKernels& kernels) {
    const LevelOrder order = order_of_levels(cells, n_bins, task);
    std::array<Sums, most_bins> ordered;
    for (std::size_t k = 0; k < order.n; ++k) ordered[k] = cells[order.level[k]];
    if (task.rows == nullptr) return kernels.scan(ordered.data(), order.n, missing, task);
    std::array<std::int64_t, most_bins + 1> rows;
    for (std::size_t k = 0; k < order.n; ++k) rows[k] = task.rows[order.level[k]];
    rows[order.n] = task.rows[n_bins];
    ScanTask own = task;
    own.rows = rows.data();
    return kernels.scan(ordered.data(), order.n, missing, own);
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

std::ptrdiff_t best_of(std::span<const Candidate> candidates, double min_gain) {
    double best = -std::numeric_limits<double>::infinity();
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
        split.route.fill(heavier_left ? 1 : 0);
        const LevelOrder order = order_of_levels(cells, n_bins, task);
        for (std::size_t k = 0; k < order.n; ++k) {
            split.route[order.level[k]] = static_cast<std::int32_t>(k) <= candidate.bin ? 1 : 0;
        }
    } else {
        std::fill_n(split.route.begin(), candidate.bin + 1, std::uint8_t{1});
    }
    split.route[n_bins] = split.missing_left ? 1 : 0;
    return split;
}

}  // namespace glasswood::boosting

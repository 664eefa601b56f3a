#include "glasswood/candidates.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace glasswood::boosting {
namespace {

// Levels that hold rows, by the mean of their Newton residual −G/H; units do not change the order.
std::vector<std::uint32_t> order_of_levels(const Sums* cells, std::size_t n_bins) {
    std::vector<std::uint32_t> order;
    std::vector<double> mean(n_bins);
    for (std::size_t b = 0; b < n_bins; ++b) {
        if (cells[b].weight == 0) continue;
        order.push_back(static_cast<std::uint32_t>(b));
        mean[b] = -static_cast<double>(cells[b].grad) / static_cast<double>(cells[b].hess);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return mean[a] < mean[b]; });
    return order;
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
    std::vector<Sums> ordered;
    for (const std::uint32_t bin : order_of_levels(cells, n_bins)) ordered.push_back(cells[bin]);
    return kernels.scan(ordered.data(), ordered.size(), missing, task);
}

std::ptrdiff_t best_of(std::span<const Candidate> candidates, double min_gain) {
    double best = -std::numeric_limits<double>::infinity();
    for (const Candidate& c : candidates) best = c.gain > best ? c.gain : best;
    if (!(best > min_gain)) return -1;
    const auto ties = [&](const Candidate& c) { return c.gain > min_gain && c.gain >= best - tie * best; };
    return std::find_if(candidates.begin(), candidates.end(), ties) - candidates.begin();
}

Split make_split(const BinnedFeatures& features, std::size_t feature, const Candidate& candidate, const Sums* cells,
                 const Sums& total) {
    const std::size_t n_bins = features.n_bins[feature];
    const bool heavier_left = 2 * candidate.left.weight >= total.weight;
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
        const auto order = order_of_levels(cells, n_bins);
        for (std::size_t k = 0; k < order.size(); ++k) {
            split.route[order[k]] = static_cast<std::int32_t>(k) <= candidate.bin ? 1 : 0;
        }
    } else {
        std::fill_n(split.route.begin(), candidate.bin + 1, std::uint8_t{1});
    }
    split.route[n_bins] = split.missing_left ? 1 : 0;
    return split;
}

}  // namespace glasswood::boosting

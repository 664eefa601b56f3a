#include "glasswood/boosting/feature_batches.hpp"

namespace glasswood::boosting {
namespace {

// Whether nothing but the sums of its cells decides about the splits of a feature.
bool is_simple(const NodeRules& rules, std::size_t feature) {
    const BinnedFeatures& features = rules.features();
    return features.is_category[feature] == 0 && features.monotone[feature] == 0 && features.together.empty() &&
           !rules.counts_rows();
}

}  // namespace

void FeatureBatches::lay_out(const Histograms& histograms, const NodeRules& rules) {
    const std::size_t n = histograms.n_features();
    cells_.assign(n, OtherCells{});
    end_.resize(n);
    for (std::size_t at = 0; at < n; ++at) {
        const std::size_t k = histograms.stored(at), feature = histograms.feature(k);
        if (is_simple(rules, feature)) cells_[at] = histograms.other_cells(k);
    }
    std::size_t last = 0, n_cells = 0;
    for (std::size_t at = 0; at < n; ++at) {
        if (last < at) last = at, n_cells = 0;
        for (; last < n && cells_[last].n > 0 && n_cells + cells_[last].n <= max_bins; ++last)
            n_cells += cells_[last].n;
        end_[at] = static_cast<std::uint32_t>(last);
        if (last > at) n_cells -= cells_[at].n;
    }
}

}  // namespace glasswood::boosting

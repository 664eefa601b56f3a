#include "glasswood/explain/effects.hpp"

#include "glasswood/explain/cell_table_sums.hpp"

namespace glasswood::explain {

std::vector<double> mean_raw(const model::Ensemble& e, const Paths& paths, const LeafShares& shares) {
    std::vector<double> mean(e.baseline.begin(), e.baseline.end());
    for (std::size_t t = shares.first_tree; t < shares.last_tree; ++t) {
        for (std::int32_t leaf = paths.tree_leaf[t]; leaf < paths.tree_leaf[t + 1]; ++leaf) {
            const double* value = e.value.data() + paths.leaf[leaf] * e.width;
            for (std::size_t k = 0; k < e.width; ++k) mean[e.tree_output[t] + k] += value[k] * shares.none(leaf);
        }
    }
    return mean;
}

std::vector<double> effect_terms(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                                 std::span<const std::int32_t> features) {
    const std::vector<std::int64_t> start = table_starts(paths.axes, features, 1, e.n_outputs());
    std::vector<double> out(start.back(), 0.0);
    std::vector<std::int32_t> wanted(e.n_features(), -1);
    for (std::size_t i = 0; i < features.size(); ++i) wanted[features[i]] = static_cast<std::int32_t>(i);
    for (std::size_t t = shares.first_tree; t < shares.last_tree; ++t) {
        for (std::int32_t leaf = paths.tree_leaf[t]; leaf < paths.tree_leaf[t + 1]; ++leaf) {
            const double* value = e.value.data() + paths.leaf[leaf] * e.width;
            const double none = shares.none(leaf);
            std::int64_t position = 0;
            for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
                const std::int32_t f = paths.feature[side];
                if (shares.role[f] != Role::free) continue;
                const double one = shares.one(leaf, ++position);
                if (wanted[f] < 0 || one == 0.0) continue;  // W[∅] <= W[j]: nothing to add
                for (std::size_t k = 0; k < e.width; ++k) {
                    double* table = out.data() + start[wanted[f]] + (e.tree_output[t] + k) * paths.axes.size[f];
                    scatter(paths.edges(side), value[k] * one, table);
                    table[0] -= value[k] * none;
                }
            }
        }
    }
    for (std::size_t i = 0; i < features.size(); ++i) {
        const std::int64_t cells = paths.axes.size[features[i]];
        for (std::size_t o = 0; o < e.n_outputs(); ++o)
            cumulate({&cells, 1}, out.data() + start[i] + static_cast<std::int64_t>(o) * cells);
    }
    return out;
}

}  // namespace glasswood::explain

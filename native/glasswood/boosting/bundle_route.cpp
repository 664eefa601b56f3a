#include "glasswood/boosting/bundle_route.hpp"

namespace glasswood::boosting {

BinSet set_of_codes(const ColumnBundles& bundles, std::size_t feature, const BinSet& left) {
    const ColumnBundles::FeatureCodes own = bundles.codes_of(feature);
    BinSet codes{};
    for (std::size_t code = 0; code < own.bin.size(); ++code) put(codes, code, contains(left, own.bin[code]));
    return codes;
}

std::size_t send_rows(const Split& split, const BinnedRows& bins, const ColumnBundles& bundles, const WideColumns& wide,
                      std::span<std::uint32_t> rows, std::span<std::uint32_t> spare, int n_threads) {
    if (split.wide.is_used()) return partition(wide, split.wide, rows, spare, n_threads);
    if (bins.columns != nullptr) return partition(bins, split.feature, split.left_set, rows, spare, n_threads);
    return partition(bundles.rows(), bundles.place(split.feature).column,
                     set_of_codes(bundles, split.feature, split.left_set), rows, spare, n_threads);
}

GrownTree on_codes(const GrownTree& tree, const ColumnBundles& bundles) {
    GrownTree coded = tree;
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
        if (tree.is_leaf(node)) continue;
        const auto feature = static_cast<std::size_t>(tree.feature[node]);
        coded.feature[node] = static_cast<std::int32_t>(bundles.place(feature).column);
        coded.left_set[node] = set_of_codes(bundles, feature, tree.left_set[node]);
    }
    return coded;
}

}  // namespace glasswood::boosting

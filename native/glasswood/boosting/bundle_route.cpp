#include "glasswood/boosting/bundle_route.hpp"

#include <algorithm>
#include <vector>

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
    if (bundles.place(split.feature).is_listed) {
        std::vector<std::uint8_t> own;
        bundles.set_bins(split.feature, rows, own);
        std::uint32_t* right = spare.data();
        std::size_t n_left = 0, n_right = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint32_t row = rows[i];
            const auto goes_left = static_cast<std::size_t>(contains(split.left_set, own[i]));
            rows[n_left] = row;
            right[n_right] = row;
            n_left += goes_left;
            n_right += 1 - goes_left;
        }
        std::copy_n(right, n_right, rows.data() + n_left);
        return n_left;
    }
    return partition(bundles.rows(), bundles.place(split.feature).column,
                     set_of_codes(bundles, split.feature, split.left_set), rows, spare, n_threads);
}

void add_sent(const GrownTree& tree, const ColumnBundles& bundles, const WideColumns& wide,
              std::span<const std::uint32_t> rows, std::span<double> raw) {
    std::vector<std::uint32_t> sent(rows.begin(), rows.end());
    std::ranges::sort(sent);
    std::vector<std::uint32_t> spare(2 * sent.size());
    std::vector<std::span<std::uint32_t>> of_node(tree.n_nodes());
    of_node[0] = sent;
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {  // children come after their parent
        const std::span<std::uint32_t> own = of_node[node];
        if (tree.is_leaf(node)) {
            for (const std::uint32_t row : own) raw[row] += tree.value[node];
            continue;
        }
        Split split{};
        split.feature = static_cast<std::uint32_t>(tree.feature[node]);
        split.left_set = tree.left_set[node];
        if (tree.wide[node] >= 0) split.wide = tree.wide_sets[static_cast<std::size_t>(tree.wide[node])];
        const std::size_t n_left = send_rows(split, BinnedRows{}, bundles, wide, own, spare, 1);
        of_node[static_cast<std::size_t>(tree.left[node])] = own.first(n_left);
        of_node[static_cast<std::size_t>(tree.right[node])] = own.subspan(n_left);
    }
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

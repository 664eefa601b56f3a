#include "glasswood/boosting/grown_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/base/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t chunk_rows = 8192;

struct Residual {
    double value;
    std::int64_t weight;  // in whole units
};

double lower_quantile(std::vector<Residual>& residuals, bool weighted, double quantile) {
    const auto less = [](const Residual& a, const Residual& b) { return a.value < b.value; };
    if (!weighted) {
        const double wanted = std::ceil(quantile * static_cast<double>(residuals.size()) * (1.0 - 1e-15));
        const auto k = static_cast<std::ptrdiff_t>(std::max(wanted, 1.0)) - 1;
        std::nth_element(residuals.begin(), residuals.begin() + k, residuals.end(), less);
        return residuals[k].value;
    }
    std::sort(residuals.begin(), residuals.end(), less);
    std::int64_t total = 0;
    for (const Residual& r : residuals) total += r.weight;
    const double wanted = quantile * static_cast<double>(total) * (1.0 - 1e-15);  // the product may round either way
    std::int64_t below = 0;
    for (const Residual& r : residuals) {
        below += r.weight;
        if (static_cast<double>(below) >= wanted) return r.value;
    }
    return residuals.back().value;
}

template <bool any_wide>
std::size_t walk(const GrownTree& tree, const BinnedRows& bins, const WideColumns& wide, std::size_t row) {
    const std::uint8_t* own = bins.data + row * bins.stride;
    std::size_t node = 0;
    while (!tree.is_leaf(node)) {
        bool goes_left = contains(tree.left_set[node], own[tree.feature[node]]);
        if (any_wide && tree.wide[node] >= 0) {
            const WideSet& set = tree.wide_sets[tree.wide[node]];
            goes_left = set.contains(wide.column(set.column)[row]);
        }
        node = static_cast<std::size_t>(goes_left ? tree.left[node] : tree.right[node]);
    }
    return node;
}

void append(GrownTree& tree, const GrownNode& node, std::int32_t first_child) {
    const bool leaf = node.is_leaf();
    tree.feature.push_back(leaf ? -1 : static_cast<std::int32_t>(node.split.feature));
    tree.bin.push_back(leaf ? -1 : node.split.bin);
    tree.left_set.push_back(leaf ? BinSet{} : node.split.left_set);
    const bool is_wide = !leaf && node.split.wide.is_used();
    tree.wide.push_back(is_wide ? static_cast<std::int32_t>(tree.wide_sets.size()) : -1);
    if (is_wide) tree.wide_sets.push_back(node.split.wide);
    tree.left.push_back(leaf ? -1 : first_child);
    tree.right.push_back(leaf ? -1 : first_child + 1);
    tree.missing_left.push_back(!leaf && node.split.missing_left ? 1 : 0);
    tree.unseen_left.push_back(!leaf && node.split.unseen_left ? 1 : 0);
    tree.value.push_back(node.value);
    tree.weight.push_back(node.weight);
    tree.gain.push_back(leaf ? std::numeric_limits<double>::quiet_NaN() : node.split.gain);
    tree.lower.push_back(node.lower);
    tree.upper.push_back(node.upper);
    tree.begin.push_back(node.begin);
    tree.end.push_back(node.end);
}

}  // namespace

std::size_t GrownTree::n_wide_columns() const {
    std::size_t n = 0;
    for (const WideSet& set : wide_sets) n = std::max<std::size_t>(n, set.column + std::size_t{1});
    return n;
}

GrownTree finish(const std::deque<GrownNode>& nodes) {
    GrownTree tree;
    std::vector<std::size_t> order{0};
    for (std::size_t k = 0; k < order.size(); ++k) {
        const GrownNode& node = nodes[order[k]];
        append(tree, node, static_cast<std::int32_t>(order.size()));
        if (node.is_leaf()) continue;
        order.push_back(static_cast<std::size_t>(node.left));
        order.push_back(static_cast<std::size_t>(node.right));
    }
    return tree;
}

void refit_leaves(GrownTree& tree, std::span<const std::uint32_t> rows, std::span<const double> y,
                  std::span<const double> raw, std::span<const double> weight, double quantile, int n_threads) {
    const base::Unit unit = base::weight_unit(base::exact_sum(weight));
    base::parallel_for(tree.n_nodes(), n_threads, base::work_of(rows.size(), 20.0), [&](std::size_t node) {
        if (!tree.is_leaf(node)) return;
        std::vector<Residual> residuals;
        residuals.reserve(tree.end[node] - tree.begin[node]);
        for (const std::uint32_t row : rows.subspan(tree.begin[node], tree.end[node] - tree.begin[node])) {
            // + 0: of −0 and 0, which are equal, any could come first
            residuals.push_back({y[row] - raw[row] + 0.0, weight.empty() ? 1 : unit.whole(weight[row])});
        }
        if (residuals.empty()) return;
        const double found = lower_quantile(residuals, !weight.empty(), quantile);
        tree.value[node] = std::clamp(found, tree.lower[node], tree.upper[node]);
    });
}

void find_leaves(const GrownTree& tree, const BinnedRows& bins, const WideColumns& wide,
                 std::span<const std::uint32_t> rows, int n_threads, std::span<std::int64_t> out) {
    const auto leaf_of = tree.wide_sets.empty() ? &walk<false> : &walk<true>;
    base::parallel_for((rows.size() + chunk_rows - 1) / chunk_rows, n_threads, base::work_of(rows.size(), 20.0),
                       [&](std::size_t c) {
                           const std::size_t last = std::min(rows.size(), (c + 1) * chunk_rows);
                           for (std::size_t i = c * chunk_rows; i < last; ++i) {
                               out[i] = static_cast<std::int64_t>(leaf_of(tree, bins, wide, rows[i]));
                           }
                       });
}

void set_leaves(GrownTree& tree, std::span<const double> values) {
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
        if (tree.is_leaf(node) && !std::isnan(values[node])) {
            tree.value[node] = std::clamp(values[node], tree.lower[node], tree.upper[node]);
        }
    }
}

void scale_values(GrownTree& tree, double factor) {
    for (double& value : tree.value) value *= factor;
}

// Threads take ranges of rows, not leaves: the rows of a leaf are spread over the table, and threads that write side by
// side wait for each other's cache lines. The rows of a leaf ascend, so a search finds those of a range.
void add_grown(const GrownTree& tree, std::span<const std::uint32_t> rows, int n_threads, std::span<double> raw) {
    std::vector<std::size_t> leaves;
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
        if (tree.is_leaf(node)) leaves.push_back(node);
    }
    constexpr std::size_t per_search = 64;  // rows that are added while one is searched
    const std::size_t fitting = rows.size() / (per_search * leaves.size() + chunk_rows);
    const std::size_t n_ranges = n_threads > 1 ? std::clamp<std::size_t>(fitting, 1, 64) : 1;
    base::parallel_for(n_ranges, n_threads, base::work_of(rows.size(), 1.0), [&](std::size_t range) {
        for (const std::size_t leaf : leaves) {
            const std::span own = rows.subspan(tree.begin[leaf], tree.end[leaf] - tree.begin[leaf]);
            const auto place = [&](std::size_t r) {
                return r == 0          ? own.begin()
                       : r == n_ranges ? own.end()
                                       : std::lower_bound(own.begin(), own.end(), r * raw.size() / n_ranges);
            };
            for (auto row = place(range), last = place(range + 1); row != last; ++row) raw[*row] += tree.value[leaf];
        }
    });
}

void add_walking(const GrownTree& tree, const BinnedRows& bins, const WideColumns& wide,
                 std::span<const std::uint32_t> rows, int n_threads, std::span<double> raw) {
    const auto leaf_of = tree.wide_sets.empty() ? &walk<false> : &walk<true>;
    base::parallel_for((rows.size() + chunk_rows - 1) / chunk_rows, n_threads, base::work_of(rows.size(), 20.0),
                       [&](std::size_t c) {
                           const std::size_t last = std::min(rows.size(), (c + 1) * chunk_rows);
                           for (std::size_t i = c * chunk_rows; i < last; ++i) {
                               __builtin_prefetch(bins.data + rows[std::min(i + 8, last - 1)] * bins.stride);
                               raw[rows[i]] += tree.value[leaf_of(tree, bins, wide, rows[i])];
                           }
                       });
}

}  // namespace glasswood::boosting

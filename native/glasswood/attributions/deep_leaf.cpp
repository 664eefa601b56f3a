#include "glasswood/attributions/deep_leaf.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "glasswood/attributions/leaf_table.hpp"
#include "glasswood/attributions/shapley_integrals.hpp"

namespace glasswood::attributions {
namespace {

constexpr int max_subset_bits = 20;  // a table of 8 MB
constexpr std::size_t set_padding = 15;

bool has(Mask mask, std::size_t j) { return ((mask >> j) & 1) != 0; }

}  // namespace

void DeepLeaf::prepare(const MaskTable& masks, int n_features, const PatternCounts& counts, double total) {
    k_ = n_features;
    total_ = total;
    const auto k = static_cast<std::size_t>(n_features);
    const Mask all = (Mask{1} << k) - 1;
    distinct_.prepare(n_features);
    std::vector<double> found;
    for (std::size_t i = 0; i < counts.patterns.size(); ++i) {
        const std::uint32_t number = distinct_.number(all & ~masks(counts.patterns[i]));
        if (number == found.size()) found.push_back(0.0);
        found[number] += static_cast<double>(counts.weights[i]);
    }
    // sorted by how many features they have; the order within a class does not matter, sums are exact
    const std::vector<Mask>& sets = distinct_.masks();
    start_.assign(k + 2, 0);
    for (const Mask set : sets) ++start_[static_cast<std::size_t>(std::popcount(set)) + 1];
    for (std::size_t c = 0; c <= k; ++c) start_[c + 1] += start_[c];
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    set_.assign(sets.size() + set_padding, ~Mask{0});
    size_.resize(sets.size());
    weight_.resize(sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const std::size_t at = next[static_cast<std::size_t>(std::popcount(sets[i]))]++;
        set_[at] = sets[i];
        size_[at] = static_cast<std::uint8_t>(std::popcount(sets[i]));
        weight_[at] = found[i];
    }
}

void DeepLeaf::values(std::span<const Mask> masks, double* out) {
    const auto n = static_cast<double>(masks.size()), k = static_cast<double>(k_);
    const BetaTable& beta = beta_table();
    out_of_.resize(masks.size());
    const LeafMasks leaf{k_,           line_width(static_cast<std::size_t>(k_)),
                         masks.data(), masks.size(),
                         beta.data(),  beta.stride(),
                         out,          out_of_.data()};
    int max_held = 0;
    for (const Mask mask : masks) max_held = std::max(max_held, std::popcount(mask));
    double classes = 0;
    for (int c = 0; c <= max_held; ++c) classes += start_[c + 1] > start_[c] ? 1 : 0;
    // costs of the two ways, with factors that were measured: testing every set, eight at a time, or building one table
    // per set size and reading one number per mask and feature from it
    const double by_set = n * (0.25 * static_cast<double>(start_[max_held + 1]) + 4 * classes);
    const double by_sums = classes * (k * std::ldexp(1.0, static_cast<int>(k)) / 8 + n * (0.5 * k + 3));
    if (k_ > max_subset_bits || by_set <= by_sums) {
        add_by_set(leaf);
    } else {
        add_by_subset_sums(leaf, max_held);
    }
    attribution_kernels(base::cpu_level()).finish(leaf, total_);
}

void DeepLeaf::add_by_set(const LeafMasks& leaf) {
    lines_.assign(size_.size() * leaf.width, 0.0);
    for (std::size_t i = 0; i < size_.size(); ++i) {
        double* line = lines_.data() + i * leaf.width;
        for (Mask left = set_[i]; left != 0; left &= left - 1) line[std::countr_zero(left)] = weight_[i];
    }
    const bool are_short = k_ <= 32;
    if (are_short) short_.assign(set_.begin(), set_.end());
    attribution_kernels(base::cpu_level())
        .add_sets(leaf, {start_.data(), set_.data(), are_short ? short_.data() : nullptr, size_.data(), weight_.data(),
                         lines_.data()});
}

void DeepLeaf::add_by_subset_sums(const LeafMasks& leaf, int max_held) {
    const AttributionKernels& kernels = attribution_kernels(base::cpu_level());
    std::fill_n(leaf.lines, leaf.n_masks * leaf.width, 0.0);
    std::ranges::fill(out_of_, 0.0);
    for (int s = 0; s <= max_held; ++s) {
        if (start_[s] == start_[s + 1]) continue;
        table_.assign(std::size_t{1} << k_, 0.0);
        for (std::size_t i = start_[s]; i < start_[s + 1]; ++i) table_[set_[i]] = weight_[i];
        kernels.sum_subsets(table_.data(), k_);
        kernels.add_class(leaf, table_.data(), s);
    }
}

void DeepLeaf::pairs(std::span<const Mask> masks, double* out) {
    const auto k = static_cast<std::size_t>(k_), n = n_pairs(k);
    const BetaTable& beta = beta_table();
    std::vector<double> both(n), one(k);
    std::vector<std::size_t> members;
    for (std::size_t m = 0; m < masks.size(); ++m) {
        const Mask mask = masks[m];
        const int held = std::popcount(mask), failed = k_ - held;
        double* line = out + m * n;
        std::fill_n(line, n, 0.0);
        for (int s = 0; s <= held; ++s) {
            std::ranges::fill(both, 0.0);
            std::ranges::fill(one, 0.0);
            double none = 0;
            for (std::size_t i = start_[s]; i < start_[s + 1]; ++i) {
                if ((set_[i] & ~mask) != 0) continue;
                members.clear();
                for (Mask left = set_[i]; left != 0; left &= left - 1)
                    members.push_back(static_cast<std::size_t>(std::countr_zero(left)));
                none += weight_[i];
                for (std::size_t a = 0; a < members.size(); ++a) {
                    one[members[a]] += weight_[i];
                    for (std::size_t b = 0; b < a; ++b) both[pair_index(members[a], members[b])] += weight_[i];
                }
            }
            if (none == 0) continue;
            const double with_both = s > 0 ? beta(s - 1, failed) : 0, with_one = failed > 0 ? beta(s, failed - 1) : 0;
            const double with_none = failed > 1 ? beta(failed - 1, s) : 0;
            for (std::size_t i = 1; i < k; ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    double& to = line[pair_index(i, j)];
                    if (has(mask, i) && has(mask, j)) {
                        to += with_both * both[pair_index(i, j)];
                    } else if (has(mask, i) || has(mask, j)) {
                        to -= with_one * one[has(mask, i) ? i : j];
                    } else {
                        to += with_none * none;
                    }
                }
            }
        }
        for (std::size_t i = 0; i < n; ++i) line[i] *= 0.5 / total_;
    }
}

void path_pairs(std::span<const AttributionSide> sides, std::span<const Mask> masks, double* out) {
    const std::size_t k = sides.size(), n = n_pairs(k);
    std::fill_n(out, masks.size() * n, 0.0);
    if (k < 2) return;
    const GaussRule& rule = gauss_rule(static_cast<int>(k / 2));
    std::vector<double> gain(k);
    for (std::size_t m = 0; m < masks.size(); ++m) {
        double* line = out + m * n;
        for (int q = 0; q < rule.size(); ++q) {
            const double p = rule.point[q];
            double product = 0.5 * rule.weight[q];
            for (std::size_t j = 0; j < k; ++j) {
                const PathFactor factor = path_factor(sides[j].share, p, has(masks[m], j));
                product *= factor.value;
                gain[j] = factor.gain;
            }
            for (std::size_t i = 1; i < k; ++i) {
                const double part = product * gain[i];
                for (std::size_t j = 0; j < i; ++j) line[pair_index(i, j)] += part * gain[j];
            }
        }
    }
}

}  // namespace glasswood::attributions

#include "glasswood/attributions/subtree_shapley.hpp"

#include <algorithm>

#include "glasswood/attributions/shapley_integrals.hpp"

namespace glasswood::attributions {

void SubtreeShapley::prepare(const AttributionPlan& plan, const AttributionGroup& group) {
    std::int32_t max_sides = 1;
    for (const AttributionLeaf& leaf : group.leaves) max_sides = std::max(max_sides, leaf.n_sides);
    const GaussRule& rule = gauss_rule((max_sides + 1) / 2);
    walk_.lanes = (rule.size() + 7) / 8 * 8;
    walk_.n_above = group.n_above;
    walk_.n_inner = static_cast<int>(group.inner.size());
    walk_.n_columns = group.n_columns();
    walk_.n_outputs = static_cast<int>(plan.ensemble().width);
    points_ = rule.point;
    weights_ = rule.weight;
    std::vector<double> share(static_cast<std::size_t>(group.n_above), 1.0);
    for (const AttributionStep& step : group.above) share[step.position] *= step.share;
    prepare_above(share);
    prepare_inside(plan, group, share);
}

// Tables of products over the features on the anchor's path, six features per table, and the weights of their answers.
void SubtreeShapley::prepare_above(std::span<const double> share) {
    const auto lanes = static_cast<std::size_t>(walk_.lanes);
    const std::size_t n_above = share.size(), n_pieces = (n_above + piece_bits - 1) / piece_bits;
    constexpr std::size_t piece = std::size_t{1} << piece_bits;
    pieces_.assign(std::max<std::size_t>(1, n_pieces) * piece * lanes, 0.0);
    answer_weights_.assign(2 * n_above * lanes, 0.0);
    for (std::size_t q = 0; q < points_.size(); ++q) {
        const double p = points_[q], w = weights_[q];
        for (std::size_t i = 0; i < n_pieces; ++i) {
            double* table = pieces_.data() + i * piece * lanes + q;
            table[0] = 1.0;
            const std::size_t last = std::min(n_above, (i + 1) * piece_bits);
            for (std::size_t j = i * piece_bits, half = 1; j < last; ++j, half *= 2) {
                const double pass = share[j] + p * (1 - share[j]), fail = share[j] * (1 - p);
                for (std::size_t o = 0; o < half; ++o) table[(half + o) * lanes] = table[o * lanes] * pass;
                for (std::size_t o = 0; o < half; ++o) table[o * lanes] *= fail;
            }
        }
        for (std::size_t j = 0; j < n_above; ++j) {
            answer_weights_[2 * j * lanes + q] = -w / (1 - p);
            answer_weights_[(2 * j + 1) * lanes + q] = w * (1 - share[j]) / (share[j] + p * (1 - share[j]));
        }
    }
    walk_.pieces = pieces_.data();
    walk_.answer_weights = answer_weights_.data();
}

void SubtreeShapley::prepare_inside(const AttributionPlan& plan, const AttributionGroup& group,
                                    std::span<const double> above) {
    const model::Ensemble& e = plan.ensemble();
    const auto lanes = static_cast<std::size_t>(walk_.lanes);
    const std::size_t n = group.inner.size(), width = e.width;
    bit_.resize(n);
    column_.resize(n);
    child_.assign(2 * n, -1);
    values_.assign(std::max<std::size_t>(1, 2 * n) * width, 0.0);
    factors_.assign(6 * n * lanes, 0.0);
    shifts_.assign(6 * n * lanes, 0.0);
    shares_.resize(n);  // of the split's feature on the way to it
    for (std::size_t b = 0; b < n; ++b) {
        const AttributionInner& inner = group.inner[b];
        bit_[b] = inner.bit;
        column_[b] = inner.column;
        if (inner.up >= 0) child_[2 * inner.up + (inner.is_right ? 1 : 0)] = static_cast<std::int32_t>(b);
        double share = inner.column < group.n_above ? above[inner.column] : 1.0;
        for (std::int32_t x = static_cast<std::int32_t>(b); group.inner[x].up >= 0; x = group.inner[x].up) {
            const AttributionInner& up = group.inner[group.inner[x].up];
            if (up.column == inner.column) share *= plan.share(up.node, group.inner[x].node);
        }
        shares_[b] = share;
    }
    for (std::size_t b = 0; b < n; ++b) {
        const std::int32_t node = group.inner[b].node;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::int32_t child = side == 0 ? e.left[node] : e.right[node];
            const std::size_t at = 2 * b + side;
            if (e.is_leaf(child)) std::copy_n(&e.value[child * width], width, values_.data() + at * width);
            const double part = plan.share(node, child), before = shares_[b], after = before * part;
            for (std::size_t q = 0; q < points_.size(); ++q) {
                const double p = points_[q], w = weights_[q];
                const double pass = after + p * (1 - after), was = before + p * (1 - before);
                const double gain = (1 - before) / was;
                double *factor = factors_.data() + 3 * at * lanes + q, *shift = shifts_.data() + 3 * at * lanes + q;
                factor[0] = pass / was;
                factor[lanes] = after * (1 - p) / was;
                factor[2 * lanes] = part;
                shift[0] = w * ((1 - after) / pass - gain);
                shift[lanes] = w * (-1 / (1 - p) - gain);
            }
        }
    }
    if (n == 0) std::copy_n(&e.value[group.anchor * width], width, values_.data());
    products_.resize(std::max<std::size_t>(1, 2 * n) * lanes);
    sums_.resize(std::max<std::size_t>(1, n) * lanes);
    failed_.resize(std::max<std::size_t>(1, n));
    cases_.resize(2 * n);
    walk_.factors = factors_.data();
    walk_.shifts = shifts_.data();
    walk_.bit = bit_.data();
    walk_.column = column_.data();
    walk_.inner_child = child_.data();
    walk_.values = values_.data();
    walk_.products = products_.data();
    walk_.sums = sums_.data();
    walk_.failed = failed_.data();
    walk_.cases = cases_.data();
}

void SubtreeShapley::fill(std::span<const Mask> patterns, double* lines) const {
    attribution_kernels(base::cpu_level()).walk(walk_, patterns.data(), patterns.size(), lines);
}

}  // namespace glasswood::attributions

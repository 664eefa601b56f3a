#include "glasswood/attributions/leaf_table.hpp"

#include <algorithm>
#include <bit>

#include "glasswood/attributions/shapley_integrals.hpp"

namespace glasswood::attributions {
namespace {

// Both factors of a feature at a quadrature point.
struct Factors {
    PathFactor pass, fail;
    Factors(double share, double point)
        : pass(path_factor(share, point, true)), fail(path_factor(share, point, false)) {}
    double gain(bool passes) const { return passes ? pass.gain : fail.gain; }
};

// Calls body(first, n, bit is set) for the runs of masks that agree in bit j.
template <class Body>
void for_runs(std::size_t n_masks, std::size_t j, Body&& body) {
    const std::size_t half = std::size_t{1} << j;
    for (std::size_t at = 0; at < n_masks; at += 2 * half) {
        body(at, half, false);
        body(at + half, half, true);
    }
}

// product[o] = start · Π f_j(o_j)
void multiply(std::span<const Factors> factors, double start, double* product) {
    product[0] = start;
    for (std::size_t j = 0; j < factors.size(); ++j) {
        const std::size_t half = std::size_t{1} << j;
        for (std::size_t o = 0; o < half; ++o) product[half + o] = product[o] * factors[j].pass.value;
        for (std::size_t o = 0; o < half; ++o) product[o] *= factors[j].fail.value;
    }
}

void factors_at(std::span<const AttributionSide> sides, double point, std::vector<Factors>& out) {
    out.clear();
    for (const AttributionSide& side : sides) out.emplace_back(side.share, point);
}

int points_for(std::size_t n_features) { return static_cast<int>((n_features + 1) / 2); }
int points_for_pairs(std::size_t n_features) { return static_cast<int>(n_features / 2); }

}  // namespace

void LeafTable::prepare_path(std::span<const AttributionSide> sides) {
    const std::size_t k = sides.size();
    n_masks_ = std::size_t{1} << k;
    columns_.assign(k * n_masks_, 0.0);
    product_.resize(n_masks_);
    if (k == 0) return;
    const GaussRule& rule = gauss_rule(points_for(k));
    std::vector<Factors> factors;
    for (int q = 0; q < rule.size(); ++q) {
        factors_at(sides, rule.point[q], factors);
        multiply(factors, rule.weight[q], product_.data());
        for (std::size_t j = 0; j < k; ++j) {
            double* out = columns_.data() + j * n_masks_;
            for_runs(n_masks_, j, [&](std::size_t at, std::size_t n, bool set) {
                const double gain = factors[j].gain(set);
                for (std::size_t o = at; o < at + n; ++o) out[o] += product_[o] * gain;
            });
        }
    }
}

void path_line(std::span<const AttributionSide> sides, Mask mask, double* line) {
    const std::size_t k = sides.size();
    std::fill_n(line, k, 0.0);
    if (k == 0) return;
    const GaussRule& rule = gauss_rule(points_for(k));
    for (int q = 0; q < rule.size(); ++q) {
        double product = rule.weight[q];
        double gain[max_table_features];
        for (std::size_t j = 0; j < k; ++j) {
            const PathFactor factor = path_factor(sides[j].share, rule.point[q], ((mask >> j) & 1) != 0);
            product *= factor.value;
            gain[j] = factor.gain;
        }
        for (std::size_t j = 0; j < k; ++j) line[j] += product * gain[j];
    }
}

void LeafTable::prepare_path_pairs(std::span<const AttributionSide> sides) {
    const std::size_t k = sides.size();
    n_masks_ = std::size_t{1} << k;
    columns_.assign(n_pairs(k) * n_masks_, 0.0);
    if (k < 2) return;
    product_.resize(n_masks_);
    part_.resize(n_masks_);
    const GaussRule& rule = gauss_rule(points_for_pairs(k));
    std::vector<Factors> factors;
    for (int q = 0; q < rule.size(); ++q) {
        factors_at(sides, rule.point[q], factors);
        multiply(factors, 0.5 * rule.weight[q], product_.data());
        for (std::size_t i = 1; i < k; ++i) {
            for_runs(n_masks_, i, [&](std::size_t at, std::size_t n, bool set) {
                const double gain = factors[i].gain(set);
                for (std::size_t o = at; o < at + n; ++o) part_[o] = product_[o] * gain;
            });
            for (std::size_t j = 0; j < i; ++j) {
                double* out = columns_.data() + pair_index(i, j) * n_masks_;
                for_runs(n_masks_, j, [&](std::size_t at, std::size_t n, bool set) {
                    const double gain = factors[j].gain(set);
                    for (std::size_t o = at; o < at + n; ++o) out[o] += part_[o] * gain;
                });
            }
        }
    }
}

// graded_[o][s]: weight of the rows that fail s features, all of them in o.
void LeafTable::sum_graded(const double* failing, int n_features) {
    const auto k = static_cast<std::size_t>(n_features), width = k + 1;
    n_masks_ = std::size_t{1} << k;
    graded_.assign(n_masks_ * width, 0.0);
    for (std::size_t v = 0; v < n_masks_; ++v) graded_[v * width + std::popcount(v)] = failing[v];
    for (std::size_t j = 0; j < k; ++j) {
        const std::size_t half = (std::size_t{1} << j) * width;
        for (std::size_t at = 0; at < graded_.size(); at += 2 * half) {
            double *low = graded_.data() + at, *high = low + half;
            for (std::size_t i = 0; i < half; ++i) high[i] += low[i];
        }
    }
}

// With N failed features and s = |V|: a feature of V gets B(s, N+1) of a row, a failed one -B(N, s+1), and only rows
// with V inside o count. Those with V inside o and i in V are those inside o less those inside o without i.
void LeafTable::prepare_rows(const double* failing, int k, double total) {
    sum_graded(failing, k);
    columns_.resize(static_cast<std::size_t>(k) * n_masks_);
    sums_.resize(3 * n_masks_);
    double *with = sums_.data(), *without = with + n_masks_, *out_of = without + n_masks_;
    const BetaTable& beta = beta_table();
    for (std::size_t o = 0; o < n_masks_; ++o) {
        const int held = std::popcount(o), failed = k - held;
        const double* a = graded_.data() + o * static_cast<std::size_t>(k + 1);
        double x = 0, y = 0, c = 0;
        for (int s = 0; s <= held; ++s) {
            x += beta(s, failed) * a[s];
            if (failed > 0) y += beta(s, failed - 1) * a[s];
            if (failed > 0) c += beta(failed, s) * a[s];
        }
        with[o] = x / total;
        without[o] = y / total;
        out_of[o] = -c / total;
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j) {
        double* out = columns_.data() + j * n_masks_;
        const std::size_t bit = std::size_t{1} << j;
        for_runs(n_masks_, j, [&](std::size_t at, std::size_t n, bool set) {
            if (set) {
                for (std::size_t o = at; o < at + n; ++o) out[o] = with[o] - without[o - bit];
            } else {
                for (std::size_t o = at; o < at + n; ++o) out[o] = out_of[o];
            }
        });
    }
}

// The same for pairs: both in V, one in V and one failed, both failed.
void LeafTable::prepare_rows_pairs(const double* failing, int k, double total) {
    n_masks_ = std::size_t{1} << k;
    columns_.resize(n_pairs(static_cast<std::size_t>(k)) * n_masks_);
    if (k < 2) return;
    sum_graded(failing, k);
    sums_.assign(6 * n_masks_, 0.0);
    double* sum[6];
    for (std::size_t i = 0; i < 6; ++i) sum[i] = sums_.data() + i * n_masks_;
    const BetaTable& beta = beta_table();
    const double scale = 0.5 / total;
    for (std::size_t o = 0; o < n_masks_; ++o) {
        const int held = std::popcount(o), failed = k - held;
        const double* a = graded_.data() + o * static_cast<std::size_t>(k + 1);
        double both[3] = {}, one[2] = {}, none = 0;  // the index: how many of the pair o lacks
        for (int s = 0; s <= held; ++s) {
            for (int lacks = 0; lacks < 3 && lacks <= failed; ++lacks)
                if (s > 0) both[lacks] += beta(s - 1, failed - lacks) * a[s];
            for (int lacks = 0; lacks < 2 && lacks < failed; ++lacks) one[lacks] += beta(s, failed - 1 - lacks) * a[s];
            if (failed > 1) none += beta(failed - 1, s) * a[s];
        }
        for (std::size_t i = 0; i < 3; ++i) sum[i][o] = scale * both[i];
        for (std::size_t i = 0; i < 2; ++i) sum[3 + i][o] = scale * one[i];
        sum[5][o] = scale * none;
    }
    for (std::size_t i = 1; i < static_cast<std::size_t>(k); ++i) {
        const std::size_t bi = std::size_t{1} << i;
        for (std::size_t j = 0; j < i; ++j) {
            const std::size_t bj = std::size_t{1} << j;
            double* out = columns_.data() + pair_index(i, j) * n_masks_;
            for (std::size_t o = 0; o < n_masks_; ++o) {
                const bool has_i = (o & bi) != 0, has_j = (o & bj) != 0;
                if (has_i && has_j) {
                    out[o] = sum[0][o] - sum[1][o - bi] - sum[1][o - bj] + sum[2][o - bi - bj];
                } else if (has_i || has_j) {
                    const std::size_t bit = has_i ? bi : bj;
                    out[o] = -(sum[3][o] - sum[4][o - bit]);
                } else {
                    out[o] = sum[5][o];
                }
            }
        }
    }
}

}  // namespace glasswood::attributions

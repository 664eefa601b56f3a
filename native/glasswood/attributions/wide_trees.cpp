#include "glasswood/attributions/wide_trees.hpp"

#include <algorithm>
#include <bit>

#include "glasswood/attributions/leaf_table.hpp"
#include "glasswood/attributions/shapley_integrals.hpp"
#include "glasswood/base/bitset.hpp"
#include "glasswood/base/parallel.hpp"

namespace glasswood::attributions {
namespace {

constexpr std::size_t rows_at_once = 1024;

// Features of a leaf's path that a row passes, or fails, in as many words as it takes.
using WideMask = std::vector<std::uint64_t>;

int count(const WideMask& mask) {
    int n = 0;
    for (const std::uint64_t word : mask) n += std::popcount(word);
    return n;
}

// Masks of rows [first, first + n) at a leaf, whose group has nothing but the path.
std::vector<WideMask> passed(const AttributionTree& tree, const AttributionGroup& leaf,
                             const explain::SplitQuestions& splits, const explain::Codes& codes, std::size_t first,
                             std::size_t n) {
    AnswerPlanes planes;
    planes.prepare(tree, splits, codes, first, n);
    const auto k = static_cast<std::size_t>(leaf.n_above);
    WideMask all(base::words_for(k));
    base::set_first_bits(all, k);
    std::vector<WideMask> out(n, all);
    for (const AttributionStep& step : leaf.above) {
        const std::span goes_left(planes.answer(step.question), planes.n_words());
        const auto j = static_cast<std::size_t>(step.position);
        for (std::size_t r = 0; r < n; ++r) {
            if (base::has_bit(goes_left, r) != step.left) base::set_bit(out[r], j, false);
        }
    }
    return out;
}

// Background rows by the features they fail, sorted by how many.
struct WideSet {
    WideMask set;
    std::vector<std::size_t> members;
    double weight;
};

std::vector<WideSet> failing_sets(const AttributionPlan& plan, const AttributionTree& tree,
                                  const AttributionGroup& leaf, const Background& background) {
    std::vector<WideSet> out;
    for (std::size_t first = 0; first < background.n_rows(); first += rows_at_once) {
        const std::size_t n = std::min(rows_at_once, background.n_rows() - first);
        const std::vector<WideMask> masks = passed(tree, leaf, plan.splits(), background.codes(), first, n);
        for (std::size_t r = 0; r < n; ++r) {
            WideSet made{WideMask(masks[r].size(), 0), {}, static_cast<double>(background.weight(first + r))};
            for (std::size_t j = 0; j < static_cast<std::size_t>(leaf.n_above); ++j) {
                if (base::has_bit(masks[r], j)) continue;
                base::set_bit(made.set, j);
                made.members.push_back(j);
            }
            out.push_back(std::move(made));
        }
    }
    std::ranges::stable_sort(out, {}, [](const WideSet& set) { return set.members.size(); });
    return out;
}

// Parts of the features, or pairs, of one leaf of value 1 for one row.
class WideLeaf {
 public:
    WideLeaf(const AttributionGroup& leaf, bool pairs)
        : sides_(leaf.sides_of(leaf.leaves[0])), pairs_(pairs), k_(sides_.size()), gain_(k_), one_(k_) {
        both_.resize(pairs ? n_pairs(k_) : 0);
        parts.resize(pairs ? n_pairs(k_) : k_);
    }

    void by_shares(const WideMask& mask, const GaussRule& rule) {
        std::ranges::fill(parts, 0.0);
        for (int q = 0; q < rule.size(); ++q) {
            const double p = rule.point[q];
            double product = rule.weight[q];
            for (std::size_t j = 0; j < k_; ++j) {
                const PathFactor factor = path_factor(sides_[j].share, p, base::has_bit(mask, j));
                product *= factor.value;
                gain_[j] = factor.gain;
            }
            for (std::size_t i = 0; i < k_; ++i) {
                if (!pairs_) parts[i] += product * gain_[i];
                for (std::size_t j = 0; pairs_ && j < i; ++j)
                    parts[pair_index(i, j)] += 0.5 * product * gain_[i] * gain_[j];
            }
        }
    }

    void by_rows(const WideMask& mask, std::span<const WideSet> sets, const BetaTable& beta, double total) {
        std::ranges::fill(parts, 0.0);
        const int failed = static_cast<int>(k_) - count(mask);
        for (std::size_t at = 0; at < sets.size();) {
            const std::size_t s = sets[at].members.size();
            std::ranges::fill(one_, 0.0);
            std::ranges::fill(both_, 0.0);
            double none = 0;
            for (; at < sets.size() && sets[at].members.size() == s; ++at) {
                if (inside(sets[at].set, mask)) add(sets[at], none);
            }
            if (none > 0) add_class(mask, static_cast<int>(s), failed, none, beta);
        }
        for (double& part : parts) part *= (pairs_ ? 0.5 : 1.0) / total;
    }

    std::vector<double> parts;

 private:
    static bool inside(const WideMask& set, const WideMask& mask) {
        for (std::size_t w = 0; w < set.size(); ++w)
            if ((set[w] & ~mask[w]) != 0) return false;
        return true;
    }

    void add(const WideSet& set, double& none) {
        none += set.weight;
        for (std::size_t a = 0; a < set.members.size(); ++a) {
            one_[set.members[a]] += set.weight;
            for (std::size_t b = 0; pairs_ && b < a; ++b)
                both_[pair_index(set.members[a], set.members[b])] += set.weight;
        }
    }

    void add_class(const WideMask& mask, int s, int failed, double none, const BetaTable& beta) {
        for (std::size_t i = 0; i < k_; ++i) {
            const bool has_i = base::has_bit(mask, i);
            if (!pairs_) parts[i] += has_i ? beta(s, failed) * one_[i] : -beta(failed, s) * none;
            for (std::size_t j = 0; pairs_ && j < i; ++j) {
                const bool has_j = base::has_bit(mask, j);
                double& to = parts[pair_index(i, j)];
                if (has_i && has_j) {
                    to += (s > 0 ? beta(s - 1, failed) : 0.0) * both_[pair_index(i, j)];
                } else if (has_i || has_j) {
                    to -= beta(s, failed - 1) * one_[has_i ? i : j];
                } else {
                    to += beta(failed - 1, s) * none;
                }
            }
        }
    }

    std::span<const AttributionSide> sides_;
    bool pairs_;
    std::size_t k_;
    std::vector<double> gain_, one_, both_;
};

}  // namespace

void add_wide_tree(const AttributionPlan& plan, std::size_t tree_number, const Background* background,
                   const explain::Codes& codes, const AttributionSlots& slots, int n_threads,
                   const base::Interrupt& interrupt, double* out) {
    const model::Ensemble& e = plan.ensemble();
    const AttributionTree tree = plan.make(tree_number);
    const auto output = static_cast<std::size_t>(e.tree_output[tree_number]);
    const std::size_t stride = slots.row_size();
    LineLayout layout;
    for (const AttributionGroup& leaf : tree.groups) {
        const auto k = leaf.n_above;
        layout.prepare(leaf, slots, output, e.width);
        if (layout.width() == 0) continue;
        const GaussRule rule = make_gauss_rule(std::max(1, slots.pairs ? k / 2 : (k + 1) / 2));
        const BetaTable beta(background == nullptr ? 1 : k);
        const std::vector<WideSet> sets =
            background == nullptr ? std::vector<WideSet>{} : failing_sets(plan, tree, leaf, *background);
        const double* value = e.value.data() + static_cast<std::size_t>(leaf.anchor) * e.width;
        base::parallel_for(
            (codes.n_rows() + rows_at_once - 1) / rows_at_once, n_threads, base::large_work, [&](std::size_t chunk) {
                const std::size_t first = chunk * rows_at_once, n = std::min(rows_at_once, codes.n_rows() - first);
                const std::vector<WideMask> masks = passed(tree, leaf, plan.splits(), codes, first, n);
                WideLeaf work(leaf, slots.pairs);
                for (std::size_t r = 0; r < n; ++r) {
                    interrupt.check();
                    if (background == nullptr) {
                        work.by_shares(masks[r], rule);
                    } else {
                        work.by_rows(masks[r], sets, beta, background->total());
                    }
                    double* row = out + (first + r) * stride;
                    for (std::size_t c = 0; c < work.parts.size(); ++c) {
                        if (layout.column[c] < 0) continue;
                        for (std::size_t o = 0; o < e.width; ++o)
                            row[layout.offset[static_cast<std::size_t>(layout.column[c]) * e.width + o]] +=
                                work.parts[c] * value[o];
                    }
                }
            });
    }
}

}  // namespace glasswood::attributions

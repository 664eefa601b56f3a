#include "glasswood/explain/pair_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "glasswood/base/parallel.hpp"
#include "glasswood/base/pool.hpp"
#include "glasswood/explain/cell_table_sums.hpp"
#include "glasswood/explain/effects.hpp"
#include "glasswood/explain/pair_differences.hpp"
#include "glasswood/explain/pair_terms.hpp"
#include "glasswood/explain/training_mass.hpp"

namespace glasswood::explain {
namespace {

// A standard deviation below this share of the largest possible raw is rounding.
constexpr double rounding = 1e-13;

// No raw is larger: |baseline| and the largest |leaf value| of each tree.
double largest_raw(const model::Ensemble& e, const Paths& paths) {
    double sum = 0.0;
    for (const double b : e.baseline) sum = std::max(sum, std::abs(b));
    for (std::size_t t = 0; t < paths.n_trees(); ++t) {
        double largest = 0.0;
        for (std::int32_t leaf = paths.tree_leaf[t]; leaf < paths.tree_leaf[t + 1]; ++leaf) {
            for (std::size_t k = 0; k < e.width; ++k)
                largest = std::max(largest, std::abs(e.value[paths.leaf[leaf] * e.width + k]));
        }
        sum += largest;
    }
    return sum;
}

struct Variances {
    double term, joint;
};

// Variances of f_jk and of f_j + f_k + f_jk under cell weights.
Variances variances(std::span<const double> effect_j, std::span<const double> effect_k, std::span<const double> weight,
                    std::span<const double> terms) {
    double total = 0.0, mean_term = 0.0, mean_joint = 0.0, above = 0.0, below = 0.0;
    for (std::size_t i = 0, cell = 0; i < effect_j.size(); ++i) {
        for (std::size_t j = 0; j < effect_k.size(); ++j, ++cell) {
            total += weight[cell];
            mean_term += weight[cell] * terms[cell];
            mean_joint += weight[cell] * ((effect_j[i] + effect_k[j]) + terms[cell]);
        }
    }
    mean_term /= total;
    mean_joint /= total;
    for (std::size_t i = 0, cell = 0; i < effect_j.size(); ++i) {
        for (std::size_t j = 0; j < effect_k.size(); ++j, ++cell) {
            const double term = terms[cell] - mean_term;
            const double joint = ((effect_j[i] + effect_k[j]) + terms[cell]) - mean_joint;
            above += weight[cell] * term * term;
            below += weight[cell] * joint * joint;
        }
    }
    return {above / total, below / total};
}

// The tables of pairs, one at a time, and what is said about each while it is in the cache.
class PairFiller {
 public:
    PairFiller(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
               std::span<const std::int32_t> pairs, const PairTerms& terms)
        : e_(e),
          pairs_(pairs),
          terms_(terms),
          mean_(mean_raw(e, paths, shares)),
          noise_(rounding * largest_raw(e, paths)),
          singles_(distinct_features(pairs)) {
        effects_ = effect_terms(e, paths, shares, singles_);
        start_ = table_starts(paths.axes, singles_, 1, e.n_outputs());
    }

    // PD_jk into `out`.
    void fill(std::size_t p, PairDifferences& scratch, double* out) const {
        prepare(p, scratch);
        for (std::size_t o = 0; o < e_.n_outputs(); ++o) {
            base::check_interrupt();
            const auto effect_j = effect(pairs_[2 * p], o), effect_k = effect(pairs_[2 * p + 1], o);
            std::vector<double> first(effect_j.begin(), effect_j.end());
            for (double& f : first) f = mean_[o] + f;
            scratch.write(static_cast<std::int64_t>(o), 1.0, first, effect_k,
                          out + o * effect_j.size() * effect_k.size());
        }
    }

    // The same, and H² and the standard deviation of f_jk under the cell weights, (n_outputs) each.
    void fill(std::size_t p, PairDifferences& scratch, std::span<const double> weight, double* out, double* h2,
              double* term_sd) const {
        prepare(p, scratch);
        for (std::size_t o = 0; o < e_.n_outputs(); ++o) {
            base::check_interrupt();
            const auto effect_j = effect(pairs_[2 * p], o), effect_k = effect(pairs_[2 * p + 1], o);
            const std::span<double> table(out + o * weight.size(), weight.size());
            scratch.write(static_cast<std::int64_t>(o), table.data());
            // Friedman and Popescu 2008, eq. (44): Var(f_jk) / Var(f_j + f_k + f_jk), 0 for 0/0
            const Variances found = variances(effect_j, effect_k, weight, table);
            h2[o] = found.joint <= noise_ * noise_ ? 0.0 : found.term / found.joint;
            term_sd[o] = found.term <= noise_ * noise_ ? 0.0 : std::sqrt(found.term);
            for (std::size_t i = 0; i < effect_j.size(); ++i) {
                double* row = table.data() + i * effect_k.size();
                const double first = mean_[o] + effect_j[i];
                for (std::size_t j = 0; j < effect_k.size(); ++j) row[j] += first + effect_k[j];
            }
        }
    }

 private:
    void prepare(std::size_t p, PairDifferences& scratch) const {
        const auto size = [&](std::int32_t f) { return static_cast<std::int64_t>(effect(f, 0).size()); };
        terms_.scatter(p, scratch.prepare(static_cast<std::int64_t>(e_.n_outputs()), size(pairs_[2 * p]),
                                          size(pairs_[2 * p + 1])));
    }

    std::span<const double> effect(std::int32_t f, std::size_t output) const {
        const auto at = std::ranges::lower_bound(singles_, f) - singles_.begin();
        const auto cells = static_cast<std::size_t>(start_[at + 1] - start_[at]) / e_.n_outputs();
        return {effects_.data() + start_[at] + output * cells, cells};
    }

    const model::Ensemble& e_;
    std::span<const std::int32_t> pairs_;
    const PairTerms& terms_;
    std::vector<double> mean_;
    double noise_;
    std::vector<std::int32_t> singles_;
    std::vector<double> effects_;
    std::vector<std::int64_t> start_;
};

}  // namespace

PairScores pair_tables(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                       std::span<const std::int32_t> pairs, std::span<const double> counts, int n_threads, double* out,
                       double* mass) {
    const std::size_t n_pairs = pairs.size() / 2, n_outputs = e.n_outputs();
    const std::vector<double> nothing(n_pairs * n_outputs, std::numeric_limits<double>::quiet_NaN());
    PairScores found{nothing, nothing, nothing};
    const std::vector<std::int64_t> start = table_starts(paths.axes, pairs, 2, n_outputs);
    const PairTerms terms(e, paths, shares, pairs);
    const PairFiller filler(e, paths, shares, pairs, terms);
    std::optional<PairMass> masses;
    if (counts.empty()) masses.emplace(e, paths, pairs, terms.leaves(), n_threads);
    base::Pool<PairDifferences> pool;
    const base::Work work{base::work_of(static_cast<std::size_t>(start.back()), 3.0).nanoseconds +
                          base::work_of(n_pairs * paths.n_leaves(), 2.0).nanoseconds};
    base::parallel_for(n_pairs, n_threads, work, [&](std::size_t p) {
        const auto scratch = pool.borrow();
        const std::size_t cells = (start[p + 1] - start[p]) / n_outputs, at = p * n_outputs;
        double* table = out + start[p];
        const double* weight = counts.data() + start[p] / n_outputs;
        if (masses) {
            filler.fill(p, *scratch, table);
            masses->fill(p, *scratch, mass + start[p]);
        } else {
            filler.fill(p, *scratch, {weight, cells}, table, found.h2.data() + at, found.term_sd.data() + at);
        }
        for (std::size_t o = 0; o < n_outputs; ++o)
            found.baseline[at + o] =
                weighted_mean({table + o * cells, cells}, {masses ? mass + start[p] + o * cells : weight, cells});
    });
    return found;
}

void joint_table(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                 std::span<const std::int32_t> features, double* out) {
    static constexpr std::int32_t whole = 0;  // a leaf that does not ask for a feature accepts its whole axis
    const std::size_t degree = features.size();
    std::vector<std::int64_t> shape;
    std::int64_t cells = 1;
    for (const std::int32_t f : features) {
        shape.push_back(paths.axes.size[f]);
        cells *= shape.back();
    }
    std::vector<std::span<const std::int32_t>> edges(degree);
    std::vector<std::size_t> at(degree);
    for (std::size_t t = 0; t < paths.n_trees(); ++t) {
        base::check_interrupt();
        double* table = out + e.tree_output[t] * cells;
        for (std::int32_t leaf = paths.tree_leaf[t]; leaf < paths.tree_leaf[t + 1]; ++leaf) {
            const double share = shares.none(leaf);
            if (share == 0.0) continue;
            bool empty = false;
            for (std::size_t d = 0; d < degree; ++d) {
                const std::int64_t side = paths.side_of(leaf, features[d]);
                edges[d] = side < 0 ? std::span(&whole, 1) : paths.edges(side);
                empty = empty || edges[d].empty();
            }
            if (empty) continue;
            const double* value = e.value.data() + paths.leaf[leaf] * e.width;
            std::fill(at.begin(), at.end(), 0);
            for (bool more = true; more;) {
                std::int64_t index = 0;
                std::size_t odd = 0;
                for (std::size_t d = 0; d < degree; ++d) {
                    index = index * shape[d] + edges[d][at[d]];
                    odd += at[d] % 2;
                }
                for (std::size_t k = 0; k < e.width; ++k)
                    table[static_cast<std::int64_t>(k) * cells + index] += (odd % 2 == 0 ? share : -share) * value[k];
                more = false;
                for (std::size_t d = degree; d-- > 0 && !more;) {
                    more = ++at[d] < edges[d].size();
                    if (!more) at[d] = 0;
                }
            }
        }
    }
    for (std::size_t o = 0; o < e.n_outputs(); ++o) cumulate(shape, out + static_cast<std::int64_t>(o) * cells);
}

}  // namespace glasswood::explain

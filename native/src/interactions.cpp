#include "glasswood/interactions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "glasswood/effects.hpp"
#include "glasswood/parallel.hpp"

namespace glasswood {
namespace {

// Calls visit(pair, entry) for every leaf and every wanted pair on its path.
template <class Visit>
void for_each_entry(const Paths& paths, std::span<const Role> role, std::span<const std::int32_t> pair_of,
                    std::span<const std::int32_t> compact, std::size_t n_compact, Visit&& visit) {
    struct Free {
        std::int32_t feature;
        std::int64_t side;
    };
    std::vector<Free> path;
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) {
        path.clear();
        for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side) {
            const std::int32_t f = paths.feature[side];
            if (role[f] == Role::free) path.push_back({compact[f], side});
        }
        for (std::size_t i = 0; i < path.size(); ++i) {
            for (std::size_t j = 0; j < path.size(); ++j) {
                if (path[i].feature < 0 || path[j].feature < 0) continue;
                const std::int32_t pair = pair_of[path[i].feature * n_compact + path[j].feature];
                if (pair < 0) continue;
                visit(pair, PairLeaves::Entry{static_cast<std::int32_t>(leaf), static_cast<std::int32_t>(i) + 1,
                                              static_cast<std::int32_t>(j) + 1, path[i].side, path[j].side});
            }
        }
    }
}

// A standard deviation below this share of the largest possible raw is rounding.
constexpr double rounding = 1e-13;

// No raw is larger: |baseline| and the largest |leaf value| of each tree.
double largest_raw(const Ensemble& e, const Paths& paths) {
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

// Friedman and Popescu 2008, eq. (44), under cell weights: Var(f_jk) / Var(f_j + f_k + f_jk), 0 for 0/0.
double h2(std::span<const double> effect_j, std::span<const double> effect_k, std::span<const double> weight,
          std::span<const double> terms, double noise) {
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
    return below / total <= noise * noise ? 0.0 : above / below;
}

}  // namespace

PairLeaves::PairLeaves(const Paths& paths, std::span<const Role> role, std::span<const std::int32_t> pairs) {
    // features are numbered afresh, so that the look-up stays small when a few pairs of a wide model are asked for
    std::vector<std::int32_t> compact(role.size(), -1);
    std::size_t n_compact = 0;
    for (const std::int32_t f : pairs) {
        if (compact[f] < 0) compact[f] = static_cast<std::int32_t>(n_compact++);
    }
    std::vector<std::int32_t> pair_of(n_compact * n_compact, -1);
    const std::size_t n_pairs = pairs.size() / 2;
    for (std::size_t p = 0; p < n_pairs; ++p)
        pair_of[compact[pairs[2 * p]] * n_compact + compact[pairs[2 * p + 1]]] = static_cast<std::int32_t>(p);

    start_.assign(n_pairs + 1, 0);
    for_each_entry(paths, role, pair_of, compact, n_compact,
                   [&](std::int32_t pair, const Entry&) { ++start_[pair + 1]; });
    for (std::size_t p = 0; p < n_pairs; ++p) start_[p + 1] += start_[p];
    entries_.resize(start_.back());
    std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
    for_each_entry(paths, role, pair_of, compact, n_compact,
                   [&](std::int32_t pair, const Entry& entry) { entries_[next[pair]++] = entry; });
}

namespace {

// f_jk of one pair at a time.
class PairTerms {
 public:
    PairTerms(const Ensemble& e, const Paths& paths, const Slots& slots, std::span<const std::int32_t> pairs)
        : e_(e),
          paths_(paths),
          slots_(slots),
          pairs_(pairs),
          leaves_(paths, slots.role, pairs),
          tree_(trees_of_leaves(paths)) {}

    // `out` starts as 0.
    void fill(std::size_t p, double* out) const {
        if (leaves_.of(p).empty()) return;
        const std::array<std::int64_t, 2> shape{paths_.axes.size[pairs_[2 * p]], paths_.axes.size[pairs_[2 * p + 1]]};
        const std::int64_t cells = shape[0] * shape[1];
        for (const PairLeaves::Entry& at : leaves_.of(p)) {
            const double both = slots_.two(at.leaf, at.a, at.b);
            if (both == 0.0) continue;  // W[jk] is the largest of the four
            const double first = slots_.one(at.leaf, at.a);
            const double second = slots_.one(at.leaf, at.b);
            const double none = slots_.none(at.leaf);
            for (std::size_t k = 0; k < e_.width; ++k) {
                const double v = e_.value[paths_.leaf[at.leaf] * e_.width + k];
                scatter_pair(paths_.edges(at.side_a), paths_.edges(at.side_b), shape[1], v * both, v * first,
                             v * second, v * none, out + (e_.tree_output[tree_[at.leaf]] + k) * cells);
            }
        }
        for (std::size_t o = 0; o < e_.n_outputs(); ++o) cumulate(shape, out + static_cast<std::int64_t>(o) * cells);
    }

 private:
    const Ensemble& e_;
    const Paths& paths_;
    const Slots& slots_;
    std::span<const std::int32_t> pairs_;
    PairLeaves leaves_;
    std::vector<std::int32_t> tree_;
};

}  // namespace

void pair_terms(const Ensemble& e, const Paths& paths, const Slots& slots, std::span<const std::int32_t> pairs,
                int n_threads, double* out) {
    const PairTerms terms(e, paths, slots, pairs);
    const std::vector<std::int64_t> start = table_starts(paths.axes, pairs, 2, e.n_outputs());
    parallel_for(pairs.size() / 2, n_threads, [&](std::size_t p) { terms.fill(p, out + start[p]); });
}

std::vector<double> pair_tables(const Ensemble& e, const Paths& paths, const Slots& slots,
                                std::span<const std::int32_t> pairs, std::span<const double> weight, int n_threads,
                                double* out) {
    const std::vector<std::int64_t> start = table_starts(paths.axes, pairs, 2, e.n_outputs());
    const std::size_t n_pairs = pairs.size() / 2;
    std::vector<double> found(n_pairs * e.n_outputs(), std::numeric_limits<double>::quiet_NaN());
    const PairTerms terms(e, paths, slots, pairs);
    std::vector<std::int32_t> singles(pairs.begin(), pairs.end());
    std::ranges::sort(singles);
    singles.erase(std::unique(singles.begin(), singles.end()), singles.end());
    const std::vector<double> effects = effect_terms(e, paths, slots, singles);
    const std::vector<std::int64_t> effect_start = table_starts(paths.axes, singles, 1, e.n_outputs());
    const auto effect = [&](std::int32_t f, std::size_t output) {
        const auto at = std::ranges::lower_bound(singles, f) - singles.begin();
        const auto cells = static_cast<std::size_t>(paths.axes.size[f]);
        return std::span(effects.data() + effect_start[at] + output * cells, cells);
    };
    const std::vector<double> mean = mean_raw(e, paths, slots);
    const double noise = rounding * largest_raw(e, paths);
    parallel_for(n_pairs, n_threads, [&](std::size_t p) {
        terms.fill(p, out + start[p]);
        const std::size_t cells = (start[p + 1] - start[p]) / e.n_outputs();
        for (std::size_t o = 0; o < e.n_outputs(); ++o) {
            const auto effect_j = effect(pairs[2 * p], o);
            const auto effect_k = effect(pairs[2 * p + 1], o);
            const std::span<double> table(out + start[p] + o * cells, cells);
            if (!weight.empty())
                found[p * e.n_outputs() + o] =
                    h2(effect_j, effect_k, weight.subspan(start[p] / e.n_outputs(), cells), table, noise);
            for (std::size_t i = 0; i < effect_j.size(); ++i) {
                double* row = table.data() + i * effect_k.size();
                const double first = mean[o] + effect_j[i];
                for (std::size_t j = 0; j < effect_k.size(); ++j) row[j] += first + effect_k[j];
            }
        }
    });
    return found;
}

void joint_table(const Ensemble& e, const Paths& paths, const Slots& slots, std::span<const std::int32_t> features,
                 double* out) {
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
        double* table = out + e.tree_output[t] * cells;
        for (std::int32_t leaf = paths.tree_leaf[t]; leaf < paths.tree_leaf[t + 1]; ++leaf) {
            const double share = slots.none(leaf);
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

}  // namespace glasswood

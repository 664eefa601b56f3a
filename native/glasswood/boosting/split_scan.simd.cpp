// The histogram kernels for one CPU level. No standard header with inline functions may be included here: the
// linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/split_scan.hpp"

namespace glasswood::boosting::GLASSWOOD_LEVEL {
namespace {

typedef std::int64_t Lanes __attribute__((vector_size(32)));
typedef double Numbers __attribute__((vector_size(32)));
static_assert(sizeof(Lanes) == sizeof(Sums));

void subtract(Sums* a, const Sums* b, std::size_t n) {
    auto* to = reinterpret_cast<Lanes*>(a);
    const auto* from = reinterpret_cast<const Lanes*>(b);
    for (std::size_t i = 0; i < n; ++i) to[i] -= from[i];
}

// The candidates of one feature: sums of the left and the right child, field by field so that gains of
// neighbouring candidates are computed side by side.
struct Side {
    double grad[max_bins];
    double square[max_bins];
    double hess[max_bins];
    double weight[max_bins];

    // Writes four candidates at once, field by field: rows of a 4 × 4 table become columns.
    template <bool with_squares>
    GLASSWOOD_INLINE void set(std::size_t k, Lanes a, Lanes b, Lanes c, Lanes d, const NodeSums& unit) {
        const Lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6);
        const Lanes AB = __builtin_shufflevector(a, b, 1, 5, 3, 7);
        const Lanes cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
        const Lanes CD = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        put(grad + k, __builtin_shufflevector(ab, cd, 0, 1, 4, 5), unit.grad);
        if (with_squares) put(square + k, __builtin_shufflevector(AB, CD, 0, 1, 4, 5), unit.square);
        put(hess + k, __builtin_shufflevector(ab, cd, 2, 3, 6, 7), unit.hess);
        put(weight + k, __builtin_shufflevector(AB, CD, 2, 3, 6, 7), unit.weight);
    }
    GLASSWOOD_INLINE NodeSums get(std::size_t k) const { return {grad[k], square[k], hess[k], weight[k]}; }

 private:
    GLASSWOOD_INLINE static void put(double* to, Lanes units, double unit) {
        const Numbers numbers = __builtin_convertvector(units, Numbers) * unit;
        __builtin_memcpy(to, &numbers, sizeof numbers);
    }
};

constexpr std::size_t n_side_by_side = 8;  // gains that are compared at once

struct Candidates {
    std::size_t n = 0;
    Lanes sums[max_bins + 4];  // of the left child
    Side left;
    Side right;
    std::int32_t bin[max_bins + 1];
    double gain[max_bins + n_side_by_side];
};

constexpr double none = -__builtin_inf();

// Cuts after each bin that holds rows. The last one is a cut only where missing values are left for the right.
// Newton's gain needs no squares.
template <bool with_squares>
GLASSWOOD_INLINE void collect(const Sums* cells, std::size_t n_bins, const Sums& start, bool last_counts,
                              const ScanTask& task, Candidates& out) {
    Lanes* lefts = out.sums;
    const auto* sums = reinterpret_cast<const Lanes*>(cells);
    const Lanes total{task.total.grad, task.total.square, task.total.hess, task.total.weight};
    Lanes left{start.grad, start.square, start.hess, start.weight};
    std::size_t n = 0;
    for (std::size_t b = 0; b < n_bins; ++b) {
        left += sums[b];
        lefts[n] = left;
        out.bin[n] = static_cast<std::int32_t>(b);
        n += cells[b].weight != 0 ? 1 : 0;  // an empty bin is written over: no branch to guess wrong
    }
    for (std::size_t k = n; k < n + 4; ++k) lefts[k] = total;
    for (std::size_t k = 0; k < n; k += 4) {
        const Lanes* at = lefts + k;
        out.left.set<with_squares>(k, at[0], at[1], at[2], at[3], task.unit);
        out.right.set<with_squares>(k, total - at[0], total - at[1], total - at[2], total - at[3], task.unit);
    }
    out.n = n > 0 && !last_counts ? n - 1 : n;
}

template <class Gain>
void evaluate(const Gain& gain, const NodeSums& node, double min_weight, Candidates& c) {
    for (std::size_t k = 0; k < c.n; ++k) {
        const NodeSums l = c.left.get(k);
        const NodeSums r = c.right.get(k);
        const double found = gain(l, r, node);
        const bool valid = (l.weight >= min_weight) & (r.weight >= min_weight) & differ(l, r, node);
        c.gain[k] = valid ? found : none;
    }
}

void evaluate_as(const ScanTask& task, Candidates& c) {
    const NodeSums node = in_numbers(task.total, task.unit);
    switch (task.gain) {
        case GainKind::newton:
            return evaluate(Improvement<Newton>{{task.l2}}, node, task.min_weight, c);
        case GainKind::cred_var:
            return evaluate(Improvement<CredVar>{{task.l2}}, node, task.min_weight, c);
        case GainKind::cred_std:
            return evaluate(Improvement<CredStd>{{task.l2}}, node, task.min_weight, c);
        case GainKind::welch:
            return task.rho == 1.0 ? evaluate(Welch{}, node, task.min_weight, c)
                                   : evaluate(WelchPower{task.rho}, node, task.min_weight, c);
    }
}

GLASSWOOD_INLINE double clip(double x, double lower, double upper) { return x < lower ? lower : x > upper ? upper : x; }

// Children whose values stand in the wrong order are no candidates.
void keep_monotone(const ScanTask& task, Candidates& c) {
    for (std::size_t k = 0; k < c.n; ++k) {
        const double l = clip(leaf_value(c.left.grad[k], c.left.hess[k], task.l2), task.lower, task.upper);
        const double r = clip(leaf_value(c.right.grad[k], c.right.hess[k], task.l2), task.lower, task.upper);
        c.gain[k] = task.monotone * (r - l) < 0.0 ? none : c.gain[k];
    }
}

// Cuts that leave a child fewer rows than it must have are no candidates. Only rows whose side is known are counted.
void keep_full(const ScanTask& task, std::size_t n_bins, bool missing_left, bool missing_right, Candidates& c) {
    std::int64_t total = missing_left || missing_right ? task.rows[n_bins] : 0;
    std::int64_t left = missing_left ? total : 0;
    for (std::size_t b = 0; b < n_bins; ++b) total += task.rows[b];
    const std::int64_t least = task.min_rows;
    std::int32_t bin = 0;
    for (std::size_t k = 0; k < c.n; ++k) {
        for (; bin <= c.bin[k]; ++bin) left += task.rows[bin];
        c.gain[k] = left < least || total - left < least ? none : c.gain[k];
    }
}

// The first candidate that ties with the best; NaN is never best.
std::size_t first_best(Candidates& c, double& best) {
    for (std::size_t k = 0; k < n_side_by_side; ++k) c.gain[c.n + k] = none;
    double most[n_side_by_side];
    for (double& gain : most) gain = none;
    for (std::size_t k = 0; k < c.n; k += n_side_by_side) {
        for (std::size_t i = 0; i < n_side_by_side; ++i) most[i] = c.gain[k + i] > most[i] ? c.gain[k + i] : most[i];
    }
    best = none;
    for (const double gain : most) best = gain > best ? gain : best;
    const double enough = best - tie * (best > 0.0 ? best : 0.0);
    std::size_t k = 0;
    while (k < c.n && !(c.gain[k] >= enough)) ++k;
    return k;
}

void consider(const Sums* cells, std::size_t n_bins, const Sums& start, bool missing_left, bool last_counts,
              const ScanTask& task, Candidate& found) {
    Candidates c;
    if (task.gain == GainKind::newton) {
        collect<false>(cells, n_bins, start, last_counts, task, c);
    } else {
        collect<true>(cells, n_bins, start, last_counts, task, c);
    }
    evaluate_as(task, c);
    if (task.monotone != 0) keep_monotone(task, c);
    if (task.rows != nullptr) keep_full(task, n_bins, missing_left, last_counts, c);
    double best = none;
    const std::size_t k = first_best(c, best);
    if (best == none || !(best - found.gain > tie * best)) return;
    const Lanes left = c.sums[k];
    found = {best, c.bin[k], missing_left, {left[0], left[1], left[2], left[3]}};
}

void gains(const Sums* cells, std::size_t n, const Sums& start, const ScanTask& task, double* out) {
    Candidates c;
    if (task.gain == GainKind::newton) {
        collect<false>(cells, n, start, true, task, c);
    } else {
        collect<true>(cells, n, start, true, task, c);
    }
    evaluate_as(task, c);
    for (std::size_t k = 0; k < n; ++k) out[k] = c.gain[k];
}

Candidate scan(const Sums* cells, std::size_t n_bins, const Sums* missing, const ScanTask& task) {
    const bool any_missing = missing != nullptr && missing->weight != 0;
    Candidate found{none, -1, false, {}};
    consider(cells, n_bins, {}, false, any_missing, task, found);
    if (any_missing) consider(cells, n_bins, *missing, true, false, task, found);
    return found;
}

}  // namespace

extern const BoostKernels kernels;
const BoostKernels kernels{&subtract, &scan, &gains};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

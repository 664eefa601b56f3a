// The histogram kernels for one CPU level. No standard header with inline functions may be included here: the
// linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/split_scan.hpp"

namespace glasswood::boosting::GLASSWOOD_LEVEL {
namespace {

// Pointers to it are declared by name: GCC takes `auto` for a pointer to what is aligned to 32 bytes.
typedef std::int64_t Lanes __attribute__((vector_size(32), aligned(16)));
typedef double Numbers __attribute__((vector_size(32)));
static_assert(sizeof(Lanes) == sizeof(Sums));

void subtract(Sums* a, const Sums* b, std::size_t n) {
    Lanes* to = reinterpret_cast<Lanes*>(a);
    const Lanes* from = reinterpret_cast<const Lanes*>(b);
    for (std::size_t i = 0; i < n; ++i) to[i] -= from[i];
}

constexpr std::size_t n_side_by_side = 4;  // candidates whose gains are computed at once
static_assert(sizeof(Numbers) == n_side_by_side * sizeof(double));

// The sums of one child in neighbouring candidates, field by field, so that their gains are computed side by side.
struct Side {
    Numbers grad;
    Numbers square;
    Numbers hess;
    Numbers weight;
};

// Rows of a 4 × 4 table become columns.
struct Fields {
    Lanes grad;
    Lanes square;
    Lanes hess;
    Lanes weight;

    GLASSWOOD_INLINE explicit Fields(const Lanes* at) {
        const Lanes ab = __builtin_shufflevector(at[0], at[1], 0, 4, 2, 6);
        const Lanes AB = __builtin_shufflevector(at[0], at[1], 1, 5, 3, 7);
        const Lanes cd = __builtin_shufflevector(at[2], at[3], 0, 4, 2, 6);
        const Lanes CD = __builtin_shufflevector(at[2], at[3], 1, 5, 3, 7);
        grad = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
        square = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
        hess = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
        weight = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    }
    GLASSWOOD_INLINE Fields(const Sums& total, const Fields& left)
        : grad(total.grad - left.grad),
          square(total.square - left.square),
          hess(total.hess - left.hess),
          weight(total.weight - left.weight) {}

    GLASSWOOD_INLINE Side in_numbers(const NodeSums& unit) const {
        return {
            __builtin_convertvector(grad, Numbers) * unit.grad, __builtin_convertvector(square, Numbers) * unit.square,
            __builtin_convertvector(hess, Numbers) * unit.hess, __builtin_convertvector(weight, Numbers) * unit.weight};
    }
};

// The candidates of one feature. They stay in the first cache together with the cells they come from.
struct Candidates {
    std::size_t n = 0;
    alignas(64) Lanes sums[max_bins + n_side_by_side];  // of the left child
    std::int32_t bin[max_bins + 1];
    double gain[max_bins + n_side_by_side];
};

constexpr double none = -__builtin_inf();

// Cuts after each bin that holds rows. The last one is a cut only where missing values are left for the right.
void collect(const Sums* cells, std::size_t n_bins, const Sums& start, bool last_counts, const ScanTask& task,
             Candidates& out) {
    Lanes* lefts = out.sums;
    const Lanes* sums = reinterpret_cast<const Lanes*>(cells);
    const Lanes total{task.total.grad, task.total.square, task.total.hess, task.total.weight};
    Lanes left{start.grad, start.square, start.hess, start.weight};
    std::size_t n = 0;
    for (std::size_t b = 0; b < n_bins; ++b) {
        left += sums[b];
        lefts[n] = left;
        out.bin[n] = static_cast<std::int32_t>(b);
        n += cells[b].weight != 0 ? 1 : 0;  // an empty bin is written over: no branch to guess wrong
    }
    for (std::size_t k = n; k < n + n_side_by_side; ++k) lefts[k] = total;
    out.n = n > 0 && !last_counts ? n - 1 : n;
}

// Newton's gain, by the expressions of `Improvement<Newton>` and `differ`, four candidates at once: the gain of nearly
// all fits.
void evaluate_newton(const ScanTask& task, Candidates& c) {
    const NodeSums node = in_numbers(task.total, task.unit);
    const double of_node = Newton{task.l2}(node);
    const double least = 1e-20 * node.square * node.hess;
    for (std::size_t first = 0; first < c.n; first += n_side_by_side) {
        const Fields lefts(c.sums + first);
        const Side l = lefts.in_numbers(task.unit), r = Fields(task.total, lefts).in_numbers(task.unit);
        const Numbers cross = l.grad * r.hess - r.grad * l.hess;
        const Lanes valid =
            (l.weight >= task.min_weight) & (r.weight >= task.min_weight) & (cross * cross > least * (l.hess * r.hess));
        const Numbers gain = l.grad * l.grad / (l.hess + task.l2) + r.grad * r.grad / (r.hess + task.l2) - of_node;
        const Numbers found = valid ? gain : none - Numbers{};
        __builtin_memcpy(c.gain + first, &found, sizeof found);
    }
}

// The sums of one child in many candidates, field by field, so that the compiler computes gains side by side.
struct Sides {
    static constexpr std::size_t size = 64;
    double grad[size];
    double square[size];
    double hess[size];
    double weight[size];

    GLASSWOOD_INLINE void set(std::size_t k, const Side& side) {
        __builtin_memcpy(grad + k, &side.grad, sizeof side.grad);
        __builtin_memcpy(square + k, &side.square, sizeof side.square);
        __builtin_memcpy(hess + k, &side.hess, sizeof side.hess);
        __builtin_memcpy(weight + k, &side.weight, sizeof side.weight);
    }
    GLASSWOOD_INLINE NodeSums get(std::size_t k) const { return {grad[k], square[k], hess[k], weight[k]}; }
};

template <class Gain>
void evaluate(const Gain& gain, const ScanTask& task, Candidates& c) {
    const NodeSums node = in_numbers(task.total, task.unit);
    for (std::size_t first = 0; first < c.n; first += Sides::size) {
        const std::size_t n = c.n - first < Sides::size ? c.n - first : Sides::size;
        Sides left, right;
        for (std::size_t k = 0; k < n; k += n_side_by_side) {
            const Fields lefts(c.sums + first + k);
            left.set(k, lefts.in_numbers(task.unit));
            right.set(k, Fields(task.total, lefts).in_numbers(task.unit));
        }
        for (std::size_t k = 0; k < n; ++k) {
            const NodeSums l = left.get(k);
            const NodeSums r = right.get(k);
            const double found = gain(l, r, node);
            const bool valid = (l.weight >= task.min_weight) & (r.weight >= task.min_weight) & differ(l, r, node);
            c.gain[first + k] = valid ? found : none;
        }
    }
}

void evaluate_as(const ScanTask& task, Candidates& c) {
    switch (task.gain) {
        case GainKind::newton:
            return evaluate_newton(task, c);
        case GainKind::cred_var:
            return evaluate(Improvement<CredVar>{{task.l2}}, task, c);
        case GainKind::cred_std:
            return evaluate(Improvement<CredStd>{{task.l2}}, task, c);
        case GainKind::welch:
            return task.rho == 1.0 ? evaluate(Welch{}, task, c) : evaluate(WelchPower{task.rho}, task, c);
    }
}

GLASSWOOD_INLINE double clip(double x, double lower, double upper) { return x < lower ? lower : x > upper ? upper : x; }

// Children whose values stand in the wrong order are not candidates.
void keep_monotone(const ScanTask& task, Candidates& c) {
    const Lanes total{task.total.grad, task.total.square, task.total.hess, task.total.weight};
    const auto value = [&](const Lanes& sums) {
        const NodeSums own = in_numbers({sums[0], sums[1], sums[2], sums[3]}, task.unit);
        return clip(leaf_value(own.grad, own.hess, task.l2), task.lower, task.upper);
    };
    for (std::size_t k = 0; k < c.n; ++k) {
        const double l = value(c.sums[k]), r = value(total - c.sums[k]);
        c.gain[k] = task.monotone * (r - l) < 0.0 ? none : c.gain[k];
    }
}

// Cuts that leave a child fewer rows than it must have are not candidates. Only rows whose side is known are counted.
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

GLASSWOOD_INLINE Numbers four(const double* gain) {
    Numbers out;
    __builtin_memcpy(&out, gain, sizeof out);
    return out;
}

// The first candidate that ties with the best; NaN is never best.
std::size_t first_best(Candidates& c, double& best) {
    for (std::size_t k = 0; k < n_side_by_side; ++k) c.gain[c.n + k] = none;
    Numbers most = none - Numbers{};
    for (std::size_t k = 0; k < c.n; k += n_side_by_side) {
        const Numbers gain = four(c.gain + k);
        most = gain > most ? gain : most;
    }
    best = none;
    for (std::size_t i = 0; i < n_side_by_side; ++i) best = most[i] > best ? most[i] : best;
    const double enough = best - tie * (best > 0.0 ? best : 0.0);
    std::size_t k = 0;
    for (; k < c.n; k += n_side_by_side) {
        const Lanes ties = four(c.gain + k) >= enough;
        if ((ties[0] | ties[1] | ties[2] | ties[3]) != 0) break;
    }
    while (k < c.n && !(c.gain[k] >= enough)) ++k;
    return k;
}

void consider(const Sums* cells, std::size_t n_bins, const Sums& start, bool missing_left, bool last_counts,
              const ScanTask& task, Candidate& found) {
    Candidates c;
    collect(cells, n_bins, start, last_counts, task, c);
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
    collect(cells, n, start, true, task, c);
    evaluate_as(task, c);
    if (task.monotone != 0) keep_monotone(task, c);
    for (std::size_t k = 0; k < n; ++k) out[k] = c.gain[k];
}

Candidate scan(const Sums* cells, std::size_t n_bins, const Sums* missing, const ScanTask& task) {
    const bool any_missing = missing != nullptr && missing->weight != 0;
    Candidate found = no_candidate;
    consider(cells, n_bins, {}, false, any_missing, task, found);
    if (any_missing) consider(cells, n_bins, *missing, true, false, task, found);
    return found;
}

// Cuts of a feature whose usual bin has no cell. Below that bin, what lies left is added up from the lowest cell; above
// it, what lies right from the highest.
GLASSWOOD_INLINE std::size_t collect_around(const Sums* cells, const OtherCells& feature, const Lanes& total,
                                            Lanes* lefts, std::size_t n) {
    const Lanes* sums = reinterpret_cast<const Lanes*>(cells);
    Lanes left{};
    for (std::size_t b = 0; b < feature.n_below; ++b) {
        left += sums[b];
        lefts[n] = left;
        n += cells[b].weight != 0 ? 1 : 0;
    }
    Lanes right{};
    for (std::size_t b = feature.n; b-- > feature.n_below;) {
        right += sums[b];
        lefts[n] = total - right;
        n += cells[b].weight != 0 ? 1 : 0;
    }
    return n;
}

std::size_t contend(const Sums* histogram, const OtherCells* features, std::size_t n, double least,
                    const ScanTask& task, Contender* out) {
    const Lanes total{task.total.grad, task.total.square, task.total.hess, task.total.weight};
    Candidates c;
    std::uint32_t start[max_bins + 1];  // first cut of each feature
    std::size_t n_found = 0;
    for (std::size_t f = 0; f < n; ++f) {
        start[f] = static_cast<std::uint32_t>(c.n);
        const Sums* cells = histogram + features[f].first;
        if (features[f].has_missing && cells[features[f].n].weight != 0) {
            out[n_found++] = {static_cast<std::uint32_t>(f), __builtin_nan("")};
        } else {
            c.n = collect_around(cells, features[f], total, c.sums, c.n);
        }
    }
    start[n] = static_cast<std::uint32_t>(c.n);
    if (c.n == 0) return n_found;
    for (std::size_t k = 0; k < n_side_by_side; ++k) c.sums[c.n + k] = total;
    evaluate_as(task, c);
    for (std::size_t k = 0; k < n_side_by_side; ++k) c.gain[c.n + k] = none;
    Lanes any{};
    for (std::size_t k = 0; k < c.n; k += n_side_by_side) any |= four(c.gain + k) >= least;
    if ((any[0] | any[1] | any[2] | any[3]) == 0) return n_found;
    for (std::size_t f = 0; f < n; ++f) {
        double best = none;
        for (std::uint32_t k = start[f]; k < start[f + 1]; ++k) best = c.gain[k] > best ? c.gain[k] : best;
        if (best >= least && best != none) out[n_found++] = {static_cast<std::uint32_t>(f), best};
    }
    return n_found;
}

}  // namespace

extern const BoostKernels kernels;
const BoostKernels kernels{&subtract, &scan, &gains, &contend};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

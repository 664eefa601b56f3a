#include "glasswood/explain/training_mass.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/cell_table_sums.hpp"

namespace glasswood::explain {
namespace {

// Below this share of the mean over the cells a mass is rounding.
constexpr double rounding = 1e-13;

}  // namespace

class Masses {
 public:
    Masses(const model::Ensemble& e, const Paths& paths) : e_(e), paths_(paths), tree_of_(trees_of_leaves(paths)) {
        uses_.assign(e.n_trees() * e.n_features(), 0);
        leaf_mass_.assign(e.n_trees(), 0.0);
        for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) {
            if (paths.reachable[leaf] != 0) leaf_mass_[tree_of_[leaf]] += paths.weight[leaf];
            has_empty_ = has_empty_ || paths.weight[leaf] == 0.0;
            for (std::int64_t side = paths.start[leaf]; side < paths.start[leaf + 1]; ++side)
                uses_[tree_of_[leaf] * e.n_features() + paths.feature[side]] = 1;
        }
    }

    // Number and mass of the trees that split j or k and add to an output; and how many trees there are.
    struct Users {
        double n = 0, mass = 0, n_all = 0, root_mass = 0;
    };
    Users users(std::int32_t j, std::int32_t k, std::size_t output) const {
        Users found;
        for (std::size_t t = 0; t < e_.n_trees(); ++t) {
            const auto first = static_cast<std::size_t>(e_.tree_output[t]);
            if (output < first || output >= first + e_.width) continue;
            found.n_all += 1;
            found.root_mass += paths_.tree_weight[t];
            if (uses_[t * e_.n_features() + j] == 0 && uses_[t * e_.n_features() + k] == 0) continue;
            found.n += 1;
            found.mass += leaf_mass_[t];
        }
        return found;
    }

    // Σ weight · u_j over the leaves of the trees that split j, where u_j = 1[z on the side] / cells on the side, and
    // 1 / all cells for a leaf that does not ask for j. As (n_outputs, cells).
    std::vector<double> single(std::int32_t j) const {
        const std::int64_t cells = paths_.axes.size[j];
        std::vector<double> out(e_.n_outputs() * cells, 0.0);
        for (std::size_t leaf = 0; leaf < paths_.n_leaves(); ++leaf) {
            const std::size_t tree = tree_of_[leaf];
            if (paths_.reachable[leaf] == 0 || uses_[tree * e_.n_features() + j] == 0) continue;
            const std::int64_t side = paths_.side_of(leaf, j);
            const double each = paths_.weight[leaf] / n_cells(j, side);
            for (std::size_t k = 0; k < e_.width; ++k) {
                double* table = out.data() + (e_.tree_output[tree] + k) * cells;
                if (side < 0) {
                    table[0] += each;
                } else {
                    scatter(paths_.edges(side), each, table);
                }
            }
        }
        for (std::size_t o = 0; o < e_.n_outputs(); ++o)
            cumulate({&cells, 1}, out.data() + static_cast<std::int64_t>(o) * cells);
        return out;
    }

    // (n_outputs, cells of j)
    void fill_single(std::int32_t j, std::span<const double> sums, double* out) const {
        const std::int64_t cells = paths_.axes.size[j];
        for (std::size_t o = 0; o < e_.n_outputs(); ++o) {
            const Users u = users(j, j, o);
            for (std::int64_t z = 0; z < cells; ++z)
                out[o * cells + z] = u.n > 0 ? sums[o * cells + z] / u.n : mean_root(u) / n_cells(j, -1);
            clear_irregular(paths_.axes, {&j, 1}, out + o * cells);
            round_off(out + o * cells, cells);
        }
    }

    // With both features on a path: weight (u_j - 1/K_j)(u_k - 1/K_k), which is 0 for every other leaf. The rest are
    // sums of one feature. (n_outputs, cells of j, cells of k)
    void fill_pair(std::int32_t j, std::int32_t k, std::span<const PairLeaves::Entry> entries,
                   std::span<const double> sums_j, std::span<const double> sums_k, PairDifferences& scratch,
                   double* out) const {
        const std::int64_t n_j = paths_.axes.size[j], n_k = paths_.axes.size[k], cells = n_j * n_k;
        const double all_j = n_cells(j, -1), all_k = n_cells(k, -1);
        double* differences = scratch.prepare(static_cast<std::int64_t>(e_.n_outputs()), n_j, n_k);
        for (const PairLeaves::Entry& at : entries) {
            if (paths_.reachable[at.leaf] == 0) continue;
            const double w = paths_.weight[at.leaf];
            const double m_j = n_cells(j, at.side_a), m_k = n_cells(k, at.side_b);
            for (std::size_t c = 0; c < e_.width; ++c)
                scatter_pair(paths_.edges(at.side_a), paths_.edges(at.side_b), n_k, w / m_j / m_k, w / m_j / all_k,
                             w / m_k / all_j, w / all_j / all_k,
                             differences + (e_.tree_output[tree_of_[at.leaf]] + c) * cells);
        }
        std::vector<double> row(n_j), column(n_k);
        for (std::size_t o = 0; o < e_.n_outputs(); ++o) {
            const Users both = users(j, k, o);
            const double rest_j = (both.mass - users(j, j, o).mass) / all_j;
            const double rest_k = (both.mass - users(k, k, o).mass) / all_k;
            const double flat = both.n > 0 ? 0.0 : mean_root(both) / all_j / all_k;
            const double each = both.n > 0 ? 1.0 / both.n : 0.0;
            for (std::int64_t z = 0; z < n_k; ++z) column[z] = each * (sums_k[o * n_k + z] + rest_k) / all_j + flat;
            for (std::int64_t y = 0; y < n_j; ++y)
                row[y] = each * ((sums_j[o * n_j + y] + rest_j) / all_k - both.mass / all_j / all_k);
            double* table = out + static_cast<std::int64_t>(o) * cells;
            scratch.write(static_cast<std::int64_t>(o), each, row, column, table);
            clear_irregular(paths_.axes, std::array{j, k}, table);
            round_off(table, cells);
        }
    }

 private:
    double n_cells(std::int32_t f, std::int64_t side) const {
        return std::max(1, side < 0 ? paths_.axes.regular[f] : paths_.n_regular[side]);
    }

    static double mean_root(const Users& u) { return u.n_all > 0 ? u.root_mass / u.n_all : 0.0; }

    // Leaves of weight 0 make cells without mass, where only the rounding of what cancelled must not remain.
    void round_off(double* mass, std::int64_t cells) const {
        if (!has_empty_) return;
        double total = 0;
        for (std::int64_t z = 0; z < cells; ++z) total += mass[z];
        const double threshold = rounding * total / static_cast<double>(cells);
        for (std::int64_t z = 0; z < cells; ++z) mass[z] = mass[z] > threshold ? mass[z] : 0.0;
    }

    const model::Ensemble& e_;
    const Paths& paths_;
    std::vector<std::int32_t> tree_of_;
    std::vector<std::uint8_t> uses_;  // (n_trees, n_features)
    std::vector<double> leaf_mass_;   // (n_trees)
    bool has_empty_ = false;          // some leaf has no weight
};

PairMass::PairMass(const model::Ensemble& e, const Paths& paths, std::span<const std::int32_t> pairs,
                   const PairLeaves& leaves, int n_threads)
    : masses_(std::make_unique<Masses>(e, paths)), pairs_(pairs), leaves_(leaves), sums_(e.n_features()) {
    const std::vector<std::int32_t> distinct = distinct_features(pairs);
    const base::Work work = base::work_of(distinct.size() * paths.n_leaves(), 10.0);
    base::parallel_for(distinct.size(), n_threads, work,
                       [&](std::size_t i) { sums_[distinct[i]] = masses_->single(distinct[i]); });
}

PairMass::~PairMass() = default;

void PairMass::fill(std::size_t p, PairDifferences& scratch, double* out) const {
    const std::int32_t j = pairs_[2 * p], k = pairs_[2 * p + 1];
    masses_->fill_pair(j, k, leaves_.of(p), sums_[j], sums_[k], scratch, out);
}

void single_mass(const model::Ensemble& e, const Paths& paths, std::span<const std::int32_t> features, int n_threads,
                 double* out) {
    const Masses masses(e, paths);
    const std::vector<std::int64_t> start = table_starts(paths.axes, features, 1, e.n_outputs());
    base::parallel_for(
        features.size(), n_threads, base::work_of(features.size() * paths.n_leaves(), 10.0),
        [&](std::size_t i) { masses.fill_single(features[i], masses.single(features[i]), out + start[i]); });
}

}  // namespace glasswood::explain

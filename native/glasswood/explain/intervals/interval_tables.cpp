#include "glasswood/explain/intervals/interval_tables.hpp"

#include <algorithm>
#include <memory>

#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/cell_table_sums.hpp"
#include "glasswood/explain/intervals/leaf_moments.hpp"
#include "glasswood/explain/intervals/single_features.hpp"
#include "glasswood/explain/intervals/tree_cells.hpp"
#include "glasswood/explain/intervals/tree_means.hpp"

namespace glasswood::explain::intervals {
namespace {

struct Tuple {
    std::span<const std::int32_t> features;
    std::vector<std::int64_t> shape;
    std::int64_t cells = 1;
    double* value;
    double* spread;
    double* weight;
    double* mean;  // (n_outputs)
};

// What each tree says as a whole: its planes for a table of one cell.
std::vector<double> whole_trees(const model::Ensemble& e, const Paths& paths, Formula formula) {
    std::vector<double> planes(e.n_trees() * n_planes(e));
    std::vector<double> total(n_moments(e));
    LeafMoments one(e, paths);
    for (std::size_t tree = 0; tree < e.n_trees(); ++tree) {
        std::ranges::fill(total, 0.0);
        for (std::int32_t leaf = paths.tree_leaf[tree]; leaf < paths.tree_leaf[tree + 1]; ++leaf) {
            if (paths.reachable[leaf] == 0) continue;
            one.set(leaf, paths.weight[leaf]);
            one.add_to(total.data());
        }
        describe(e, formula, tree, total.data(), 1, planes.data() + tree * n_planes(e));
    }
    return planes;
}

class TupleTable {
 public:
    // `cells` is needed for tables of several features only.
    TupleTable(const model::Ensemble& e, const Paths& paths, const TreeBreaks& own, const TreeCells* cells,
               std::span<const double> wholes, const SinglePlanes& singles, Formula formula)
        : e_(e), paths_(paths), own_(own), cells_(cells), wholes_(wholes), singles_(singles), formula_(formula) {}

    void fill(const Tuple& tuple) {
        TreeMeans table(e_, paths_, cells_, formula_);
        n_trees_.assign(e_.n_outputs(), 0.0);
        n_using_.assign(e_.n_outputs(), 0.0);
        mass_.assign(e_.n_outputs(), 0.0);
        const std::size_t degree = tuple.features.size();
        for (std::size_t tree = 0; tree < e_.n_trees(); ++tree) {
            base::check_interrupt();
            std::size_t n_used = 0, last_used = 0;
            for (std::size_t d = 0; d < degree; ++d) {
                if (own_.find(tree, tuple.features[d]) < 0) continue;
                ++n_used;
                last_used = d;
            }
            count(tree, n_used > 0);
            if (n_used == 0) {
                starts_.assign(1, 0);
                add_planes(tree, tuple, wholes_.data() + tree * n_planes(e_), formula_ == Formula::shared ? 0.0 : 1.0);
            } else if (n_used == 1) {
                add_single(tree, tuple, last_used);
            } else {
                const auto planes = table.differences(tree, tuple.features);
                find_starts(tuple, table);
                add_planes(tree, tuple, planes.data(), 1.0);
            }
        }
        finish(tuple);
    }

 private:
    void count(std::size_t tree, bool used) {
        for (std::size_t k = 0; k < e_.width; ++k) {
            const std::size_t output = e_.tree_output[tree] + k;
            n_trees_[output] += 1.0;
            n_using_[output] += used ? 1.0 : 0.0;
            mass_[output] += paths_.tree_weight[tree];
        }
    }

    void add_single(std::size_t tree, const Tuple& tuple, std::size_t used) {
        const std::int64_t own = own_.find(tree, tuple.features[used]);
        std::int64_t stride = 1;
        for (std::size_t d = used + 1; d < tuple.shape.size(); ++d) stride *= tuple.shape[d];
        starts_.clear();
        for (const std::int32_t cell : own_.of(own)) starts_.push_back(cell * stride);
        double weight = 1.0;
        for (std::size_t d = 0; formula_ == Formula::shared && d < tuple.shape.size(); ++d)
            weight /= d == used ? 1 : std::max(1, paths_.axes.regular[tuple.features[d]]);
        add_planes(tree, tuple, singles_.of(own), weight);
    }

    // The first common cell of each of the tree's own cells.
    void find_starts(const Tuple& tuple, const TreeMeans& table) {
        starts_.assign(1, 0);
        for (std::size_t d = 0; d < tuple.shape.size(); ++d) {
            next_.clear();
            for (const std::int64_t before : starts_) {
                for (const std::int32_t cell : table.breaks(d)) next_.push_back(before * tuple.shape[d] + cell);
            }
            starts_.swap(next_);
        }
    }

    // Adds the planes of a tree, which stand one after the other, at the cells in starts_.
    void add_planes(std::size_t tree, const Tuple& tuple, const double* planes, double weight) const {
        for (std::size_t k = 0; k < e_.width; ++k) {
            const std::int64_t first = (e_.tree_output[tree] + static_cast<std::int64_t>(k)) * tuple.cells;
            const double* mean = planes + (1 + 2 * k) * starts_.size();
            const double* spread = planes + (2 + 2 * k) * starts_.size();
            for (std::size_t i = 0; i < starts_.size(); ++i) {
                tuple.weight[first + starts_[i]] += weight * planes[i];
                tuple.value[first + starts_[i]] += mean[i];
                tuple.spread[first + starts_[i]] += spread[i];
            }
        }
    }

    void finish(const Tuple& tuple) {
        double n_regular = 1.0;
        for (const std::int32_t f : tuple.features) n_regular *= std::max(1, paths_.axes.regular[f]);
        for (std::size_t o = 0; o < e_.n_outputs(); ++o) {
            const std::int64_t first = static_cast<std::int64_t>(o) * tuple.cells;
            cumulate(tuple.shape, tuple.value + first);
            cumulate(tuple.shape, tuple.spread + first);
            double* weight = tuple.weight + first;
            if (formula_ == Formula::shared && n_using_[o] == 0.0) {
                weight[0] = n_trees_[o] == 0.0 ? 0.0 : mass_[o] / n_trees_[o] / n_regular;
                n_using_[o] = 1.0;
            }
            cumulate(tuple.shape, weight);
            const double divisor = formula_ == Formula::shared     ? n_using_[o]
                                   : formula_ == Formula::treemind ? n_trees_[o]
                                                                   : 1.0;
            const double each = divisor > 0.0 ? 1.0 / divisor : 0.0;
            for (std::int64_t cell = 0; cell < tuple.cells; ++cell) {
                weight[cell] *= each;
                tuple.value[first + cell] += e_.baseline[o];
                tuple.spread[first + cell] = std::max(0.0, tuple.spread[first + cell]);
            }
            // How much of the training weight was missing or unseen is not known.
            clear_irregular(paths_.axes, tuple.features, weight);
            const auto cells = static_cast<std::size_t>(tuple.cells);
            tuple.mean[o] = weighted_mean({tuple.value + first, cells}, {weight, cells});
        }
    }

    const model::Ensemble& e_;
    const Paths& paths_;
    const TreeBreaks& own_;
    const TreeCells* cells_;
    std::span<const double> wholes_;
    const SinglePlanes& singles_;
    const Formula formula_;
    std::vector<double> n_trees_, n_using_, mass_;
    std::vector<std::int64_t> starts_, next_;
};

}  // namespace

std::vector<double> leaf_tables(const model::Ensemble& e, const Paths& paths, std::span<const std::int32_t> features,
                                std::size_t degree, Formula formula, int n_threads, const LeafTables& out) {
    const std::vector<std::int64_t> start = table_starts(paths.axes, features, degree, e.n_outputs());
    const TreeBreaks own(e, paths.axes);
    const std::vector<double> wholes = whole_trees(e, paths, formula);
    const SinglePlanes singles(e, paths, own, formula, features, n_threads);
    const std::unique_ptr<const TreeCells> cells(degree > 1 ? new TreeCells(paths, own) : nullptr);
    std::vector<double> means((start.size() - 1) * e.n_outputs());
    const auto n_cells = static_cast<std::size_t>(start.back());
    const base::Work work{base::work_of(n_cells, 5.0).nanoseconds +
                          base::work_of((start.size() - 1) * paths.n_leaves(), 2.0).nanoseconds};
    base::parallel_for(start.size() - 1, n_threads, work, [&](std::size_t i) {
        Tuple tuple{features.subspan(i * degree, degree),
                    {},
                    1,
                    out.value + start[i],
                    out.spread + start[i],
                    out.weight + start[i],
                    means.data() + i * e.n_outputs()};
        for (const std::int32_t f : tuple.features) tuple.shape.push_back(paths.axes.size[f]);
        for (const std::int64_t n : tuple.shape) tuple.cells *= n;
        TupleTable(e, paths, own, cells.get(), wholes, singles, formula).fill(tuple);
    });
    return means;
}

}  // namespace glasswood::explain::intervals

#include "glasswood/leaf_tables.hpp"

#include <algorithm>
#include <cmath>

#include "glasswood/effects.hpp"
#include "glasswood/own_cells.hpp"
#include "glasswood/parallel.hpp"

namespace glasswood {
namespace {

// Below this share of the mean square a variance is rounding.
constexpr double rounding = 4e-15;

// Moments of a set of leaves: Σw, number of leaves, then Σwv and Σwv² per column of value.
struct Layout {
    std::size_t width;
    std::size_t size() const { return 2 + 2 * width; }
};

struct Tuple {
    std::span<const std::int32_t> features;
    std::vector<std::int64_t> shape;
    std::int64_t cells = 1;
    double* value;
    double* spread;
    double* weight;
};

// One tree's means on its own cells. All but the last feature of a tuple are one outer axis, the last is the inner
// one. Leaves are summed apart by which of the two they ask for, so that nothing is ever subtracted.
class TreeTable {
 public:
    TreeTable(const Ensemble& e, const Paths& paths, const OwnCells& own, Formula formula)
        : e_(e), paths_(paths), own_(own), formula_(formula), layout_{e.width} {}

    // False if the tree splits none of the features.
    bool fill(std::size_t tree, const Tuple& tuple) {
        const std::size_t degree = tuple.features.size();
        breaks_.assign(degree, std::span(&first_cell, 1));
        const std::int32_t n_leaves = paths_.tree_leaf[tree + 1] - paths_.tree_leaf[tree];
        sides_.assign(degree * n_leaves, -1);
        bool used = false;
        for (std::size_t d = 0; d < degree; ++d) {
            const std::int64_t own = own_.find(tree, tuple.features[d]);
            if (own < 0) continue;
            used = true;
            breaks_[d] = own_.breaks(own);
            for (const OwnCells::LeafSide& at : own_.leaves(own)) sides_[at.leaf * degree + d] = at.side;
        }
        if (!used) return false;
        n_inner_ = breaks_[degree - 1].size();
        n_outer_ = 1;
        for (std::size_t d = 0; d + 1 < degree; ++d) n_outer_ *= breaks_[d].size();
        const std::size_t s = layout_.size();
        both_.assign(n_outer_ * n_inner_ * s, 0.0);
        outer_.assign(n_outer_ * s, 0.0);
        inner_.assign(n_inner_ * s, 0.0);
        neither_.assign(s, 0.0);
        for (std::int32_t i = 0; i < n_leaves; ++i) {
            const std::size_t leaf = paths_.tree_leaf[tree] + i;
            if (paths_.reachable[leaf] != 0) add_leaf(leaf, tuple, sides_.data() + i * degree);
        }
        return true;
    }

    // Moments of the leaves that meet an own cell; to be asked once per cell.
    const double* moments(std::size_t outer, std::size_t inner) {
        const std::size_t s = layout_.size();
        double* cell = both_.data() + (outer * n_inner_ + inner) * s;
        for (std::size_t q = 0; q < s; ++q) cell[q] += (outer_[outer * s + q] + inner_[inner * s + q]) + neither_[q];
        return cell;
    }

    std::size_t n_outer() const { return n_outer_; }
    std::size_t n_inner() const { return n_inner_; }
    std::span<const std::int32_t> breaks(std::size_t d) const { return breaks_[d]; }

 private:
    static constexpr std::int32_t first_cell = 0;

    void add_leaf(std::size_t leaf, const Tuple& tuple, const std::int64_t* sides) {
        const std::size_t degree = tuple.features.size();
        double w = paths_.weight[leaf];
        if (formula_ == Formula::shared) {
            for (std::size_t d = 0; d < degree; ++d)
                w /= std::max(1, sides[d] < 0 ? paths_.axes.regular[tuple.features[d]] : paths_.n_regular[sides[d]]);
        }
        one_.resize(layout_.size());
        one_[0] = w;
        one_[1] = 1.0;
        const double* value = e_.value.data() + paths_.leaf[leaf] * e_.width;
        for (std::size_t k = 0; k < e_.width; ++k) {
            one_[2 + 2 * k] = w * value[k];
            one_[3 + 2 * k] = w * value[k] * value[k];
        }
        const std::int64_t last = sides[degree - 1];
        const bool has_outer = std::any_of(sides, sides + degree - 1, [](std::int64_t side) { return side >= 0; });
        if (!has_outer) {
            if (last < 0) add(neither_.data());
            for (const std::int32_t i : cells_of(last)) add(inner_.data() + i * layout_.size());
            return;
        }
        list_outer(sides, degree);
        for (const std::int64_t o : outer_cells_) {
            if (last < 0) add(outer_.data() + o * layout_.size());
            for (const std::int32_t i : cells_of(last)) add(both_.data() + (o * n_inner_ + i) * layout_.size());
        }
    }

    std::span<const std::int32_t> cells_of(std::int64_t side) const {
        return side < 0 ? std::span<const std::int32_t>{} : own_.cells(side);
    }

    // The outer cells that a leaf meets: products of its own cells on all features but the last.
    void list_outer(const std::int64_t* sides, std::size_t degree) {
        outer_cells_.assign(1, 0);
        for (std::size_t d = 0; d + 1 < degree; ++d) {
            const auto n = static_cast<std::int64_t>(breaks_[d].size());
            next_cells_.clear();
            for (const std::int64_t before : outer_cells_) {
                if (sides[d] < 0) {
                    for (std::int64_t cell = 0; cell < n; ++cell) next_cells_.push_back(before * n + cell);
                } else {
                    for (const std::int32_t cell : own_.cells(sides[d])) next_cells_.push_back(before * n + cell);
                }
            }
            outer_cells_.swap(next_cells_);
        }
    }

    void add(double* to) const {
        for (std::size_t q = 0; q < one_.size(); ++q) to[q] += one_[q];
    }

    const Ensemble& e_;
    const Paths& paths_;
    const OwnCells& own_;
    const Formula formula_;
    const Layout layout_;
    std::vector<std::span<const std::int32_t>> breaks_;
    std::vector<std::int64_t> sides_;  // (leaves of the tree, degree)
    std::size_t n_outer_ = 1, n_inner_ = 1;
    std::vector<double> both_, outer_, inner_, neither_, one_;
    std::vector<std::int64_t> outer_cells_, next_cells_;
};

struct MeanAndSpread {
    double mean, spread;
};

MeanAndSpread mean_and_spread(const double* moments, std::size_t column, double otherwise) {
    if (!(moments[0] > 0.0)) return {otherwise, 0.0};
    const double mean = moments[2 + 2 * column] / moments[0];
    const double square = moments[3 + 2 * column] / moments[0];
    const double variance = square - mean * mean;
    return {mean, variance <= rounding * square ? 0.0 : std::sqrt(variance)};
}

// Moments of all leaves of each tree, one after the other.
std::vector<double> tree_totals(const Ensemble& e, const Paths& paths) {
    const std::size_t s = Layout{e.width}.size();
    std::vector<double> totals(e.n_trees() * s, 0.0);
    for (std::size_t tree = 0; tree < e.n_trees(); ++tree) {
        double* total = totals.data() + tree * s;
        for (std::int32_t leaf = paths.tree_leaf[tree]; leaf < paths.tree_leaf[tree + 1]; ++leaf) {
            if (paths.reachable[leaf] == 0) continue;
            const double* value = e.value.data() + paths.leaf[leaf] * e.width;
            total[0] += paths.weight[leaf];
            total[1] += 1.0;
            for (std::size_t k = 0; k < e.width; ++k) {
                total[2 + 2 * k] += paths.weight[leaf] * value[k];
                total[3 + 2 * k] += paths.weight[leaf] * value[k] * value[k];
            }
        }
    }
    return totals;
}

class TupleTable {
 public:
    TupleTable(const Ensemble& e, const Paths& paths, const OwnCells& own, std::span<const double> totals,
               Formula formula)
        : e_(e), paths_(paths), own_(own), totals_(totals), formula_(formula) {}

    void fill(const Tuple& tuple) {
        TreeTable table(e_, paths_, own_, formula_);
        n_trees_.assign(e_.n_outputs(), 0.0);
        n_using_.assign(e_.n_outputs(), 0.0);
        mass_.assign(e_.n_outputs(), 0.0);
        for (std::size_t tree = 0; tree < e_.n_trees(); ++tree) {
            const bool used = table.fill(tree, tuple);
            for (std::size_t k = 0; k < e_.width; ++k) {
                const std::size_t output = e_.tree_output[tree] + k;
                n_trees_[output] += 1.0;
                n_using_[output] += used ? 1.0 : 0.0;
                mass_[output] += paths_.tree_weight[tree];
            }
            if (used) {
                add_tree(tree, tuple, table);
            } else {
                add_constant(tree, tuple);
            }
        }
        finish(tuple);
    }

 private:
    // What a cell's weight gains from one tree.
    double weight_of(const double* moments) const {
        return formula_ == Formula::leafmean ? (moments[1] > 0.0 ? moments[0] / moments[1] : 0.0) : moments[0];
    }

    void add_tree(std::size_t tree, const Tuple& tuple, TreeTable& table) {
        const std::size_t n_outer = table.n_outer(), n_inner = table.n_inner(), n_cells = n_outer * n_inner;
        const std::size_t n_planes = 1 + 2 * e_.width;  // weight, then mean and spread per column
        planes_.resize(n_planes * n_cells);
        for (std::size_t o = 0; o < n_outer; ++o) {
            for (std::size_t i = 0; i < n_inner; ++i) {
                const double* moments = table.moments(o, i);
                const std::size_t cell = o * n_inner + i;
                planes_[cell] = weight_of(moments);
                for (std::size_t k = 0; k < e_.width; ++k) {
                    const double root = e_.value[e_.tree_start[tree] * e_.width + k];
                    const MeanAndSpread found = mean_and_spread(moments, k, root);
                    planes_[(1 + 2 * k) * n_cells + cell] = found.mean;
                    planes_[(2 + 2 * k) * n_cells + cell] = found.spread;
                }
            }
        }
        place(tuple, table);
        for (std::size_t p = 0; p < n_planes; ++p) difference(tuple, table, planes_.data() + p * n_cells, n_cells);
        for (std::size_t k = 0; k < e_.width; ++k) {
            const std::int64_t first = (e_.tree_output[tree] + static_cast<std::int64_t>(k)) * tuple.cells;
            scatter_plane(planes_.data(), tuple.weight + first);
            scatter_plane(planes_.data() + (1 + 2 * k) * n_cells, tuple.value + first);
            scatter_plane(planes_.data() + (2 + 2 * k) * n_cells, tuple.spread + first);
        }
    }

    // Where each own cell begins on the common grid.
    void place(const Tuple& tuple, const TreeTable& table) {
        at_.assign(1, 0);
        for (std::size_t d = 0; d < tuple.shape.size(); ++d) {
            next_.clear();
            for (const std::int64_t before : at_) {
                for (const std::int32_t cell : table.breaks(d)) next_.push_back(before * tuple.shape[d] + cell);
            }
            at_.swap(next_);
        }
    }

    static void difference(const Tuple& tuple, const TreeTable& table, double* plane, std::size_t n_cells) {
        std::size_t stride = n_cells;
        for (std::size_t d = 0; d < tuple.shape.size(); ++d) {
            const std::size_t outer = stride;
            stride /= table.breaks(d).size();
            for (std::size_t first = 0; first < n_cells; first += outer) {
                for (std::size_t at = first + outer; at-- > first + stride;) plane[at] -= plane[at - stride];
            }
        }
    }

    void scatter_plane(const double* plane, double* out) const {
        for (std::size_t i = 0; i < at_.size(); ++i) out[at_[i]] += plane[i];
    }

    // A tree that cannot tell the cells apart adds the same everywhere: one entry of the difference array.
    void add_constant(std::size_t tree, const Tuple& tuple) {
        const double* total = totals_.data() + tree * Layout{e_.width}.size();
        for (std::size_t k = 0; k < e_.width; ++k) {
            const std::int64_t first = (e_.tree_output[tree] + static_cast<std::int64_t>(k)) * tuple.cells;
            const double root = e_.value[e_.tree_start[tree] * e_.width + k];
            const MeanAndSpread found = mean_and_spread(total, k, root);
            tuple.value[first] += found.mean;
            tuple.spread[first] += found.spread;
            if (formula_ != Formula::shared) tuple.weight[first] += weight_of(total);
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
                tuple.spread[first + cell] = std::max(0.0, tuple.spread[first + cell]);
            }
            clear_irregular(tuple, weight);
        }
    }

    // Nobody knows how much of the training weight was missing or unseen.
    void clear_irregular(const Tuple& tuple, double* weight) const {
        std::int64_t stride = tuple.cells;
        for (std::size_t d = 0; d < tuple.shape.size(); ++d) {
            const std::int64_t outer = stride;
            stride /= tuple.shape[d];
            const std::int64_t regular = paths_.axes.regular[tuple.features[d]] * stride;
            for (std::int64_t at = 0; regular < outer && at < tuple.cells; at += outer)
                std::fill(weight + at + regular, weight + at + outer, 0.0);
        }
    }

    const Ensemble& e_;
    const Paths& paths_;
    const OwnCells& own_;
    std::span<const double> totals_;
    const Formula formula_;
    std::vector<double> n_trees_, n_using_, mass_, planes_;
    std::vector<std::int64_t> at_, next_;
};

}  // namespace

LeafTables leaf_tables(const Ensemble& e, const Paths& paths, std::span<const std::int32_t> features,
                       std::size_t degree, Formula formula, int n_threads) {
    const std::vector<std::int64_t> start = table_starts(paths.axes, features, degree, e.n_outputs());
    LeafTables out{std::vector<double>(start.back(), 0.0), std::vector<double>(start.back(), 0.0),
                   std::vector<double>(start.back(), 0.0)};
    const OwnCells own(e, paths);
    const std::vector<double> totals = tree_totals(e, paths);
    parallel_for(start.size() - 1, n_threads, [&](std::size_t i) {
        Tuple tuple{features.subspan(i * degree, degree),
                    {},
                    1,
                    &out.value[start[i]],
                    &out.spread[start[i]],
                    &out.weight[start[i]]};
        for (const std::int32_t f : tuple.features) tuple.shape.push_back(paths.axes.size[f]);
        for (const std::int64_t n : tuple.shape) tuple.cells *= n;
        TupleTable(e, paths, own, totals, formula).fill(tuple);
    });
    return out;
}

}  // namespace glasswood

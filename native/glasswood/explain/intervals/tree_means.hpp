// TreeMeans: one tree's means of leaf values on its own cells, for one tuple of features.
//
// All but the last feature of a tuple are one outer axis, the last is the inner one. Leaves are summed apart by which
// of the two they ask for, so that nothing is ever subtracted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/intervals/interval_tables.hpp"
#include "glasswood/explain/intervals/leaf_moments.hpp"
#include "glasswood/explain/intervals/tree_cells.hpp"
#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain::intervals {

// What a tree says about a cell: its weight, then mean and standard deviation of the leaf values per column.
inline std::size_t n_planes(const model::Ensemble& e) { return 1 + 2 * e.width; }

// From the summed LeafMoments of a cell to what the tree says; a tree without weight in the cell says its overall mean.
void describe(const model::Ensemble& ensemble, Formula formula, std::size_t tree, const double* moments,
              std::size_t step, double* plane);

class TreeMeans {
 public:
    TreeMeans(const model::Ensemble& ensemble, const Paths& paths, const TreeCells* cells, Formula formula)
        : e_(ensemble), paths_(paths), own_(cells), formula_(formula), leaf_(ensemble, paths) {}

    // The planes of a tree, each (own cells …), as differences along every feature. The tree must split one of them.
    std::span<const double> differences(std::size_t tree, std::span<const std::int32_t> features);

    // First common cell of each own cell of a feature, after the last call.
    std::span<const std::int32_t> breaks(std::size_t d) const { return breaks_[d]; }

 private:
    static constexpr std::int32_t first_cell = 0;

    void prepare(std::size_t tree, std::span<const std::int32_t> features);
    void add_leaf(std::size_t leaf, std::span<const std::int32_t> features, const std::int64_t* sides);
    void list_outer(const std::int64_t* sides, std::size_t degree);
    void difference(double* plane) const;
    std::span<const std::int32_t> cells_of(std::int64_t side) const {
        return side < 0 ? std::span<const std::int32_t>{} : own_->cells(side);
    }

    const model::Ensemble& e_;
    const Paths& paths_;
    const TreeCells* own_;  // null as long as no table is asked for
    const Formula formula_;
    LeafMoments leaf_;
    std::vector<std::span<const std::int32_t>> breaks_;
    std::vector<std::int64_t> sides_;  // (leaves of the tree, degree)
    std::size_t n_outer_ = 1, n_inner_ = 1;
    std::vector<double> both_, outer_, inner_, neither_, planes_;
    std::vector<std::int64_t> outer_cells_, next_cells_;
};

}  // namespace glasswood::explain::intervals

// SinglePlanes: what every tree says about single features, on its own cells. A table of one feature is the sum of
// these; in a table of several it is what a tree adds that splits only one of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/intervals/interval_tables.hpp"
#include "glasswood/explain/intervals/tree_cells.hpp"
#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain::intervals {

class SinglePlanes {
 public:
    // Of the features in `features`.
    SinglePlanes(const model::Ensemble& ensemble, const Paths& paths, const TreeBreaks& own, Formula formula,
                 std::span<const std::int32_t> features, int n_threads);

    // The planes of an own index, one after the other, each as differences along the own cells.
    const double* of(std::int64_t own) const { return planes_.data() + start_[own]; }

 private:
    std::vector<std::int64_t> start_;
    std::vector<double> planes_;
};

}  // namespace glasswood::explain::intervals

// Statistics kernels: what rows become before histograms add them up, compiled per CPU level; every level gives the
// same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/boosting/statistics.hpp"

namespace glasswood::boosting {

struct GradientRows {
    const double* grad;
    const double* hess;
    const double* weight;  // null: 1 each
    std::size_t n;
};

struct StatisticsKernels {
    // Largest size of every statistic; that of the weight is 1 where there is none.
    NodeSums (*largest)(const GradientRows& rows);
    // Sums of sizes in whole units, rounded down, none above 2³⁰; `per`: units in 1. The weight only where there is
    // one.
    Sums (*rough)(const GradientRows& rows, const NodeSums& per);
    // Every row in whole units.
    void (*fix)(const GradientRows& rows, const NodeSums& per, Sums* out);
    // The same as pairs, with the squares apart.
    void (*pair)(const GradientRows& rows, const NodeSums& per, Pair* out, std::int64_t* square);
};

const StatisticsKernels& statistics_kernels(base::CpuLevel level);

}  // namespace glasswood::boosting

// OutputTrees: the trees of one round where there are several outputs, grown side by side, each on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/base/interrupt.hpp"
#include "glasswood/boosting/grown_tree.hpp"
#include "glasswood/boosting/row_statistics.hpp"
#include "glasswood/boosting/tree_grower.hpp"

namespace glasswood::boosting {

// What one thread grows a tree with.
struct GrowingPlace {
    Grower* grower;
    RowStatistics* statistics;
};

// What the trees of all outputs share; grad and hess are (n_outputs, n).
struct OutputRows {
    std::span<const double> grad, hess, weight;
    std::span<const std::int64_t> number;
    std::span<const std::uint32_t> rows;
    std::uint64_t seed;
    std::uint64_t first_stream;  // of output 0
};

// One tree per output, on its own columns; its values are scaled by the rate and added to its row of raw
// (n_outputs, n). As many threads work as there are places.
std::vector<GrownTree> grow_outputs(std::span<const GrowingPlace> places, const OutputRows& data,
                                    std::span<const std::span<const std::uint32_t>> columns, double rate,
                                    const base::Interrupt& interrupt, std::span<double> raw);

}  // namespace glasswood::boosting

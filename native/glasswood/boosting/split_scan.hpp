// Split scan: the best split of a feature, found in the histogram of a node (the sums of its rows per bin), and other
// loops over histograms. The kernels are compiled per CPU level; every level gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/base/tie.hpp"
#include "glasswood/boosting/gain.hpp"
#include "glasswood/boosting/statistics.hpp"

namespace glasswood::boosting {

inline constexpr std::size_t max_bins = 256;  // a bin is a byte

using base::tie;

// What the scan of one feature needs to know of its node.
struct ScanTask {
    Sums total;
    NodeSums unit;
    double rows_per_weight;  // at least 1: weights that sum to less than their rows are shares, not counts
    GainKind gain;
    double l2;
    double rho;             // of welch
    double rows_per_level;  // that a category must have in the node for levels to be ordered by their own means
    double min_weight;
    std::uint32_t min_rows;    // of a child, whatever they weigh
    const std::int64_t* rows;  // per cell, missing values last; null: rows are not counted
    std::int32_t monotone;     // +1: the value may only rise, -1: only fall, 0: anything
    double lower;              // bounds of the node's value
    double upper;
};

struct Candidate {
    double gain;       // -inf: no valid split
    std::int32_t bin;  // bins up to this one go left
    bool missing_left;
    Sums left;
};

inline constexpr Candidate no_candidate{-std::numeric_limits<double>::infinity(), -1, false, {}};

// A number in a histogram that has the cells of all its bins but the usual one, whose sums are what is left of the
// node. Cells of bins in ascending order; those of missing values are none of them.
struct OtherCells {
    std::uint32_t first;
    std::uint8_t n_below;  // cells of bins below the usual one
    std::uint8_t n;        // at least 1
    bool has_missing;      // its cell comes next
};

// One of several features, by its place among them, and the gain of its best split. NaN: rows of the node are missing,
// and it must be scanned by itself.
struct Contender {
    std::uint32_t at;
    double gain;
};

struct BoostKernels {
    // a -= b, cell by cell.
    void (*subtract)(Sums* a, const Sums* b, std::size_t n);
    // Best split of one feature; the first of those that tie. `missing`: the cell of missing values, or null.
    // Empty bins are skipped: they offer no partition of their own.
    Candidate (*scan)(const Sums* cells, std::size_t n_bins, const Sums* missing, const ScanTask& task);
    // Sets `out` to the gains of the cuts after each of n cells, at most `max_bins`, of which none is empty. `start`:
    // what lies left of the first. Rows are not counted.
    void (*gains)(const Sums* cells, std::size_t n, const Sums& start, const ScanTask& task, double* out);
    // The gains of many features at once. Leaves out those that gain less than `least`, and those without a split.
    // Returns how many are left. The features have at most `max_bins` cells together. Rows are not counted.
    std::size_t (*contend)(const Sums* histogram, const OtherCells* features, std::size_t n, double least,
                           const ScanTask& task, Contender* out);
};

const BoostKernels& boost_kernels(base::CpuLevel level);

}  // namespace glasswood::boosting

// Candidates: the best split of a node over the features of its histogram.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/boosting/bin_route.hpp"
#include "glasswood/boosting/cell_list.hpp"
#include "glasswood/boosting/split_scan.hpp"
#include "glasswood/boosting/wide_columns.hpp"

namespace glasswood::boosting {

// What growing must know of the features.
struct BinnedFeatures {
    std::vector<std::uint16_t> n_bins;  // without the bins for missing and unseen
    std::vector<std::uint8_t> is_category;
    std::vector<std::int32_t> monotone;                // +1, -1 or 0
    std::vector<std::vector<std::uint32_t>> together;  // per feature the groups it may interact in; all empty: any
    std::vector<std::uint16_t> n_wide;                 // levels of a wide category, which has one bin; else 0

    bool is_wide(std::size_t feature) const { return n_wide[feature] > 0; }
    std::size_t n_cells(std::size_t feature) const { return n_bins[feature] + 1U; }  // one more for missing
};

struct Split {
    double gain;
    std::uint32_t feature;
    std::int32_t bin;  // numbers: bins up to this one go left
    bool missing_left;
    bool unseen_left;
    Sums left;
    BinSet left_set;  // bins that go left
    WideSet wide{};   // of a wide category, instead of the bins
};

// Levels of a wide category that rows of a node have.
struct LevelList {
    std::vector<std::uint32_t> level{};  // ascending, or by their means
    std::vector<Sums> sums{};
    std::vector<std::int64_t> n_rows{};  // one more, for missing values
    Sums missing{};
};

// Best split of one feature. A category's bins are first put in the order of their means.
Candidate best_of_feature(const BinnedFeatures& features, std::size_t feature, const Sums* cells, const ScanTask& task,
                          const BoostKernels& kernels);

// The same from a list of the cells that hold rows. Rows are not counted.
Candidate best_of_list(const BinnedFeatures& features, std::size_t feature, const CellList& list, const ScanTask& task,
                       const BoostKernels& kernels);

// The same of a wide category, by the same rules. Puts the levels in the order of their means; the bin of the candidate
// is a place in that order.
Candidate best_of_wide(LevelList& list, const ScanTask& task, const BoostKernels& kernels);

// Puts levels in the order of their means; those without weight are left out.
void put_in_order(LevelList& list, const ScanTask& task);

// The bins of a category that hold rows, in the order of their means.
std::vector<std::uint32_t> bins_in_order(const Sums* cells, std::size_t n_bins, const ScanTask& task);

// Sets `gains` to those of the cuts after each level of the list, in its order; those that are not allowed are -inf.
void set_gains(const LevelList& list, bool missing_left, const ScanTask& task, const BoostKernels& kernels,
               std::vector<double>& gains);

// Takes the best of the gains, the first of those that tie, if it is better than what was found, without its sums.
// The cut; -1: it is not better.
std::ptrdiff_t take_best(std::span<const double> gains, bool missing_left, Candidate& found);

// Position of the best candidate, the first feature among those that tie; -1 if none gains more than min_gain.
std::ptrdiff_t best_of(std::span<const Candidate> candidates, double min_gain);

// The candidate as a split. What the node has not seen goes with the heavier child.
Split make_split(const BinnedFeatures& features, std::size_t feature, const Candidate& candidate, const Sums* cells,
                 const ScanTask& task);

// The same of a wide category with so many levels, in this wide column. `list` is in the order of means.
Split make_wide_split(std::size_t feature, std::uint32_t column, std::size_t n_levels, const Candidate& candidate,
                      const LevelList& list, const ScanTask& task);

}  // namespace glasswood::boosting

// LeafSets: what one leaf of value 1 gives to rows whose path has too many features for a table of all masks.
//
// Background rows stand as the sets of features they fail, with their weight. Sums of weights are exact whichever way
// they are formed, set by set or by sums over all subsets, so the cheaper way may be taken: the bits are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attribution_distinct.hpp"
#include "glasswood/attribution_kernels.hpp"
#include "glasswood/attribution_plan.hpp"

namespace glasswood {

// Patterns of the background at a group, each once, with their weight.
struct PatternCounts {
    std::vector<Mask> patterns;
    std::vector<std::int64_t> weights;
};

// Holds the working memory of one thread.
class LeafSets {
 public:
    void open(const MaskTable& masks, int n_features, const PatternCounts& counts, double total);

    // out: (masks, n_features), overwritten.
    void values(std::span<const Mask> masks, double* out);
    // out: (masks, pairs), overwritten.
    void pairs(std::span<const Mask> masks, double* out);

 private:
    void values_by_set(std::span<const Mask> masks, double* out);
    void values_by_subset_sums(std::span<const Mask> masks, double* out);
    void finish(Mask mask, double out_of, double* line) const;

    int k_ = 0;
    double total_ = 1;
    DistinctMasks distinct_;
    FailingSets sets_;
    std::vector<std::size_t> start_;
    std::vector<Mask> set_;
    std::vector<double> weight_, lines_, sums_, table_, out_of_;
};

// The same by shares: (masks, pairs) of a leaf with these sides.
void path_pairs(std::span<const AttributionSide> sides, std::span<const Mask> masks, double* out);

}  // namespace glasswood

// DeepLeaf: what one leaf of value 1 gives to rows whose path has too many features for a table of all masks.
//
// Background rows stand as the sets of features they fail, with their weight. Sums of weights are exact whichever way
// they are formed, set by set or by sums over all subsets, so the cheaper way may be taken: the bits are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attributions/attribution_kernels.hpp"
#include "glasswood/attributions/distinct_masks.hpp"
#include "glasswood/attributions/plan.hpp"

namespace glasswood::attributions {

// Patterns of the background at a group, each once, with their weight.
struct PatternCounts {
    std::vector<Mask> patterns;
    std::vector<std::int64_t> weights;
};

// Holds the working memory of one thread.
class DeepLeaf {
 public:
    void prepare(const MaskTable& masks, int n_features, const PatternCounts& counts, double total);

    // Numbers of a line of values: the features, and room for the vector units.
    static std::size_t line_width(std::size_t n_features) { return (n_features + 7) / 8 * 8; }
    // out: (masks, line_width), overwritten.
    void values(std::span<const Mask> masks, double* out);
    // out: (masks, pairs), overwritten.
    void pairs(std::span<const Mask> masks, double* out);

 private:
    void add_by_set(const LeafMasks& leaf);
    void add_by_subset_sums(const LeafMasks& leaf, int max_held);

    int k_ = 0;
    double total_ = 1;
    DistinctMasks distinct_;
    std::vector<std::size_t> start_;
    std::vector<Mask> set_;             // and some that no mask holds
    std::vector<std::uint32_t> short_;  // the same in 32 bits
    std::vector<std::uint8_t> size_;
    std::vector<double> weight_, lines_, table_, out_of_;
};

// The same by shares: (masks, pairs) of a leaf with these sides.
void path_pairs(std::span<const AttributionSide> sides, std::span<const Mask> masks, double* out);

}  // namespace glasswood::attributions

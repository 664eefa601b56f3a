// SubtreeShapley: Shapley values of all leaves of a group at once, from shares, with one walk down and up per pattern.
//
// A leaf gives a feature c (o - r) ∫ Π f over the others. On the way down the walk multiplies the factors f,
// as a vector over quadrature points. On the way up it adds the leaves, and at every split it adds to the split's
// feature what the answer changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attributions/attribution_kernels.hpp"
#include "glasswood/attributions/plan.hpp"

namespace glasswood::attributions {

// Holds the working memory of one thread.
class SubtreeShapley {
 public:
    void prepare(const AttributionPlan& plan, const AttributionGroup& group);
    // lines: (patterns, columns of the group, width), overwritten.
    void fill(std::span<const Mask> patterns, double* lines) const;

 private:
    void prepare_above(std::span<const double> share);
    void prepare_inside(const AttributionPlan& plan, const AttributionGroup& group, std::span<const double> share);

    SubtreeWalk walk_;
    std::vector<double> points_, weights_;
    std::vector<double> pieces_, answer_weights_, factors_, shifts_, values_, products_, sums_, shares_;
    std::vector<std::int32_t> bit_, column_, child_;
    std::vector<std::uint64_t> failed_;
    std::vector<std::uint8_t> cases_;
};

}  // namespace glasswood::attributions

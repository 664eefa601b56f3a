// Subtree: attributions by shares of all leaves of a group at once, one walk down and up for every pattern.
//
// A leaf gives a feature c (o - r) ∫ Π f over the others. The product over the path goes down with the walk, as a
// vector over quadrature points; sums over leaves go up, and on the way every split gives its feature what its answer
// changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attributions/attribution_kernels.hpp"
#include "glasswood/attributions/plan.hpp"

namespace glasswood::attributions {

// Holds the working memory of one thread.
class Subtree {
 public:
    void open(const AttributionPlan& plan, const AttributionGroup& group);
    // lines: (patterns, columns of the group, width), overwritten.
    void fill(std::span<const Mask> patterns, double* lines) const;

 private:
    void open_above(std::span<const double> share);
    void open_inside(const AttributionPlan& plan, const AttributionGroup& group, std::span<const double> share);

    SubtreeWalk walk_;
    std::vector<double> points_, weights_;
    std::vector<double> pieces_, gains_, factors_, shifts_, values_, products_, sums_, shares_;
    std::vector<std::int32_t> bit_, column_, kid_;
    std::vector<std::uint64_t> failed_;
    std::vector<std::uint8_t> cases_;
};

}  // namespace glasswood::attributions

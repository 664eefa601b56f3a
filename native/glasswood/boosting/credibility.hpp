// Credibility: gains and Z of given sums, outside any tree, by the very functors trees are grown with.
#pragma once

#include <span>

#include "glasswood/boosting/gain.hpp"

namespace glasswood::boosting {

// Gain of splitting left[i] from right[i].
void split_gains(GainKind kind, std::span<const NodeSums> left, std::span<const NodeSums> right, double l2,
                 std::span<double> out);

// Z of each node; 1 for the rules that have none.
void credibilities(GainKind kind, std::span<const NodeSums> nodes, std::span<double> out);

}  // namespace glasswood::boosting

// Nonnegative ridge: least squares with a penalty on the squares of the weights, none of which may be negative.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace glasswood::rules {

// For every penalty λ the β ≥ 0 that minimises βᵀAβ − 2bᵀβ + λβᵀβ, (n_penalties, n). `gram` is the symmetric n × n
// matrix A. Active sets as in Lawson and Hanson 1974, chapter 23; each penalty starts from the last one's solution.
std::vector<double> nonnegative_ridge(std::span<const double> gram, std::span<const double> target,
                                      std::span<const double> penalties);

}  // namespace glasswood::rules

// Path choice: the most frequent paths that are linearly independent, which become the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/rules/path_counts.hpp"

namespace glasswood::rules {

// Which paths make the rules: those in more than `p0` of the trees, most frequent first, unless the indicator is a
// linear combination of the constant and those chosen before; at most max_rules. Equal frequencies: fewer conditions
// first, then by (feature, cut, `<=` before `>`, missing right before left). `excluded` paths are passed over.
std::vector<std::int32_t> choose_paths(const RulePaths& paths, const CellFeatures& features, std::size_t n_trees,
                                       double p0, std::size_t max_rules, std::span<const std::uint8_t> excluded);

}  // namespace glasswood::rules

// FlatTables: the tables of all trees as flat arrays, for kernels elsewhere.
//
// A group has bits. A bit of a row's pattern is set unless one of its conditions fails: a row passes if its code is at
// most `cut` or equal to `also`, or not so where `left` is 0.
#pragma once

#include <cstdint>
#include <vector>

#include "glasswood/attributions/attributions.hpp"

namespace glasswood::attributions {

struct FlatTables {
    std::vector<std::int32_t> tree_group{0};                  // (n_trees + 1) first group of each tree
    std::vector<std::int32_t> group_condition{0};             // (n_groups + 1)
    std::vector<std::int32_t> group_number{0};                // (n_groups + 1) first offset of each group
    std::vector<std::int64_t> group_line;                     // (n_groups) its first line
    std::vector<std::int32_t> n_bits;                         // (n_groups)
    std::vector<std::int32_t> bit, feature, cut, also, left;  // (n_conditions)
    std::vector<std::int32_t> offset;                         // in a row's result, of each number of a line
    std::vector<double> lines;                                // (2^bits, numbers of a line) group after group
};

// Throws std::invalid_argument where a tree splits a category or has no tables.
FlatTables flat_tables(const AttributionModel& model, const TableCache& cache);

}  // namespace glasswood::attributions

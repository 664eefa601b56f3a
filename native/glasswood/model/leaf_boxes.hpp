// Boxes: the region of feature space that each leaf owns, in CSR form: per leaf only the features on its
// path.
#pragma once

#include <cstdint>
#include <vector>

#include "glasswood/model/ensemble.hpp"

namespace glasswood::model {

struct Boxes {
    std::vector<std::int32_t> leaf;          // node index of each box, in order of nodes
    std::vector<std::int64_t> start;         // (n_leaves + 1) first side of each leaf's box
    std::vector<std::int32_t> feature;       // (n_sides) in the order in which the path first asks for them
    std::vector<double> lower;               // (n_sides) exclusive; NaN for a category
    std::vector<double> upper;               // (n_sides) inclusive; NaN for a category
    std::vector<std::uint8_t> missing;       // (n_sides) a missing value can reach the leaf
    std::vector<std::uint8_t> unseen;        // (n_sides) an unseen category can reach the leaf
    std::vector<std::int32_t> category_set;  // (n_sides) -1, or the set of codes that can reach the leaf
    std::vector<std::int64_t> set_start;     // (n_sets + 1)
    std::vector<std::uint64_t> set_bits;
};

// Boxes of the leaves; `of_inner`: of every node.
Boxes boxes(const Ensemble& ensemble, bool of_inner);

}  // namespace glasswood::model

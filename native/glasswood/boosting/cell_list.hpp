// CellList: the cells of one feature that hold rows of a node, for nodes with so few rows that most cells are empty.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/boosting/split_scan.hpp"

namespace glasswood::boosting {

struct CellList {
    std::size_t n = 0;
    alignas(64) Sums sums[max_bins];
    std::uint8_t bin[max_bins];  // ascending
    Sums missing{};              // of missing values
};

}  // namespace glasswood::boosting

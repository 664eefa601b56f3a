// Cell tally: counts of small whole numbers per cell, many rows at a time. Instead of looking up each row's cell, every
// cell is compared with a register full of rows: with ten cells that is several times as fast.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::forest {

inline constexpr std::uint32_t max_tallied = 63;  // largest number a row may count for: four fit into a byte

// What every row counts for, and which of that is of the second class.
struct TallyRows {
    const std::uint8_t* weight;
    const std::uint8_t* second;
    std::size_t n;
    std::uint32_t largest;  // weight, at least 1
};

struct TallyKernels {
    // out[2c] and out[2c + 1]: sums of weight and second over the rows whose cell is c, for c < n_cells.
    void (*tally)(const std::uint8_t* cell, std::size_t n_cells, const TallyRows& rows, std::uint64_t* out);
};

const TallyKernels& tally_kernels(base::CpuLevel level);

}  // namespace glasswood::forest

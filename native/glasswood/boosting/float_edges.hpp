// FloatEdges: the edges of a float32 feature, prepared so that the bin of a value takes a table and few comparisons.
//
// For a float32 x, x > edge says x > f with f the largest float32 that is not above the edge, so nothing is lost by
// comparing float32s. A value is mapped to a slot by (x - low) * scale, which is monotone even where it rounds: edges
// of lower slots are below x, those of higher slots are not, and those of its own slot are compared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::boosting {

inline constexpr std::size_t float_tile = 256;  // rows at a time

// One feature.
struct FloatEdges {
    float low;
    float scale;
    float last_slot;
    std::uint32_t steps;        // comparisons per value; more than max_float_steps: not prepared
    const std::uint8_t* first;  // per slot: the number of edges in lower slots
    const float* edges;         // followed by `steps` times +inf
    std::uint8_t missing;       // bin of missing values
};

inline constexpr std::uint32_t max_float_steps = 4;

struct FloatBinKernels {
    // Bins of n <= float_tile values, the first at `data`, the next `stride` bytes further.
    void (*bin)(const FloatEdges& edges, const std::byte* data, std::ptrdiff_t stride, std::size_t n,
                std::uint8_t* out);
};

const FloatBinKernels& float_bin_kernels(base::CpuLevel level);

}  // namespace glasswood::boosting

// The binning of float32 values for one CPU level. No standard header with inline functions may be included here: the
// linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/float_edges.hpp"

namespace glasswood::boosting::GLASSWOOD_LEVEL {
namespace {

template <int Steps>
void compare(const FloatEdges& edges, const float* x, const std::int32_t* slot, std::size_t n, std::uint8_t* out) {
    const std::uint8_t* first = edges.first;
    const float* values = edges.edges;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t from = first[slot[i]];
        std::uint32_t bin = from;
        for (int k = 0; k < Steps; ++k) bin += values[from + k] < x[i] ? 1U : 0U;
        out[i] = static_cast<std::uint8_t>(bin);
    }
}

void bin(const FloatEdges& edges, const std::byte* data, std::ptrdiff_t stride, std::size_t n, std::uint8_t* out) {
    float x[float_tile];
    std::int32_t slot[float_tile];
    for (std::size_t i = 0; i < n; ++i) {
        __builtin_memcpy(x + i, data + static_cast<std::ptrdiff_t>(i) * stride, sizeof(float));
    }
    const float low = edges.low;
    const float scale = edges.scale;
    const float last = edges.last_slot;
    int missing = 0;
    for (std::size_t i = 0; i < n; ++i) {
        float z = (x[i] - low) * scale;
        z = z > 0.0F ? z : 0.0F;  // NaN too
        z = z < last ? z : last;
        slot[i] = static_cast<std::int32_t>(z);
        missing |= x[i] != x[i] ? 1 : 0;
    }
    switch (edges.steps) {
        case 1:
            compare<1>(edges, x, slot, n, out);
            break;
        case 2:
            compare<2>(edges, x, slot, n, out);
            break;
        case 3:
            compare<3>(edges, x, slot, n, out);
            break;
        default:
            compare<4>(edges, x, slot, n, out);
            break;
    }
    if (missing == 0) return;
    for (std::size_t i = 0; i < n; ++i) out[i] = x[i] != x[i] ? edges.missing : out[i];
}

}  // namespace

extern const FloatBinKernels float_bin_kernels;
const FloatBinKernels float_bin_kernels{&bin};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

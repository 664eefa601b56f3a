#include "glasswood/boosting/float_binning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/base/cpu_dispatch.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t slots_per_edge = 8;
constexpr float inf = std::numeric_limits<float>::infinity();

float rounded_down(double edge) {
    const auto nearest = static_cast<float>(edge);
    return static_cast<double>(nearest) > edge ? std::nextafter(nearest, -inf) : nearest;
}

// As the kernel computes it.
std::size_t slot_of(float x, const FloatEdges& edges) {
    const float z = (x - edges.low) * edges.scale;
    return static_cast<std::size_t>(z > 0.0F ? std::min(z, edges.last_slot) : 0.0F);
}

}  // namespace

FloatBins::FloatBins(std::span<const table::Column> columns, const table::Grid& edges) : prepared_(columns.size()) {
    first_.reserve(columns.size());
    edges_.reserve(columns.size());
    for (std::size_t f = 0; f < columns.size(); ++f) {
        prepared_[f].steps = max_float_steps + 1;
        prepared_[f].missing = static_cast<std::uint8_t>(edges.of(f).size() + 1);
        if (columns[f].type == table::ColumnType::float32 && !edges.of(f).empty()) prepare(edges.of(f), prepared_[f]);
    }
}

void FloatBins::prepare(std::span<const double> edges, FloatEdges& out) {
    std::vector<float> narrow(edges.size());
    std::transform(edges.begin(), edges.end(), narrow.begin(), rounded_down);
    const std::size_t slots = edges.size() * slots_per_edge;
    out.low = narrow.front();
    out.scale = static_cast<float>(slots) / (narrow.back() - narrow.front());
    out.last_slot = static_cast<float>(slots - 1);
    if (!std::isfinite(out.low) || !std::isfinite(out.scale) || !(out.scale > 0.0F)) return;
    std::vector<std::uint32_t> count(slots, 0);
    for (const float edge : narrow) ++count[slot_of(edge, out)];
    out.steps = *std::max_element(count.begin(), count.end());
    if (out.steps > max_float_steps) return;
    std::vector<std::uint8_t> first(slots);
    std::uint32_t below = 0;
    for (std::size_t s = 0; s < slots; below += count[s++]) first[s] = static_cast<std::uint8_t>(below);
    narrow.insert(narrow.end(), out.steps, inf);
    first_.push_back(std::move(first));
    edges_.push_back(std::move(narrow));
    out.first = first_.back().data();
    out.edges = edges_.back().data();
}

GLASSWOOD_DISPATCH(FloatBinKernels, float_bin_kernels, float_bin_kernels)

}  // namespace glasswood::boosting

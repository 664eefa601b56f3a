// FloatBins: the prepared edges of all float32 features of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/boosting/float_edges.hpp"
#include "glasswood/table/rows.hpp"
#include "glasswood/table/threshold_grid.hpp"

namespace glasswood::boosting {

class FloatBins {
 public:
    FloatBins(std::span<const table::Column> columns, const table::Grid& edges);

    // Null where the feature is not a float32 column or its edges are too crowded for slots.
    const FloatEdges* of(std::size_t feature) const {
        return prepared_[feature].steps <= max_float_steps ? &prepared_[feature] : nullptr;
    }

 private:
    void prepare(std::span<const double> edges, FloatEdges& out);

    std::vector<FloatEdges> prepared_;
    std::vector<std::vector<std::uint8_t>> first_;
    std::vector<std::vector<float>> edges_;
};

}  // namespace glasswood::boosting

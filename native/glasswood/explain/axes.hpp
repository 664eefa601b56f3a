// Axes: the cells of every feature, which are the rows and columns of every table of effects.
//
// A numeric feature has the intervals between its thresholds, a category its known levels and one cell for unseen
// ones. A missing value has the last cell to itself where the model routes it on purpose; elsewhere it falls into the
// cell whose values go the same way at every split, and gets its own cell only if there is none. A feature that no
// tree splits has one cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/model/ensemble.hpp"
#include "glasswood/table/rows.hpp"
#include "glasswood/table/threshold_grid.hpp"

namespace glasswood::explain {

struct Axes {
    table::Grid grid;
    std::vector<std::int32_t> cut;         // (n_nodes) cells up to here go left; -1 in leaves and category splits
    std::vector<std::int32_t> regular;     // (n_features) cells that are intervals or known categories; they come first
    std::vector<std::int32_t> missing;     // (n_features) the cell of a missing value
    std::vector<std::int32_t> size;        // (n_features) all cells
    std::vector<table::FeatureKind> kind;  // (n_features)
    std::vector<std::uint8_t> own_missing;  // (n_features) no other value falls into the cell of a missing one

    bool is_category(std::size_t feature) const { return kind[feature] == table::FeatureKind::category; }
    bool has_missing(std::size_t feature) const { return own_missing[feature] != 0; }
};

Axes make_axes(const model::Ensemble& ensemble, std::span<const std::uint8_t> missing_routed);

}  // namespace glasswood::explain

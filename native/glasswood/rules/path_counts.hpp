// Path counts: the paths of trees as sets of cells, each counted once per tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::rules {

// What the cells of each feature are. Cell c < n_cells holds values; cell n_cells those that are missing.
struct CellFeatures {
    std::span<const std::int32_t> n_cells;      // (n_features)
    std::span<const std::uint8_t> has_missing;  // (n_features) the cell of missing values exists
    std::span<const std::int32_t> rank;         // (n_features) position of the feature where an order is needed
    std::span<const std::int64_t> level_start;  // (n_features + 1) a feature with levels is a category
    std::span<const std::int32_t> level_cell;   // cell of each level, -1 where no row has it

    bool is_category(std::size_t f) const { return level_start[f + 1] > level_start[f]; }
};

// Trees whose splits speak of cells: cells 0..cut go left, or those of the members of a category set.
struct CellTrees {
    std::span<const std::int32_t> tree_start, feature, left, right, cut, category_set;
    std::span<const std::uint8_t> missing_left;
    std::span<const std::int64_t> set_start;
    std::span<const std::uint64_t> set_bits;
};

// A path is a list of regions, each a set of cells of one feature, in the order of the features' ranks. Distinct.
struct RulePaths {
    std::vector<std::int32_t> region_feature;      // (n_regions)
    std::vector<std::int64_t> region_start = {0};  // (n_regions + 1) its words
    std::vector<std::uint64_t> region_bits;        // bit c: cell c is in
    std::vector<std::int64_t> start = {0};         // (n_paths + 1) its regions
    std::vector<std::int32_t> region;
    std::vector<std::int32_t> count;  // (n_paths) trees that have the path

    std::span<const std::uint64_t> words(std::int32_t r) const {
        const auto first = static_cast<std::size_t>(region_start[r]);
        return {region_bits.data() + first, static_cast<std::size_t>(region_start[r + 1]) - first};
    }
};

// Paths of all nodes but the roots, down to max_depth. A node whose cells are its parent's or none at all is skipped.
RulePaths count_paths(const CellTrees& trees, const CellFeatures& features, std::size_t max_depth);

}  // namespace glasswood::rules

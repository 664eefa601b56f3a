// OwnCells: the leaves of a tree that ask for a feature, and which of the tree's own cells each of them meets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/intervals/tree_breaks.hpp"
#include "glasswood/explain/leaf_paths.hpp"

namespace glasswood::explain::intervals {

class OwnCells {
 public:
    OwnCells(const Paths& paths, const OwnBreaks& own);

    struct LeafSide {
        std::int32_t leaf;  // counted from the first of the tree
        std::int64_t side;
    };

    const OwnBreaks& own() const { return own_; }
    // The leaves of the tree that ask for the feature, by own index.
    std::span<const LeafSide> leaves(std::int64_t own) const { return part(leaves_, leaf_start_, own); }
    // The own cells on a side.
    std::span<const std::int32_t> cells(std::int64_t side) const { return part(cells_, cell_start_, side); }

 private:
    template <class T>
    static std::span<const T> part(const std::vector<T>& all, const std::vector<std::int64_t>& start, std::int64_t i) {
        return {all.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
    }
    void add_leaves(const Paths& paths, std::size_t tree);
    void add_cells(std::span<const std::int32_t> edges, std::span<const std::int32_t> own_breaks);

    const OwnBreaks& own_;
    std::vector<std::int64_t> leaf_start_, cell_start_{0};
    std::vector<std::int32_t> cells_;
    std::vector<LeafSide> leaves_;
    // of the tree being added
    std::vector<std::int64_t> own_of_;  // by feature
    std::vector<std::int64_t> next_;
};

}  // namespace glasswood::explain::intervals

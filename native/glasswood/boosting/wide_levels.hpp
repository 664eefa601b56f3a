// WideLevels: the sums of a node's rows by the levels of a wide category.
//
// A histogram of all levels would be empty almost everywhere below the root. So the rows of a node are added to cells
// that are otherwise kept empty, and the levels they meet are listed: a node costs its rows, however many levels there
// are. Sums are integers, so rows may be added in any order by any number of threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "glasswood/boosting/histograms.hpp"
#include "glasswood/boosting/level_record.hpp"
#include "glasswood/boosting/split_candidates.hpp"
#include "glasswood/boosting/wide_columns.hpp"

namespace glasswood::boosting {

// Whether all codes of the columns have a cell: levels and missing. `n_levels` per feature, as below.
bool are_known(const WideColumns& columns, std::span<const std::uint16_t> n_levels);

class WideLevels {
 public:
    // `n_levels` per feature, 0 where it has no wide column. Wide columns have the order of their features.
    WideLevels(const WideColumns& columns, std::span<const std::uint16_t> n_levels);

    const WideColumns& columns() const { return columns_; }

    // Wide column of a feature that has one.
    std::uint32_t place(std::size_t feature) const { return place_[feature]; }

    // The levels that rows of a node have, with their sums.
    LevelList list(std::size_t feature, std::span<const std::uint32_t> rows, const RowStats& stats, int n_threads);

    // The same of a node whose rows lie on several machines: the lists of all of them as one.
    LevelList merge(std::size_t feature, std::span<const SentLevels> lists);

 private:
    // One cell per code, all of them empty, and the codes met since they were.
    struct Space {
        std::vector<Sums> sums;
        std::vector<std::int64_t> n_rows;
        std::vector<std::uint32_t> met;
    };

    Space take_space();
    void give_space(Space space);
    void add_rows(std::size_t feature, std::span<const std::uint32_t> rows, const RowStats& stats, Space& space) const;
    LevelList list_of(std::size_t n_levels, Space space);

    WideColumns columns_;
    std::vector<std::uint16_t> n_levels_;
    std::vector<std::uint32_t> place_;
    std::size_t n_cells_ = 0;  // of the category with the most levels
    std::mutex guard_;
    std::vector<Space> spaces_;
};

}  // namespace glasswood::boosting

// ColumnBundles: columns of bytes that several features share, because no row has two of them away from their usual
// bin.
//
// A table of 0/1 columns, of which few are 1 in a row, becomes a few columns, and histograms are filled as fast as if
// these were all. What is left out is the usual bin of each feature: it is the node's sums minus those of the other
// bins. Sums are integers, so that is exact, and a tree has the same bits with and without bundles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/base/huge_pages.hpp"
#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/boosting/cell_list.hpp"

namespace glasswood::boosting {

class ColumnBundles {
 public:
    // Where a feature is stored. Its usual bin has the code 0, which it shares with the other features of the column.
    struct Place {
        std::uint32_t column;
        bool is_shared;        // otherwise codes are bins
        std::uint8_t usual;    // bin
        std::uint8_t first;    // code of its first other bin
        std::uint16_t n_bins;  // with the one for missing values
    };

    // Every feature has a column of its own.
    ColumnBundles(const BinnedRows& rows, std::span<const std::uint16_t> n_bins);

    // Looks for features that can share a column. `rows` must have bins by column.
    static ColumnBundles find(const BinnedRows& rows, std::span<const std::uint16_t> n_bins);

    const BinnedRows& rows() const { return rows_; }  // codes, without a copy by column
    const Place& place(std::size_t feature) const { return places_[feature]; }
    std::size_t n_codes(std::size_t column) const { return n_codes_[column]; }

    // Sets `cells` to those of a feature that shares its column. `total`: sums of the node.
    void unbundle(std::size_t feature, const Sums* codes, const Sums& total, Sums* cells) const;
    void unbundle(std::size_t feature, const CellList& codes, const Sums& total, CellList& bins) const;

 private:
    ColumnBundles() = default;

    BinnedRows rows_{};
    base::Pages<std::uint8_t> data_;  // of `rows_`, unless these are the table's own
    std::vector<Place> places_;
    std::vector<std::uint16_t> n_codes_;
};

}  // namespace glasswood::boosting

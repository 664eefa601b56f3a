// ColumnBundles: columns of bytes that several features share, so that histograms are filled for fewer columns.
//
// Features share a part if every row has at most one of them outside its usual bin. Code 0 of the part: all are in
// their usual bins. Every other code is one unusual bin of one feature. A table of 0/1 columns, few of them 1 in a row,
// becomes a few parts. The sums of a usual bin are the node's less those of the other bins. A feature that shares with
// none is a part by itself.
//
// Parts of few codes share a column: a byte holds the codes of several. The sums of one part are those of the column
// added up over the codes of the others.
//
// Features of a sparse table that are hardly ever away from their usual bin, and do not exclude each other, have no
// column but a list of their values.
//
// Sums are integers, so shared parts and shared columns are exact: a tree has the same bits with and without bundles.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "glasswood/base/huge_pages.hpp"
#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/boosting/cell_list.hpp"
#include "glasswood/boosting/stored_values.hpp"

namespace glasswood::boosting {

// The number of a bin among those that are not the usual one, and back.
constexpr std::size_t other_of_bin(std::size_t bin, std::size_t usual) { return bin - (bin > usual ? 1 : 0); }
constexpr std::size_t bin_of_other(std::size_t other, std::size_t usual) { return other + (other >= usual ? 1 : 0); }

class ColumnBundles {
 public:
    // Where a feature is stored.
    struct Place {
        std::uint32_t column;
        std::uint32_t part;         // among the parts of all columns
        bool is_shared;             // with other features; otherwise the codes of the part are bins
        std::uint8_t usual;         // bin, which has the code 0 of the part
        std::uint8_t first;         // code of its first other bin
        std::uint16_t n_bins;       // with the one for missing values
        std::uint8_t n_others = 0;  // codes where it is shared: its other bins, without the one for missing values
                                    // where no row is missing
        bool is_listed = false;     // it has no column but a list of values; lists are numbered after the columns
    };

    // The code of a part is (code of the column / scale) mod n_codes.
    struct Part {
        std::uint32_t column;
        std::uint16_t n_codes;
        std::uint16_t scale;
        bool is_alone;  // in its column
    };

    // A feature that may share a part.
    struct Member {
        std::uint32_t feature;
        std::uint8_t usual;
        std::size_t n_away;    // rows looked at that are away from the usual bin
        std::size_t n_others;  // its other bins, without the one for missing values where no row is missing
    };

    // Bins of a feature's rows, from the codes of its column: that of row r is bin[codes[r]].
    struct FeatureCodes {
        const std::uint8_t* codes;
        std::array<std::uint8_t, 256> bin;
    };

    static constexpr std::size_t no_part = std::numeric_limits<std::size_t>::max();

    // Cells that were worked out last; features of one part follow each other.
    struct Spare {
        std::size_t part = no_part;  // whose these are
        std::array<Sums, max_bins> of_part;
        std::array<Sums, max_bins> of_feature;
        CellList part_list, feature_list;
    };

    // Every feature has a column of its own.
    ColumnBundles(const BinnedRows& rows, std::span<const std::uint16_t> n_bins);

    // Looks for features that can share. `rows` must have bins by column. Parts share columns in tables of at least
    // `least_rows`: adding up codes costs time too.
    static ColumnBundles find(const BinnedRows& rows, std::span<const std::uint16_t> n_bins, std::size_t least_rows);

    // The same for a table whose features are mostly away from their usual bin in few rows only, without its bins: what
    // it takes grows with what the table stores. Codes are kept by column too, and are all that trees need.
    // `with_unseen`: whether levels may be unseen. `lists`: whether features may be lists; then trees can be grown, but
    // no row can walk down one.
    static ColumnBundles of_sparse(const table::Rows& table, const table::Grid& edges, const LevelBins& levels,
                                   std::span<const std::uint16_t> n_bins, bool with_unseen, bool lists,
                                   std::size_t least_rows);

    const BinnedRows& rows() const { return rows_; }   // codes
    FeatureCodes codes_of(std::size_t feature) const;  // only where codes are kept by column, not of lists
    const StoredValues& lists() const { return lists_; }
    std::size_t list_of_values(std::size_t feature) const { return places_[feature].column - rows_.n_features; }

    // Sets `out` to the bins of some rows, which ascend; only where codes are kept by column.
    void set_bins(std::size_t feature, std::span<const std::uint32_t> rows, std::vector<std::uint8_t>& out) const;
    const Place& place(std::size_t feature) const { return places_[feature]; }
    std::size_t n_codes(std::size_t column) const { return n_codes_[column]; }

    // Cells of a feature from those of its column, bin by bin; missing is the last. `total`: sums of the node. Null
    // where the feature shares a part and all rows of the node have its usual bin.
    const Sums* cells_of(std::size_t feature, const Sums* codes, const Sums& total, Spare& spare) const;
    // The same, never null.
    const Sums* all_cells_of(std::size_t feature, const Sums* codes, const Sums& total, Spare& spare) const;
    // The same for a list of the cells that hold rows.
    const CellList& list_of(std::size_t feature, const CellList& codes, const Sums& total, Spare& spare) const;

    // Where the cells of a feature are if its column begins at a cell and they stand there by themselves, all but that
    // of the usual bin; otherwise there are none.
    OtherCells other_cells(std::size_t feature, std::size_t column) const;

    // Whether features have so many bins each, and one for missing values.
    bool has_bins(std::span<const std::uint16_t> n_bins) const {
        return std::ranges::equal(places_, n_bins, {}, [](const Place& place) { return place.n_bins - 1; });
    }

    // Whether codes are bins, so that nothing has to be worked out.
    bool is_plain(std::size_t feature) const {
        return !places_[feature].is_shared && parts_[places_[feature].part].is_alone;
    }

 private:
    ColumnBundles() = default;
    // Gives every feature its place, but no memory. `listed`: features without a column. `drops_missing` says of which
    // features no row is missing. Returns the number of columns.
    std::size_t lay_out(std::span<const std::vector<Member>> bundles, std::span<const Member> listed,
                        std::span<const std::uint16_t> n_cells, const std::function<bool(std::size_t)>& drops_missing,
                        bool share);
    std::array<std::uint8_t, 256> codes_by_bin(std::size_t feature) const;

    BinnedRows rows_{};
    base::Pages<std::uint8_t> data_;     // of `rows_`, unless these are the table's own
    base::Pages<std::uint8_t> columns_;  // the same by column, where kept
    std::vector<Place> places_;
    std::vector<Part> parts_;
    std::vector<std::uint16_t> n_codes_;  // of columns, then of lists
    StoredValues lists_;
};

}  // namespace glasswood::boosting

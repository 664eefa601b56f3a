// TableBinner: the bins of a table's columns, one column at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/boosting/float_binning.hpp"
#include "glasswood/table/encoder.hpp"

namespace glasswood::boosting {

class TableBinner {
 public:
    // Everything is borrowed.
    TableBinner(const table::Rows& table, const table::Grid& edges, const LevelBins& levels);

    // Bins of rows [first, first + n).
    void bin(std::size_t feature, std::size_t first, std::size_t n, std::uint8_t* out) const;

    // Bins of the stored values of a sparse column of numbers, and that of all its other rows.
    void bin_stored(std::size_t feature, std::uint8_t* out) const;
    std::uint8_t bin_of_others(std::size_t feature) const;

 private:
    void bin_numbers(std::size_t feature, const table::Column& column, std::size_t first, std::size_t n,
                     std::uint8_t* out) const;

    table::Rows table_;
    const table::Grid& edges_;
    LevelBins levels_;
    table::Encoder encoder_;
    FloatBins float_bins_;
    const FloatBinKernels& kernels_;
};

}  // namespace glasswood::boosting

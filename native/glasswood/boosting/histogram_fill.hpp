// Fill: adds rows to a histogram; compiled per CPU level, every level gives the same bits.
//
// Rows lie scattered in memory and a histogram of many features outgrows the first cache. So a tile of rows is first
// copied together, eight features at a time beside each other, and then added up eight features at a time: memory is
// read once, in whole lines and ahead of time, and the bins of eight features stay close.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/boosting/cell_list.hpp"
#include "glasswood/boosting/statistics.hpp"

namespace glasswood::boosting {

inline constexpr std::size_t chunk_width = 8;  // features side by side: one load

// Up to eight features that lie in the same eight bytes of a row.
struct ColumnChunk {
    std::uint32_t at;                  // first byte
    std::uint32_t n;                   // how many of the eight are used
    std::uint8_t place[chunk_width];   // which
    std::uint32_t start[chunk_width];  // first cell of each
};

// The rows to add, and the cells of the chunks that they are added to.
struct FillTask {
    const std::uint8_t* bins;
    std::size_t stride;    // bytes of a row, a multiple of eight
    const Sums* wide;      // statistics of every row of the table: these,
    const Narrow* narrow;  // or these if not null
    const std::uint32_t* rows;
    std::size_t n_rows;
    std::size_t first_cell;
    std::size_t last_cell;
    const Pair* pairs = nullptr;  // for `fill_pairs`, instead of the others
};

// Rows to add whose values are listed: those of row r stand in cells[start[r]] to cells[start[r + 1]].
struct ListedTask {
    const std::uint64_t* start;
    const std::uint32_t* cells;
    const Sums* wide;  // as in FillTask
    const Narrow* narrow;
    const std::uint32_t* rows;
    std::size_t n_rows;
};

// Which cells of a feature hold rows, in bits.
struct CellMarks {
    std::uint64_t words[max_bins / 64];
};

// What one thread needs besides; `narrow` has as many cells as a histogram.
struct FillSpace {
    std::uint8_t* tile;  // fill_tile_bytes
    Sums* stats;         // fill_tile_rows
    Narrow* narrow;
};

inline constexpr std::size_t fill_tile_rows = 2048;
inline constexpr std::size_t fill_tile_chunks = 16;  // so many at 2048 rows, twice as many at 1024, ...
inline constexpr std::size_t fill_tile_bytes = fill_tile_chunks * (fill_tile_rows * chunk_width + 4 * 64);

struct FillKernels {
    // cells += the statistics of the rows. `few`: rows are so few that narrow sums do not pay.
    void (*fill)(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space,
                 bool few, Sums* cells);
    // The same of pairs.
    void (*fill_pairs)(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space,
                       Pair* cells);
    // For few rows: copies their bins to the tile, chunk after chunk, and their statistics.
    void (*copy)(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space);
    // Adds these copies of a chunk's bins to cells that are empty, max_bins of them per feature, and marks the cells
    // that hold rows.
    void (*mark)(const std::uint8_t* tile, std::size_t n_rows, const ColumnChunk& chunk, const Sums* stats,
                 CellMarks* marks, Sums* cells);
    // Moves the marked cells of a feature to a list; the cells are empty afterwards.
    void (*move)(const CellMarks& marks, std::size_t n_bins, Sums* cells, CellList& list);
    // cells += the statistics of the rows, in the cells of their listed values.
    void (*add_listed)(const ListedTask& task, Sums* cells);
    // The same, and sets the bits of these cells.
    void (*mark_listed)(const ListedTask& task, Sums* cells, std::uint64_t* marks);
};

// Where the copies of a chunk begin, in a tile of this many rows.
constexpr std::size_t tile_pitch(std::size_t n_rows) { return n_rows * chunk_width; }

const FillKernels& fill_kernels(base::CpuLevel level);

}  // namespace glasswood::boosting

// The filling of histograms for one CPU level. No standard header with inline functions may be included here: the
// linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/boosting/histogram_fill.hpp"

namespace glasswood::boosting::GLASSWOOD_LEVEL {
namespace {

// Pointers to it are declared by name: GCC takes `auto` for a pointer to what is aligned to 32 bytes.
typedef std::int64_t Lanes __attribute__((vector_size(32), aligned(16)));
typedef std::int32_t NarrowLanes __attribute__((vector_size(16)));
typedef std::int64_t PairLanes __attribute__((vector_size(16)));
static_assert(sizeof(Lanes) == sizeof(Sums) && sizeof(NarrowLanes) == sizeof(Narrow) &&
              sizeof(PairLanes) == sizeof(Pair));

constexpr std::size_t ahead = 16;  // rows: far enough for memory, near enough to stay in the first cache
constexpr std::size_t line = 64;   // bytes

GLASSWOOD_INLINE std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

GLASSWOOD_INLINE Lanes widen(const NarrowLanes& x) { return __builtin_convertvector(x, Lanes); }

// A tile: rows [first, first + n) of the task, some chunks of each.
struct Tile {
    std::size_t first;
    std::size_t n;
    std::size_t pitch;  // bytes from chunk to chunk; no power of two, whose multiples share a place in the cache
    const ColumnChunk* chunks;
    std::size_t n_chunks;
};

template <class Stats>
GLASSWOOD_INLINE void fetch(const FillTask& task, const Tile& tile, const Stats* stats, std::size_t i) {
    const std::size_t row = task.rows[smaller(i, task.n_rows - 1)];
    const std::uint8_t* bins = task.bins + row * task.stride;
    const std::uint8_t* last = bins + tile.chunks[tile.n_chunks - 1].at;
    for (const std::uint8_t* at = bins + tile.chunks[0].at; at < last; at += line) __builtin_prefetch(at);
    __builtin_prefetch(last);
    __builtin_prefetch(stats + row);
}

template <class From, class Into, class Convert>
GLASSWOOD_INLINE void gather(const FillTask& task, const Tile& tile, const From* stats, const FillSpace& space,
                             Into* out, Convert convert) {
    for (std::size_t i = 0; i < tile.n; ++i) {
        fetch(task, tile, stats, tile.first + i + ahead);
        const std::size_t row = task.rows[tile.first + i];
        const std::uint8_t* bins = task.bins + row * task.stride;
        std::uint8_t* to = space.tile + i * chunk_width;
        for (std::size_t c = 0; c < tile.n_chunks; ++c, to += tile.pitch) {
            __builtin_memcpy(to, bins + tile.chunks[c].at, chunk_width);
        }
        out[i] = convert(stats[row]);
    }
}

// Lines of memory that the next tile will read, one for each of its rows.
struct Ahead {
    const std::uint8_t* first;  // row 0 of the table; null: nothing to fetch
    std::size_t stride;
    const std::uint32_t* rows;
    std::size_t n;
};

// Adds the rows of a tile to the bins of one chunk, of which N features are used. Adding is work for the processor, so
// memory is free to bring the rows of the next tile meanwhile.
template <int N, bool fetches, class Cell>
void add(const std::uint8_t* tile, std::size_t step, std::size_t n, const ColumnChunk& chunk, const Cell* stats,
         const Ahead& soon, Cell* cells) {
    Cell* out[N];
    std::uint8_t place[N];
    for (int k = 0; k < N; ++k) {
        out[k] = cells + chunk.start[k];
        place[k] = chunk.place[k];
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (fetches && i < soon.n) __builtin_prefetch(soon.first + soon.rows[i] * soon.stride, 0, 2);
        const Cell own = stats[i];
        const std::uint8_t* bins = tile + i * step;
#pragma GCC unroll 8
        for (int k = 0; k < N; ++k) out[k][bins[N == chunk_width ? k : place[k]]] += own;
    }
}

template <int N, class Cell>
GLASSWOOD_INLINE void add_n(const std::uint8_t* tile, std::size_t step, std::size_t n, const ColumnChunk& chunk,
                            const Cell* stats, const Ahead& soon, Cell* cells) {
    if (soon.first != nullptr) return add<N, true>(tile, step, n, chunk, stats, soon, cells);
    return add<N, false>(tile, step, n, chunk, stats, soon, cells);
}

template <class Cell>
void add_chunk(const std::uint8_t* tile, std::size_t step, std::size_t n, const ColumnChunk& chunk, const Cell* stats,
               const Ahead& soon, Cell* cells) {
    switch (chunk.n) {
        case 1:
            return add_n<1>(tile, step, n, chunk, stats, soon, cells);
        case 2:
            return add_n<2>(tile, step, n, chunk, stats, soon, cells);
        case 3:
            return add_n<3>(tile, step, n, chunk, stats, soon, cells);
        case 4:
            return add_n<4>(tile, step, n, chunk, stats, soon, cells);
        case 5:
            return add_n<5>(tile, step, n, chunk, stats, soon, cells);
        case 6:
            return add_n<6>(tile, step, n, chunk, stats, soon, cells);
        case 7:
            return add_n<7>(tile, step, n, chunk, stats, soon, cells);
        default:
            return add_n<8>(tile, step, n, chunk, stats, soon, cells);
    }
}

// What pass `number` over a tile fetches for the next one: line after line of the bins, then the statistics.
template <class Stats>
GLASSWOOD_INLINE Ahead next_lines(const FillTask& task, const Tile& tile, const Stats* stats, std::size_t number) {
    const std::size_t first = tile.first + tile.n;
    const std::size_t begin = tile.chunks[0].at / line;
    const std::size_t lines = tile.chunks[tile.n_chunks - 1].at / line - begin + 1;
    if (number > lines || first >= task.n_rows) return {nullptr, 0, nullptr, 0};
    const std::size_t n = smaller(tile.n, task.n_rows - first);
    if (number < lines) return {task.bins + (begin + number) * line, task.stride, task.rows + first, n};
    return {reinterpret_cast<const std::uint8_t*>(stats), sizeof(Stats), task.rows + first, n};
}

// Calls body(tile) for tiles of at most `most` chunks that together fit the space.
template <class Body>
GLASSWOOD_INLINE void for_tiles(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, Body body) {
    constexpr std::size_t most = 4 * fill_tile_chunks;
    for (std::size_t c = 0; c < n_chunks; c += most) {
        const std::size_t n = smaller(most, n_chunks - c);
        const std::size_t shrink = (n + fill_tile_chunks - 1) / fill_tile_chunks;
        const std::size_t rows = fill_tile_rows / (shrink == 3 ? 4 : shrink);
        for (std::size_t first = 0; first < task.n_rows; first += rows) {
            body(Tile{first, smaller(rows, task.n_rows - first), rows * chunk_width + line, chunks + c, n});
        }
    }
}

// Adds the copies of a tile; `stats` are those of the table, which the next tile needs.
template <class Stats, class Cell>
GLASSWOOD_INLINE void add_tile(const FillTask& task, const Tile& tile, const FillSpace& space, const Stats* stats,
                               const Cell* copies, Cell* cells) {
    for (std::size_t c = 0; c < tile.n_chunks; ++c) {
        add_chunk(space.tile + c * tile.pitch, chunk_width, tile.n, tile.chunks[c], copies,
                  next_lines(task, tile, stats, c), cells);
    }
}

// Rows that stand side by side in the table, as all do in a root, are added where they are.
GLASSWOOD_INLINE bool are_together(const FillTask& task, const Tile& tile) {
    return task.rows[tile.first + tile.n - 1] - task.rows[tile.first] + 1 == tile.n;
}

template <class Cell>
GLASSWOOD_INLINE void add_together(const FillTask& task, const Tile& tile, const Cell* stats, Cell* cells) {
    const std::size_t row = task.rows[tile.first];
    for (std::size_t c = 0; c < tile.n_chunks; ++c) {
        add_chunk(task.bins + row * task.stride + tile.chunks[c].at, task.stride, tile.n, tile.chunks[c], stats + row,
                  Ahead{nullptr, 0, nullptr, 0}, cells);
    }
}

void fill_wide(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space,
               Sums* cells) {
    Lanes* out = reinterpret_cast<Lanes*>(cells);
    Lanes* own = reinterpret_cast<Lanes*>(space.stats);
    for_tiles(task, chunks, n_chunks, [&](const Tile& tile) {
        const Lanes* wide = reinterpret_cast<const Lanes*>(task.wide);
        if (task.narrow == nullptr && are_together(task, tile)) return add_together(task, tile, wide, out);
        if (task.narrow != nullptr) {
            const NarrowLanes* narrow = reinterpret_cast<const NarrowLanes*>(task.narrow);
            gather(task, tile, narrow, space, own, [](const NarrowLanes& x) { return widen(x); });
            add_tile(task, tile, space, narrow, own, out);
        } else {
            gather(task, tile, wide, space, own, [](const Lanes& x) { return x; });
            add_tile(task, tile, space, wide, own, out);
        }
    });
}

// Sums of at most `narrow_rows` rows fit 32 bits; they are emptied into the wide ones before there are more.
void fill_narrow(FillTask task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space, Sums* cells) {
    NarrowLanes* narrow = reinterpret_cast<NarrowLanes*>(space.narrow);
    NarrowLanes* own = reinterpret_cast<NarrowLanes*>(space.stats);
    Lanes* out = reinterpret_cast<Lanes*>(cells);
    const std::size_t n_rows = task.n_rows;
    for (std::size_t first = 0; first < n_rows; first += narrow_rows) {
        for (std::size_t i = task.first_cell; i < task.last_cell; ++i) narrow[i] = NarrowLanes{};
        task.n_rows = smaller(narrow_rows, n_rows - first);
        for_tiles(task, chunks, n_chunks, [&](const Tile& tile) {
            const NarrowLanes* stats = reinterpret_cast<const NarrowLanes*>(task.narrow);
            if (are_together(task, tile)) return add_together(task, tile, stats, narrow);
            gather(task, tile, stats, space, own, [](const NarrowLanes& x) { return x; });
            add_tile(task, tile, space, stats, own, narrow);
        });
        for (std::size_t i = task.first_cell; i < task.last_cell; ++i) out[i] += widen(narrow[i]);
        task.rows += narrow_rows;
    }
}

void fill(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space, bool few,
          Sums* cells) {
    if (task.n_rows == 0 || n_chunks == 0) return;
    if (task.narrow == nullptr || few) {
        fill_wide(task, chunks, n_chunks, space, cells);
    } else {
        fill_narrow(task, chunks, n_chunks, space, cells);
    }
}

void fill_pairs(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space,
                Pair* cells) {
    if (task.n_rows == 0 || n_chunks == 0) return;
    const PairLanes* pairs = reinterpret_cast<const PairLanes*>(task.pairs);
    PairLanes* own = reinterpret_cast<PairLanes*>(space.stats);
    PairLanes* out = reinterpret_cast<PairLanes*>(cells);
    for_tiles(task, chunks, n_chunks, [&](const Tile& tile) {
        if (are_together(task, tile)) return add_together(task, tile, pairs, out);
        gather(task, tile, pairs, space, own, [](const PairLanes& x) { return x; });
        add_tile(task, tile, space, pairs, own, out);
    });
}

void copy(const FillTask& task, const ColumnChunk* chunks, std::size_t n_chunks, const FillSpace& space) {
    Lanes* own = reinterpret_cast<Lanes*>(space.stats);
    const Tile tile{0, task.n_rows, tile_pitch(task.n_rows), chunks, n_chunks};
    if (task.narrow != nullptr) {
        gather(task, tile, reinterpret_cast<const NarrowLanes*>(task.narrow), space, own,
               [](const NarrowLanes& x) { return widen(x); });
    } else {
        gather(task, tile, reinterpret_cast<const Lanes*>(task.wide), space, own, [](const Lanes& x) { return x; });
    }
}

void mark(const std::uint8_t* tile, std::size_t n_rows, const ColumnChunk& chunk, const Sums* stats, CellMarks* marks,
          Sums* cells) {
    const Lanes* own = reinterpret_cast<const Lanes*>(stats);
    for (std::size_t k = 0; k < chunk.n; ++k) {
        Lanes* out = reinterpret_cast<Lanes*>(cells + k * max_bins);
        const std::uint8_t* bins = tile + chunk.place[k];
        std::uint64_t words[max_bins / 64] = {};
        for (std::size_t i = 0; i < n_rows; ++i) {
            const std::uint8_t bin = bins[i * chunk_width];
            out[bin] += own[i];
            words[bin >> 6] |= std::uint64_t{1} << (bin & 63);
        }
        __builtin_memcpy(marks[k].words, words, sizeof words);
    }
}

void move(const CellMarks& marks, std::size_t n_bins, Sums* cells, CellList& list) {
    Lanes* from = reinterpret_cast<Lanes*>(cells);
    Lanes* to = reinterpret_cast<Lanes*>(list.sums);
    std::size_t n = 0;
    for (std::size_t w = 0; w < max_bins / 64; ++w) {
        for (std::uint64_t word = marks.words[w]; word != 0; word &= word - 1) {
            const std::size_t bin = w * 64 + static_cast<std::size_t>(__builtin_ctzll(word));
            to[n] = from[bin];
            list.bin[n] = static_cast<std::uint8_t>(bin);
            from[bin] = Lanes{};
            ++n;
        }
    }
    list.missing = Sums{};
    if (n > 0 && list.bin[n - 1] == n_bins) list.missing = list.sums[--n];
    list.n = n;
}

// Rows lie scattered in memory; those to come are fetched ahead.
template <class Stats, class Body>
GLASSWOOD_INLINE void for_listed(const ListedTask& task, const Stats* stats, Body body) {
    for (std::size_t i = 0; i < task.n_rows; ++i) {
        const std::size_t soon = task.rows[smaller(i + 4, task.n_rows - 1)], row = task.rows[i];
        const std::uint32_t* first = task.cells + task.start[soon];
        __builtin_prefetch(first);
        __builtin_prefetch(first + line / sizeof *first);
        __builtin_prefetch(stats + soon);
        const std::uint32_t* last = task.cells + task.start[row + 1];
        for (const std::uint32_t* cell = task.cells + task.start[row]; cell < last; ++cell) body(*cell, stats[row]);
    }
}

template <class Add>
GLASSWOOD_INLINE void add_to_listed(const ListedTask& task, Add add) {
    if (task.narrow != nullptr) {
        for_listed(task, reinterpret_cast<const NarrowLanes*>(task.narrow),
                   [&](std::uint32_t cell, const NarrowLanes& own) { add(cell, widen(own)); });
    } else {
        for_listed(task, reinterpret_cast<const Lanes*>(task.wide),
                   [&](std::uint32_t cell, const Lanes& own) { add(cell, own); });
    }
}

void add_listed(const ListedTask& task, Sums* cells) {
    Lanes* out = reinterpret_cast<Lanes*>(cells);
    add_to_listed(task, [&](std::uint32_t cell, const Lanes& own) { out[cell] += own; });
}

void mark_listed(const ListedTask& task, Sums* cells, std::uint64_t* marks) {
    Lanes* out = reinterpret_cast<Lanes*>(cells);
    add_to_listed(task, [&](std::uint32_t cell, const Lanes& own) {
        out[cell] += own;
        marks[cell >> 6] |= std::uint64_t{1} << (cell & 63);
    });
}

}  // namespace

extern const FillKernels fill_kernels;
const FillKernels fill_kernels{&fill, &fill_pairs, &copy, &mark, &move, &add_listed, &mark_listed};

}  // namespace glasswood::boosting::GLASSWOOD_LEVEL

#include "glasswood/boosting/histograms.hpp"

#include <algorithm>

#include "glasswood/base/parallel.hpp"
#include "glasswood/base/slices.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t shared_rows = 4096;  // rows a thread takes at a time
static_assert(shared_rows <= narrow_rows);
// Emptying and adding up a histogram per thread costs about what so many values per cell cost to add.
constexpr std::size_t values_per_cell = 4;
// Emptying narrow sums costs about what so many rows per bin save.
constexpr std::size_t rows_per_bin = 16;
constexpr double per_value = 1.0;    // ns to add one value of one row
constexpr double per_scanned = 2.0;  // ns to look for a split at one cell

}  // namespace

void Histograms::begin(const RowStats& stats, std::span<const std::uint32_t> columns,
                       std::span<const std::uint32_t> n_cells) {
    if (stats_.narrow.empty() != stats.narrow.empty()) spaces_.clear();
    stats_ = stats;
    columns_.assign(columns.begin(), columns.end());
    start_.assign(1, 0);
    chunks_.clear();
    chunk_column_.clear();
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const auto at = static_cast<std::uint32_t>(columns_[k] / chunk_width * chunk_width);
        if (chunks_.empty() || chunks_.back().at != at) {
            chunks_.push_back({at, 0, {}, {}});
            chunk_column_.push_back(static_cast<std::uint32_t>(k));
        }
        ColumnChunk& chunk = chunks_.back();
        chunk.place[chunk.n] = static_cast<std::uint8_t>(columns_[k] - at);
        chunk.start[chunk.n++] = start_.back();
        start_.push_back(start_.back() + n_cells[k]);
    }
    chunk_column_.push_back(static_cast<std::uint32_t>(columns_.size()));
    if (start_.back() > pool_cells_) {
        pool_.clear();
        spaces_.clear();
        pool_cells_ = start_.back();
    }
}

Histograms::Cells Histograms::take() {
    const std::lock_guard lock(guard_);
    if (pool_.empty()) return base::make_pages<Sums>(pool_cells_);
    auto cells = std::move(pool_.back());
    pool_.pop_back();
    return cells;
}

void Histograms::give(Cells cells) {
    const std::lock_guard lock(guard_);
    pool_.push_back(std::move(cells));
}

Histograms::Space Histograms::take_space() {
    const std::lock_guard lock(guard_);
    if (spaces_.empty()) {
        return {base::make_pages<std::uint8_t>(fill_tile_bytes), base::make_pages<Sums>(fill_tile_rows),
                base::make_pages<Narrow>(stats_.narrow.empty() ? 0 : pool_cells_)};
    }
    Space space = std::move(spaces_.back());
    spaces_.pop_back();
    return space;
}

void Histograms::give_space(Space space) {
    const std::lock_guard lock(guard_);
    spaces_.push_back(std::move(space));
}

void Histograms::add_rows(std::span<const std::uint32_t> rows, std::size_t first_chunk, std::size_t last_chunk,
                          const Space& space, Sums* cells) const {
    const std::size_t first = chunk_column_[first_chunk];
    const std::size_t last = chunk_column_[last_chunk];
    const FillTask task{bins_.data,  bins_.stride, stats_.wide.data(), stats_.narrow.data(),
                        rows.data(), rows.size(),  start_[first],      start_[last]};
    const bool few = rows.size() * (last - first) < rows_per_bin * (start_[last] - start_[first]);
    fill_kernels(base::cpu_level())
        .fill(task, chunks_.data() + first_chunk, last_chunk - first_chunk,
              {space.tile.get(), space.stats.get(), space.narrow.get()}, few, cells);
}

base::Work Histograms::work_of_filling(std::size_t n_rows) const {
    return base::work_of(n_rows * columns_.size(), per_value);
}

// Calls body for ranges of chunks, one per thread.
void Histograms::for_blocks(int n_threads, base::Work work, const Columns& body) const {
    const std::size_t n = chunks_.size();
    const std::size_t n_blocks = std::min(n, static_cast<std::size_t>(std::max(1, n_threads)));
    base::parallel_for(n_blocks, n_threads, work,
                       [&](std::size_t b) { body(b * n / n_blocks, (b + 1) * n / n_blocks); });
}

void Histograms::for_columns(int n_threads, const Columns& body) const {
    for_blocks(n_threads, base::work_of(start_.back(), per_scanned),
               [&](std::size_t first, std::size_t last) { body(chunk_column_[first], chunk_column_[last]); });
}

void Histograms::share_rows(std::span<const std::uint32_t> rows, Sums* cells, int n_threads, const Columns& done) {
    std::vector<Cells> parts(static_cast<std::size_t>(n_threads) - 1);  // of all threads but the first
    base::Slices pieces((rows.size() + shared_rows - 1) / shared_rows, parts.size() + 1);
    base::parallel_for(parts.size() + 1, n_threads, work_of_filling(rows.size()), [&](std::size_t t) {
        std::size_t piece = 0;
        bool more = pieces.take(t, piece);
        if (t > 0 && !more) return;  // too late to be of use
        if (t > 0) parts[t - 1] = take();
        Sums* own = t == 0 ? cells : parts[t - 1].get();
        std::fill_n(own, start_.back(), Sums{});
        Space space = take_space();
        for (; more; more = pieces.take(t, piece)) {
            const std::size_t at = piece * shared_rows;
            add_rows(rows.subspan(at, std::min(shared_rows, rows.size() - at)), 0, chunks_.size(), space, own);
        }
        give_space(std::move(space));
    });
    for_blocks(n_threads, base::work_of(start_.back(), 3 * per_scanned),
               [&](std::size_t first_chunk, std::size_t last_chunk) {
                   const std::size_t first = chunk_column_[first_chunk];
                   const std::size_t last = chunk_column_[last_chunk];
                   for (const Cells& part : parts) {
                       if (!part) continue;
                       for (std::size_t i = start_[first]; i < start_[last]; ++i) cells[i] = plus(cells[i], part[i]);
                   }
                   done(first, last);
               });
    for (Cells& part : parts) {
        if (part) give(std::move(part));
    }
}

void Histograms::fill(std::span<const std::uint32_t> rows, Sums* cells, int n_threads, const Columns& done) {
    const int threads = base::usable_threads(n_threads);
    const std::size_t n_values = rows.size() * columns_.size();
    if (threads > 1 && rows.size() >= 2 * shared_rows && n_values >= values_per_cell * start_.back()) {
        return share_rows(rows, cells, threads, done);
    }
    const base::Work work{work_of_filling(rows.size()).nanoseconds +
                          base::work_of(start_.back(), 3 * per_scanned).nanoseconds};
    for_blocks(threads, work, [&](std::size_t first_chunk, std::size_t last_chunk) {
        const std::size_t first = chunk_column_[first_chunk];
        const std::size_t last = chunk_column_[last_chunk];
        std::fill(cells + start_[first], cells + start_[last], Sums{});
        Space space = take_space();
        add_rows(rows, first_chunk, last_chunk, space, cells);
        give_space(std::move(space));
        done(first, last);
    });
}

void Histograms::count(std::span<const std::uint32_t> rows, std::size_t k, std::span<std::int64_t> counts) const {
    std::ranges::fill(counts, 0);
    const std::uint8_t* column = bins_.columns + columns_[k] * bins_.n_rows;
    for (const std::uint32_t row : rows) ++counts[column[row]];
}

}  // namespace glasswood::boosting

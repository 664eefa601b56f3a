#include "glasswood/boosting/histograms.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <thread>
#include <type_traits>
#include <utility>

#include "glasswood/base/parallel.hpp"
#include "glasswood/base/spin.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t shared_rows = 2048;  // fewer are not shared
// Zeroing and adding up a histogram per thread costs as much as adding this many values per cell.
constexpr std::size_t values_per_cell = 4;
// Narrow sums save the time to zero them from this many rows per bin.
constexpr std::size_t rows_per_bin = 16;
// A node is listed, not kept in a histogram, if it has fewer values than so many per cell of a histogram.
constexpr std::size_t listed_per_cell = 1;
constexpr std::size_t max_listed = 512;  // rows
static_assert(max_listed <= fill_tile_rows);
constexpr double per_value = 1.0;    // ns to add one value of one row
constexpr double per_scanned = 2.0;  // ns to look for a split at one cell

}  // namespace

// Calls body with a function that gives the bin of rows[i].
template <class Body>
void Histograms::with_bins(std::size_t k, std::span<const std::uint32_t> rows, const Body& body) const {
    if (bins_.columns != nullptr) {
        const std::uint8_t* column = bins_.columns + features_[k] * bins_.n_rows;
        body([&](std::size_t i) { return column[rows[i]]; });
    } else {
        std::vector<std::uint8_t> bins;
        bundles_->set_bins(features_[k], rows, bins);
        body([&](std::size_t i) { return bins[i]; });
    }
}

bool Histograms::begin(const RowStats& stats, std::span<const std::uint32_t> features) {
    if (stats_.narrow.empty() != stats.narrow.empty()) spaces_.clear();
    stats_ = stats;
    const bool is_new = chunks_.empty() || !std::ranges::equal(features, features_);
    if (is_new) lay_out(features);
    if (n_cells_ > pool_cells_) {
        pool_.clear();
        spaces_.clear();
        pool_cells_ = n_cells_;
    }
    return is_new;
}

void Histograms::lay_out(std::span<const std::uint32_t> features) {
    const auto column_of = [&](std::uint32_t k) { return bundles_->place(features_[k]).column; };
    const auto part_of = [&](std::uint32_t k) { return bundles_->place(features_[k]).part; };
    features_.assign(features.begin(), features.end());
    order_.resize(features.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, {}, part_of);  // parts are numbered column by column
    cell_.resize(features.size());
    first_cell_.clear();
    chunks_.clear();
    chunk_first_.clear();
    n_cells_ = n_columns_ = 0;
    const auto is_listed = [&](std::uint32_t k) { return bundles_->place(features_[k]).is_listed; };
    const auto first_listed = std::ranges::find_if(order_, is_listed) - order_.begin();
    for (std::size_t i = 0; std::cmp_less(i, first_listed); ++i) {
        const std::uint32_t column = column_of(order_[i]);
        if (i > 0 && column == column_of(order_[i - 1])) {
            first_cell_.push_back(first_cell_.back());
        } else {
            const auto at = static_cast<std::uint32_t>(column / chunk_width * chunk_width);
            if (chunks_.empty() || chunks_.back().at != at) {
                chunks_.push_back({at, 0, {}, {}});
                chunk_first_.push_back(static_cast<std::uint32_t>(i));
            }
            ColumnChunk& chunk = chunks_.back();
            chunk.place[chunk.n] = static_cast<std::uint8_t>(column - at);
            chunk.start[chunk.n++] = static_cast<std::uint32_t>(n_cells_);
            first_cell_.push_back(static_cast<std::uint32_t>(n_cells_));
            n_cells_ += bundles_->n_codes(column);
            ++n_columns_;
        }
        cell_[order_[i]] = first_cell_.back();
    }
    chunk_first_.push_back(static_cast<std::uint32_t>(first_listed));
    lay_out_lists();
    first_cell_.push_back(static_cast<std::uint32_t>(n_cells_));
}

// All lists have their cells, whichever features are used: the values of rows say which.
void Histograms::lay_out_lists() {
    const StoredValues& lists = bundles_->lists();
    const bool any = n_unlisted() < order_.size();
    n_unlisted_cells_ = n_cells_;
    listed_per_row_ = any ? lists.n_values() / std::max<std::size_t>(1, bins_.n_rows) + 1 : 0;
    place_of_.assign(any ? lists.n_cells() : 0, static_cast<std::uint32_t>(order_.size()));
    for (std::size_t i = n_unlisted(); i < order_.size(); ++i) {
        const std::size_t list = bundles_->list_of_values(features_[order_[i]]);
        const std::size_t first = lists.first_cell(list), last = lists.first_cell(list + 1);
        cell_[order_[i]] = static_cast<std::uint32_t>(n_unlisted_cells_ + first);
        first_cell_.push_back(cell_[order_[i]]);
        std::fill(place_of_.begin() + static_cast<std::ptrdiff_t>(first),
                  place_of_.begin() + static_cast<std::ptrdiff_t>(last), static_cast<std::uint32_t>(i));
    }
    n_cells_ += place_of_.size();
}

Histograms::Cells Histograms::take() {
    const base::PatientLock lock(guard_);
    if (pool_.empty()) return base::make_pages<Sums>(pool_cells_);
    auto cells = std::move(pool_.back());
    pool_.pop_back();
    return cells;
}

void Histograms::give(Cells cells) {
    const base::PatientLock lock(guard_);
    pool_.push_back(std::move(cells));
}

Histograms::Space Histograms::take_space() {
    const base::PatientLock lock(guard_);
    if (spaces_.empty()) {
        Space space{base::make_pages<std::uint8_t>(fill_tile_bytes), base::make_pages<Sums>(fill_tile_rows),
                    base::make_pages<Narrow>(stats_.narrow.empty() ? 0 : pool_cells_),
                    base::make_pages<Sums>(chunk_width * max_bins), std::make_unique<ColumnBundles::Spare[]>(1)};
        std::fill_n(space.empty.get(), chunk_width * max_bins, Sums{});
        const std::size_t n_listed = bundles_->lists().n_cells();
        if (n_listed > 0) {
            space.listed = base::make_pages<Sums>(pool_cells_);
            std::fill_n(space.listed.get(), pool_cells_, Sums{});
            space.marks.resize((n_listed + 63) / 64);
        }
        return space;
    }
    Space space = std::move(spaces_.back());
    spaces_.pop_back();
    return space;
}

void Histograms::give_space(Space space) {
    const base::PatientLock lock(guard_);
    spaces_.push_back(std::move(space));
}

template <class Cell>
void Histograms::add_rows(std::span<const std::uint32_t> rows, std::size_t first_chunk, std::size_t last_chunk,
                          const Space& space, Cell* cells) const {
    const FillKernels& kernels = fill_kernels(base::cpu_level());
    const BinnedRows& codes = bundles_->rows();
    const std::size_t first = first_cell_[chunk_first_[first_chunk]], last = first_cell_[chunk_first_[last_chunk]];
    const FillTask task{codes.data, codes.stride, stats_.wide.data(), stats_.narrow.data(), rows.data(), rows.size(),
                        first,      last,         stats_.pairs.data()};
    const FillSpace copies{space.tile.get(), space.stats.get(), space.narrow.get()};
    const ColumnChunk* chunks = chunks_.data() + first_chunk;
    if constexpr (std::is_same_v<Cell, Pair>) {
        kernels.fill_pairs(task, chunks, last_chunk - first_chunk, copies, cells);
    } else {
        std::size_t n_columns = 0;
        for (std::size_t c = first_chunk; c < last_chunk; ++c) n_columns += chunks_[c].n;
        const bool few = rows.size() * n_columns < rows_per_bin * (last - first);
        kernels.fill(task, chunks, last_chunk - first_chunk, copies, few, cells);
    }
}

base::Work Histograms::work_of_filling(std::size_t n_rows) const { return base::work_of(n_values(n_rows), per_value); }

// Calls body for ranges of chunks, one per thread.
void Histograms::for_blocks(int n_threads, base::Work work, const Range& body) const {
    const std::size_t n = chunks_.size();
    const std::size_t n_blocks = std::min(n, static_cast<std::size_t>(std::max(1, n_threads)));
    base::parallel_for(n_blocks, n_threads, work,
                       [&](std::size_t b) { body(b * n / n_blocks, (b + 1) * n / n_blocks); });
}

void Histograms::for_features(int n_threads, const Range& body) const {
    for_features(n_threads, base::work_of(n_cells_, per_scanned), body);
}

// Ranges have about as many cells each. Features that share a column stay together.
void Histograms::for_features(int n_threads, base::Work work, const Range& body) const {
    const auto n_ranges = static_cast<std::size_t>(std::max(1, n_threads));
    const auto cut = [&](std::size_t range) {
        const auto found = std::lower_bound(first_cell_.begin(), first_cell_.end() - 1, range * n_cells_ / n_ranges);
        return static_cast<std::size_t>(found - first_cell_.begin());
    };
    base::parallel_for(n_ranges, n_threads, work, [&](std::size_t range) {
        const std::size_t first = cut(range), last = range + 1 == n_ranges ? order_.size() : cut(range + 1);
        if (first < last) body(first, last);
    });
}

// Every thread adds the rows it owns: the caller to `cells`, the others to histograms of their own.
template <class Cell>
void Histograms::share_rows(std::span<const std::uint32_t> rows, Cell* cells, int n_threads, const Range& done) {
    const auto n_parts = static_cast<std::size_t>(n_threads);
    std::vector<Cells> parts(n_parts);  // of the threads other than the caller
    const auto caller = std::this_thread::get_id();
    std::fill_n(cells, n_cells_, Cell{});
    base::parallel_for(n_parts, n_threads, work_of_filling(rows.size()), [&](std::size_t t) {
        const std::size_t begin = owned_start(rows, bins_.n_rows, t, n_parts);
        const std::size_t end = owned_start(rows, bins_.n_rows, t + 1, n_parts);
        if (begin == end) return;
        Cell* own = cells;
        if (std::this_thread::get_id() != caller) {
            parts[t] = take();
            own = reinterpret_cast<Cell*>(parts[t].get());
            std::fill_n(own, n_cells_, Cell{});
        }
        Space space = take_space();
        for (std::size_t at = begin; at < end; at += narrow_rows) {
            add_rows(rows.subspan(at, std::min<std::size_t>(narrow_rows, end - at)), 0, chunks_.size(), space, own);
        }
        add_values(rows.subspan(begin, end - begin), own);
        give_space(std::move(space));
    });
    for_features(n_threads, base::work_of(n_cells_, 3 * per_scanned), [&](std::size_t first, std::size_t last) {
        for (const Cells& part : parts) {
            if (!part) continue;
            const auto* own = reinterpret_cast<const Cell*>(part.get());
            for (std::size_t i = first_cell_[first]; i < first_cell_[last]; ++i) cells[i] = plus(cells[i], own[i]);
        }
        done(first, last);
    });
    for (Cells& part : parts) {
        if (part) give(std::move(part));
    }
}

template <class Cell>
void Histograms::fill_cells(std::span<const std::uint32_t> rows, Cell* cells, int n_threads, const Range& done) {
    const int threads = base::usable_threads(n_threads);
    if (threads > 1 && rows.size() >= shared_rows && n_values(rows.size()) >= values_per_cell * n_cells_) {
        return share_rows(rows, cells, threads, done);
    }
    const base::Work work{work_of_filling(rows.size()).nanoseconds +
                          base::work_of(n_cells_, 3 * per_scanned).nanoseconds};
    for_blocks(threads, work, [&](std::size_t first_chunk, std::size_t last_chunk) {
        const std::size_t first = chunk_first_[first_chunk];
        const std::size_t last = chunk_first_[last_chunk];
        std::fill(cells + first_cell_[first], cells + first_cell_[last], Cell{});
        Space space = take_space();
        add_rows(rows, first_chunk, last_chunk, space, cells);
        give_space(std::move(space));
        done(first, last);
    });
    if (place_of_.empty()) return;
    std::fill(cells + n_unlisted_cells_, cells + n_cells_, Cell{});
    add_values(rows, cells);
    done(n_unlisted(), order_.size());
}

ListedTask Histograms::listed_task(std::span<const std::uint32_t> rows) const {
    const StoredValues& lists = bundles_->lists();
    return {lists.row_start().data(), lists.cells().data(), stats_.wide.data(),
            stats_.narrow.data(),     rows.data(),          rows.size()};
}

// Adds the values of lists.
template <class Cell>
void Histograms::add_values(std::span<const std::uint32_t> rows, Cell* cells) const {
    if constexpr (std::is_same_v<Cell, Sums>) {  // there are no pairs of sparse tables
        if (place_of_.empty()) return;
        fill_kernels(base::cpu_level()).add_listed(listed_task(rows), cells + n_unlisted_cells_);
    }
}

void Histograms::for_values(std::span<const std::uint32_t> rows, const ValuesBody& body) {
    if (place_of_.empty()) return;
    Space space = take_space();
    Sums* cells = space.listed.get() + n_unlisted_cells_;
    fill_kernels(base::cpu_level()).mark_listed(listed_task(rows), cells, space.marks.data());
    const auto for_marked = [&](const auto& act) {
        for (std::size_t w = 0; w < space.marks.size(); ++w) {
            for (std::uint64_t word = space.marks[w]; word != 0; word &= word - 1) {
                act(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
            }
        }
    };
    space.places.clear();
    for_marked([&](std::size_t cell) {
        const std::uint32_t place = place_of_[cell];
        const bool is_new = space.places.empty() || space.places.back() != place;
        if (is_new && place < order_.size()) space.places.push_back(place);
    });
    body(space.listed.get(), space.places);
    for_marked([&](std::size_t cell) { cells[cell] = Sums{}; });
    std::ranges::fill(space.marks, 0);
    give_space(std::move(space));
}

Sums Histograms::sums_of(std::span<const std::uint32_t> rows) const {
    Sums all{};
    for (const std::uint32_t row : rows) all = plus(all, of_row(row));
    return all;
}

void Histograms::fill(std::span<const std::uint32_t> rows, Sums* cells, int n_threads, const Range& done) {
    fill_cells(rows, cells, n_threads, done);
}

void Histograms::fill(std::span<const std::uint32_t> rows, Pair* cells, int n_threads) {
    fill_cells(rows, cells, n_threads, [](std::size_t, std::size_t) {});
}

bool Histograms::are_listed(std::size_t n_rows) const {
    return n_rows <= max_listed && n_values(n_rows) < listed_per_cell * n_cells_;
}

void Histograms::for_lists(std::span<const std::uint32_t> rows, const Sums& total, const ListBody& body) {
    const FillKernels& kernels = fill_kernels(base::cpu_level());
    const BinnedRows& codes = bundles_->rows();
    const FillTask task{codes.data, codes.stride, stats_.wide.data(), stats_.narrow.data(), rows.data(), rows.size(),
                        0,          n_cells_};
    Space space = take_space();
    space.spare[0].part = ColumnBundles::no_part;
    const FillSpace copies{space.tile.get(), space.stats.get(), space.narrow.get()};
    const std::size_t at_once = fill_tile_bytes / tile_pitch(max_listed);
    CellList list;
    for (std::size_t begin = 0; begin < chunks_.size(); begin += at_once) {
        const std::size_t n_chunks = std::min(at_once, chunks_.size() - begin);
        kernels.copy(task, chunks_.data() + begin, n_chunks, copies);
        for (std::size_t c = begin; c < begin + n_chunks; ++c) {
            CellMarks marks[chunk_width];
            kernels.mark(space.tile.get() + (c - begin) * tile_pitch(rows.size()), rows.size(), chunks_[c],
                         space.stats.get(), marks, space.empty.get());
            std::size_t i = chunk_first_[c];
            for (std::size_t column = 0; column < chunks_[c].n; ++column) {
                const bool is_plain = bundles_->is_plain(features_[order_[i]]);
                const std::size_t n_bins = is_plain ? bundles_->place(features_[order_[i]]).n_bins - 1U : max_bins;
                kernels.move(marks[column], n_bins, space.empty.get() + column * max_bins, list);
                for (; i < chunk_first_[c + 1] && first_cell_[i] == chunks_[c].start[column]; ++i) {
                    body(order_[i], bundles_->list_of(features_[order_[i]], list, total, space.spare[0]));
                }
            }
        }
    }
    give_space(std::move(space));
}

Sums Histograms::of_row(std::uint32_t row) const {
    if (stats_.narrow.empty()) return stats_.wide[row];
    const Narrow& own = stats_.narrow[row];
    return {own.grad, own.square, own.hess, own.weight};
}

void Histograms::fill_feature(std::span<const std::uint32_t> rows, std::size_t k, std::span<Sums> cells) const {
    std::ranges::fill(cells, Sums{});
    with_bins(k, rows, [&](const auto& bin_of) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Sums& cell = cells[bin_of(i)];
            cell = plus(cell, of_row(rows[i]));
        }
    });
}

void Histograms::count(std::span<const std::uint32_t> rows, std::size_t k, std::span<std::int64_t> counts) const {
    std::ranges::fill(counts, 0);
    with_bins(k, rows, [&](const auto& bin_of) {
        for (std::size_t i = 0; i < rows.size(); ++i) ++counts[bin_of(i)];
    });
}

}  // namespace glasswood::boosting

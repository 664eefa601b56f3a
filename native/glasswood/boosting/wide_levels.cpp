#include "glasswood/boosting/wide_levels.hpp"

#include <algorithm>
#include <utility>

#include "glasswood/base/parallel.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t shared_rows = 16384;  // rows that are worth a thread
constexpr double per_row = 4.0;             // ns
constexpr std::size_t ahead = 16;           // rows
// Listing the levels in order by looking at all cells is faster than sorting the levels met, if these are so many.
constexpr std::size_t cells_per_level = 8;

Sums in_units(const Narrow& own) { return {own.grad, own.square, own.hess, own.weight}; }

template <class Statistics, class Spaces, class ToSums>
void add(const std::uint16_t* codes, std::span<const std::uint32_t> rows, std::span<const Statistics> stats,
         Spaces& space, const ToSums& to_sums) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t coming = rows[std::min(i + ahead, rows.size() - 1)];
        __builtin_prefetch(codes + coming);
        __builtin_prefetch(stats.data() + coming);
        const std::uint16_t code = codes[rows[i]];
        if (space.n_rows[code]++ == 0) space.met.push_back(code);
        space.sums[code] = plus(space.sums[code], to_sums(stats[rows[i]]));
    }
}

// Moves what `from` holds to `to`, and leaves it empty.
template <class Space>
void move_cells(Space& from, Space& to) {
    for (const std::uint32_t code : from.met) {
        if (to.n_rows[code] == 0) to.met.push_back(code);
        to.n_rows[code] += std::exchange(from.n_rows[code], 0);
        to.sums[code] = plus(to.sums[code], std::exchange(from.sums[code], Sums{}));
    }
    from.met.clear();
}

template <class Space>
void put_in_order(Space& space, std::size_t n_cells) {
    if (space.met.size() * cells_per_level < n_cells) {
        std::ranges::sort(space.met);
        return;
    }
    space.met.clear();
    for (std::uint32_t code = 0; code < n_cells; ++code) {
        if (space.n_rows[code] != 0) space.met.push_back(code);
    }
}

}  // namespace

bool are_known(const WideColumns& columns, std::span<const std::uint16_t> n_levels) {
    std::size_t place = 0;
    for (const std::uint16_t n : n_levels) {
        if (n == 0) continue;
        const std::span codes(columns.column(place++), columns.n_rows);
        if (std::ranges::any_of(codes, [n](std::uint16_t code) { return code > n; })) return false;
    }
    return true;
}

WideLevels::WideLevels(const WideColumns& columns, std::span<const std::uint16_t> n_levels)
    : columns_(columns), n_levels_(n_levels.begin(), n_levels.end()) {
    std::uint32_t place = 0;
    for (const std::uint16_t n : n_levels_) {
        place_.push_back(place);
        place += n > 0 ? 1 : 0;
        n_cells_ = std::max<std::size_t>(n_cells_, n + std::size_t{1});
    }
}

WideLevels::Space WideLevels::take_space() {
    const std::lock_guard lock(guard_);
    if (spaces_.empty()) return {std::vector<Sums>(n_cells_), std::vector<std::int64_t>(n_cells_), {}};
    Space space = std::move(spaces_.back());
    spaces_.pop_back();
    return space;
}

void WideLevels::give_space(Space space) {
    const std::lock_guard lock(guard_);
    spaces_.push_back(std::move(space));
}

void WideLevels::add_rows(std::size_t feature, std::span<const std::uint32_t> rows, const RowStats& stats,
                          Space& space) const {
    const std::uint16_t* codes = columns_.column(place_[feature]);
    if (stats.narrow.empty()) return add(codes, rows, stats.wide, space, [](const Sums& own) { return own; });
    add(codes, rows, stats.narrow, space, in_units);
}

LevelList WideLevels::list(std::size_t feature, std::span<const std::uint32_t> rows, const RowStats& stats,
                           int n_threads) {
    const std::size_t n = rows.size();
    const auto threads = static_cast<std::size_t>(base::usable_threads(n_threads));
    const std::size_t n_parts = std::clamp<std::size_t>(n / shared_rows, 1, threads);
    std::vector<Space> parts;
    for (std::size_t p = 0; p < n_parts; ++p) parts.push_back(take_space());
    base::parallel_for(n_parts, n_threads, base::work_of(n, per_row), [&](std::size_t p) {
        const std::size_t first = p * n / n_parts, last = (p + 1) * n / n_parts;
        add_rows(feature, rows.subspan(first, last - first), stats, parts[p]);
    });
    Space all = std::move(parts[0]);
    for (std::size_t p = 1; p < n_parts; ++p) {
        move_cells(parts[p], all);
        give_space(std::move(parts[p]));
    }
    return list_of(n_levels_[feature], std::move(all));
}

LevelList WideLevels::merge(std::size_t feature, std::span<const SentLevels> lists) {
    Space all = take_space();
    const std::size_t n_levels = n_levels_[feature];
    const auto add = [&](std::size_t code, const LevelRecord& own) {
        if (own.n_rows == 0) return;  // no missing values
        if (all.n_rows[code] == 0) all.met.push_back(static_cast<std::uint32_t>(code));
        all.n_rows[code] += own.n_rows;
        all.sums[code] = plus(all.sums[code], sums_of(own));
    };
    for (const SentLevels& list : lists) {
        add(n_levels, list.front());
        for (const LevelRecord& own : list.subspan(1)) add(own.level, own);
    }
    return list_of(n_levels, std::move(all));
}

// The levels in a space, which is given back empty.
LevelList WideLevels::list_of(std::size_t n_levels, Space all) {
    put_in_order(all, n_levels + 1);
    LevelList list;
    list.level.reserve(all.met.size());
    list.sums.reserve(all.met.size());
    list.n_rows.reserve(all.met.size() + 1);
    std::int64_t n_missing = 0;
    for (const std::uint32_t code : all.met) {
        const Sums sums = std::exchange(all.sums[code], Sums{});
        const std::int64_t count = std::exchange(all.n_rows[code], 0);
        if (code == n_levels) {
            list.missing = sums;
            n_missing = count;
            continue;
        }
        list.level.push_back(code);
        list.sums.push_back(sums);
        list.n_rows.push_back(count);
    }
    list.n_rows.push_back(n_missing);
    all.met.clear();
    give_space(std::move(all));
    return list;
}

}  // namespace glasswood::boosting

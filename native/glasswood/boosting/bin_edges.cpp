#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <type_traits>
#include <utility>

#include "glasswood/base/exact_sum.hpp"
#include "glasswood/base/order_statistics.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/base/radix_sort.hpp"
#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/table/sparse_column.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t line = 64;   // bytes: features that lie together in a row-major table are read together
constexpr std::size_t tile = 256;  // rows at a time

struct Distinct {
    std::vector<double> value;
    std::vector<double> below;  // weight of all values up to and including this one
};

template <class Item>
Distinct distinct_of(const std::vector<Item>& sorted, double unit) {
    Distinct found;
    std::int64_t below = 0;
    for (std::size_t i = 0; i < sorted.size();) {
        const auto key = base::key_of(sorted[i]);
        for (; i < sorted.size() && base::key_of(sorted[i]) == key; ++i) below += base::weight_of(sorted[i]);
        found.value.push_back(base::from_key(key));
        found.below.push_back(static_cast<double>(below) * unit);
    }
    return found;
}

// Strictly below `high` and at least `low`, also where floats are neighbours or infinite.
double midway(double low, double high) {
    const double middle = low + (high - low) / 2;
    return std::isfinite(middle) && middle < high ? middle : low;
}

// Type-7 quantiles at k/m: position (W − 1)·k/m in the rows laid out in order, between two of them by proportion. Of
// those that part the rows alike the lowest is kept; one that parts none is not an edge.
std::vector<double> quantiles(const Distinct& distinct, std::size_t n_rows, std::size_t m) {
    std::vector<double> out;
    // weights that sum to less than their rows are shares, not counts
    const double rows = static_cast<double>(n_rows);
    const double scale = distinct.below.back() < rows ? rows / distinct.below.back() : 1.0;
    const double last = distinct.below.back() * scale - 1.0;
    constexpr double round_off = 1.0 + 1e-12;  // sums of fractions miss whole numbers
    const auto below = [&](std::size_t i) { return distinct.below[i] * scale; };
    std::size_t at = 0;
    std::size_t n_parted = 0;  // values at or below the last edge
    for (std::size_t k = 1; k < m; ++k) {
        const double position = last * static_cast<double>(k) / static_cast<double>(m);
        const double whole = std::floor(position);
        while (at + 1 < distinct.value.size() && below(at) <= whole * round_off) ++at;
        const bool same = below(at) > (whole + 1.0) * round_off || at + 1 == distinct.value.size();
        const double low = distinct.value[at];
        const double high = distinct.value[same ? at : at + 1];
        const double between = low + (high - low) * (position - whole);
        const double edge = same || !std::isfinite(between) ? low : between;
        const std::size_t n_below = at + (!same && edge == high ? 2 : 1);
        if (n_below == n_parted || n_below == distinct.value.size()) continue;
        n_parted = n_below;
        out.push_back(edge);
    }
    return out;
}

// A value that many rows share takes many quantiles and gives one edge. So more quantiles are asked for, as many as
// give at most max_bins − 1 edges; without ties that is max_bins of them.
std::vector<double> quantile_edges(const Distinct& distinct, std::size_t n_rows, std::size_t max_bins) {
    constexpr std::size_t most = std::size_t{1} << 22;  // a tie of all rows but a few needs no finer search
    std::vector<double> edges = quantiles(distinct, n_rows, max_bins);
    std::size_t enough = max_bins;
    std::size_t too_many = most;
    while (edges.size() + 1 < max_bins && enough + 1 < too_many) {
        const std::size_t asked = too_many == most ? std::min(2 * enough, most - 1) : enough + (too_many - enough) / 2;
        std::vector<double> more = quantiles(distinct, n_rows, asked);
        if (more.size() < max_bins) {
            enough = asked;
            edges = std::move(more);
        } else {
            too_many = asked;
        }
    }
    return edges;
}

std::vector<double> edges_of(const Distinct& distinct, std::size_t n_rows, std::size_t max_bins) {
    if (distinct.value.size() > max_bins) return quantile_edges(distinct, n_rows, max_bins);
    std::vector<double> edges;
    for (std::size_t i = 1; i < distinct.value.size(); ++i) {
        edges.push_back(midway(distinct.value[i - 1], distinct.value[i]));
    }
    return edges;
}

// The same edges for many values without ties, from the few places of the sorted list that they need; false where ties
// ask for the whole list.
template <class Key>
bool select_edges(const std::vector<Key>& keys, std::size_t max_bins, base::Selection<Key>& selection,
                  std::vector<double>& out) {
    constexpr std::size_t worth_it = 20'000;
    if (keys.size() < std::max(worth_it, 4 * max_bins)) return false;
    const auto last = static_cast<double>(keys.size() - 1);
    const auto position = [&](std::size_t k) { return last * static_cast<double>(k) / static_cast<double>(max_bins); };
    std::vector<std::size_t> places{0};
    for (std::size_t k = 1; k < max_bins; ++k) {
        const auto whole = static_cast<std::size_t>(position(k));
        places.insert(places.end(), {whole, whole + 1});
    }
    places.push_back(keys.size() - 1);
    const std::span<const Key> found = selection.select(keys, places);
    out.clear();
    Key before = found[0];
    for (std::size_t k = 1; k < max_bins; ++k) {
        const Key key = found[2 * k - 1];
        const double low = base::from_key(key);
        const double high = base::from_key(found[2 * k]);
        const double edge = low == high ? low : low + (high - low) * (position(k) - std::floor(position(k)));
        const bool is_tied = key == before || key == found.back() || (edge == high && low != high);
        if (is_tied || !std::isfinite(edge)) return false;
        out.push_back(edge);
        before = key;
    }
    return true;
}

struct Sample {
    std::span<const std::uint32_t> rows;   // fastest where they ascend
    std::span<const std::int64_t> weight;  // in whole units; empty: 1 each
    double unit;
    std::vector<std::uint32_t> place = {};  // (n_table) of each row among `rows`; empty unless sparse columns need it
    std::int64_t total = 0;                 // weight of all rows
    std::size_t n_weighted = 0;             // rows of positive weight

    static constexpr std::uint32_t not_there = 0xFFFFFFFF;
    std::int64_t weight_of(std::uint32_t at) const { return weight.empty() ? 1 : weight[at]; }
};

// Sparse columns look up the rows they store. Each row may be there once.
void prepare_for_sparse(Sample& sample, std::size_t n_table) {
    const bool ascend = std::ranges::adjacent_find(sample.rows, std::greater_equal<>()) == sample.rows.end();
    if (!ascend) return;
    sample.place.assign(n_table, Sample::not_there);
    for (std::uint32_t at = 0; at < sample.rows.size(); ++at) {
        sample.place[sample.rows[at]] = at;
        sample.total += sample.weight_of(at);
        sample.n_weighted += sample.weight_of(at) > 0 ? 1 : 0;
    }
}

// The edges of a sparse column from its stored values alone: all other rows are one value.
template <class Float>
std::vector<double> sparse_edges(const table::Column& column, const Sample& sample, std::size_t max_bins) {
    using Item = base::Weighted<base::KeyOf<Float>>;
    std::vector<Item> items;
    std::int64_t not_stored = sample.total;
    std::size_t n_not_stored = sample.n_weighted, n_rows = 0;
    const table::Column values = table::stored_values(column, 0);
    for (std::size_t i = 0; i < column.stored.size(); ++i) {
        const std::uint32_t at = sample.place[static_cast<std::size_t>(column.stored[i])];
        if (at == Sample::not_there || sample.weight_of(at) <= 0) continue;
        not_stored -= sample.weight_of(at);
        --n_not_stored;
        const auto value = table::value_at<Float>(values, i);
        if (value != value) continue;
        items.push_back({base::to_key(value), sample.weight_of(at)});
        ++n_rows;
    }
    const auto fill = static_cast<Float>(column.fill);
    if (n_not_stored > 0 && fill == fill) {
        items.push_back({base::to_key(fill), not_stored});
        n_rows += n_not_stored;
    }
    std::vector<Item> spare;
    base::sort_by_key(items, spare);
    return edges_of(distinct_of(items, sample.unit), n_rows, max_bins);
}

template <class Float, class Item>
void gather(const table::Column& column, const Sample& sample, std::size_t first, std::size_t last,
            std::vector<Item>& items) {
    std::size_t next = column.is_sparse && first < last ? table::stored_from(column, sample.rows[first]) : 0;
    const auto value_of = [&](std::uint32_t row) {
        if (!column.is_sparse) return table::value_at<Float>(column, row);
        if (next > 0 && static_cast<std::uint32_t>(column.stored[next - 1]) >= row) next = stored_from(column, row);
        while (next < column.stored.size() && static_cast<std::uint32_t>(column.stored[next]) < row) ++next;
        const bool is_stored = next < column.stored.size() && static_cast<std::uint32_t>(column.stored[next]) == row;
        return is_stored ? table::value_at<Float>(table::stored_values(column, 0), next)
                         : static_cast<Float>(column.fill);
    };
    for (std::size_t i = first; i < last; ++i) {
        const auto value = value_of(sample.rows[i]);
        if (value != value) continue;
        if constexpr (std::is_integral_v<Item>) {
            items.push_back(base::to_key(value));
        } else if (sample.weight[i] > 0) {
            items.push_back({base::to_key(value), sample.weight[i]});
        }
    }
}

// Features that are read together. Weighted items are large: of float32, half a cache line takes enough memory.
template <class Float, class Item>
constexpr std::size_t group_size = line / (sizeof(Item) > 2 * sizeof(Float) ? 2 * sizeof(Float) : sizeof(Float));

bool is_ready(const table::Column& column, const Sample& sample) { return column.is_sparse && !sample.place.empty(); }

// What one thread needs. The caller makes it, and not the thread: what a thread frees, the others cannot use again.
template <class Float, class Item>
struct Room {
    std::vector<Item> items[group_size<Float, Item>];
    std::vector<Item> spare;
    base::Selection<base::KeyOf<Float>> selection;
};

template <class Float, class Item>
void group_edges(std::span<const table::Column> columns, const Sample& sample, std::size_t max_bins,
                 Room<Float, Item>& room, std::vector<double>* out) {
    for (std::size_t f = 0; f < columns.size(); ++f) {
        room.items[f].clear();
        if (is_ready(columns[f], sample)) out[f] = sparse_edges<Float>(columns[f], sample, max_bins);
    }
    for (std::size_t first = 0; first < sample.rows.size(); first += tile) {
        const std::size_t last = std::min(first + tile, sample.rows.size());
        for (std::size_t f = 0; f < columns.size(); ++f) {
            if (!is_ready(columns[f], sample)) gather<Float, Item>(columns[f], sample, first, last, room.items[f]);
        }
    }
    for (std::size_t f = 0; f < columns.size(); ++f) {
        std::vector<Item>& items = room.items[f];
        if (is_ready(columns[f], sample)) continue;
        if constexpr (std::is_integral_v<Item>) {
            if (select_edges(items, max_bins, room.selection, out[f])) continue;
        }
        base::sort_by_key(items, room.spare);
        out[f] = edges_of(distinct_of(items, sample.unit), items.size(), max_bins);
    }
}

// Runs of features of one type, at most `size` of them.
std::vector<std::span<const table::Column>> groups_of(std::span<const table::Column> columns, table::ColumnType type,
                                                      std::size_t size) {
    std::vector<std::span<const table::Column>> groups;
    for (std::size_t f = 0; f < columns.size();) {
        std::size_t n = 1;
        while (n < size && f + n < columns.size() && columns[f + n].type == columns[f].type) ++n;
        if (columns[f].type == type) groups.push_back(columns.subspan(f, n));
        f += n;
    }
    return groups;
}

// Sets the edges of all features of one type.
template <class Float, class Item>
void edges_of_type(std::span<const table::Column> columns, table::ColumnType type, const Sample& sample,
                   std::size_t max_bins, int n_threads, std::vector<double>* out) {
    const auto groups = groups_of(columns, type, group_size<Float, Item>);
    if (groups.empty()) return;
    const std::size_t n_rooms = std::min(groups.size(), static_cast<std::size_t>(std::max(1, n_threads)));
    std::vector<Room<Float, Item>> rooms(n_rooms);
    std::size_t most = 0;  // features of a group that are gathered
    for (const auto& group : groups) {
        const auto gathered = std::ranges::count_if(group, [&](const auto& c) { return !is_ready(c, sample); });
        if (gathered > 0) most = std::max(most, group.size());
    }
    std::vector<Room<Float, Item>*> free;
    for (Room<Float, Item>& room : rooms) {
        for (std::size_t f = 0; f < most; ++f) room.items[f].reserve(sample.rows.size());
        if (most > 0) room.spare.reserve(sample.rows.size());
        free.push_back(&room);
    }
    std::mutex guard;
    base::parallel_for(groups.size(), static_cast<int>(n_rooms),
                       base::work_of(columns.size() * sample.rows.size(), 20.0), [&](std::size_t g) {
                           const auto take = [&] {
                               const std::lock_guard lock(guard);
                               Room<Float, Item>* room = free.back();
                               free.pop_back();
                               return room;
                           };
                           Room<Float, Item>* room = take();
                           group_edges(groups[g], sample, max_bins, *room, out + (groups[g].data() - columns.data()));
                           const std::lock_guard lock(guard);
                           free.push_back(room);
                       });
}

template <class Float>
void edges_of_type(std::span<const table::Column> columns, table::ColumnType type, const Sample& sample,
                   std::size_t max_bins, int n_threads, std::vector<double>* out) {
    using Key = base::KeyOf<Float>;
    if (sample.weight.empty()) {
        edges_of_type<Float, Key>(columns, type, sample, max_bins, n_threads, out);
    } else {
        edges_of_type<Float, base::Weighted<Key>>(columns, type, sample, max_bins, n_threads, out);
    }
}

}  // namespace

table::Grid make_edges(const table::Rows& table, std::span<const std::uint32_t> rows, std::span<const double> weight,
                       std::size_t max_bins, int n_threads) {
    const base::FixedNumbers fixed = base::fixed_numbers(weight);
    Sample sample{rows, fixed.whole, weight.empty() ? 1.0 : fixed.unit.size};
    if (std::ranges::any_of(table.columns, &table::Column::is_sparse)) prepare_for_sparse(sample, table.n_rows);
    std::vector<std::vector<double>> edges(table.columns.size());
    using table::ColumnType;
    edges_of_type<double>(table.columns, ColumnType::float64, sample, max_bins, n_threads, edges.data());
    edges_of_type<float>(table.columns, ColumnType::float32, sample, max_bins, n_threads, edges.data());
    table::Grid grid;
    grid.start.push_back(0);
    for (const auto& list : edges) {
        grid.thresholds.insert(grid.thresholds.end(), list.begin(), list.end());
        grid.start.push_back(static_cast<std::int64_t>(grid.thresholds.size()));
    }
    return grid;
}

}  // namespace glasswood::boosting

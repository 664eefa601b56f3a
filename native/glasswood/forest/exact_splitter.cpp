#include "glasswood/forest/exact_splitter.hpp"

#include <array>
#include <numeric>
#include <vector>

#include "glasswood/base/bitset.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/base/radix_sort.hpp"
#include "glasswood/forest/cell_scan.hpp"
#include "glasswood/forest/partition.hpp"
#include "glasswood/table/sorted_column.hpp"

namespace glasswood::forest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();  // a table has fewer rows

// The middle between two neighbours, or the left one where the middle is not strictly between them. Zero has no sign.
double midpoint(double left, double right) {
    const double middle = left / 2 + right / 2;
    return (middle >= left && middle < right ? middle : left) + 0.0;
}

std::uint32_t rank_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
std::uint32_t index_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// A node's rows as keys (rank, index in the node), by one feature: those with a value first.
struct NodeKeys {
    std::vector<std::uint64_t> keys, scratch;
    std::vector<std::uint32_t> missing;  // indices in the node
    std::vector<std::uint32_t> ranks;    // of the node's rows, where the feature is sparse
    std::uint32_t low = 0, high = 0;
    std::size_t n_known = 0;

    void gather(const RankColumn& column, std::span<const std::uint32_t> rows, bool may_miss) {
        if (column.is_sparse) {
            column.read(rows, ranks);
            gather(rows.size(), may_miss, [&](std::uint32_t i) { return ranks[i]; });
        } else {
            gather(rows.size(), may_miss, [rank = column.rank, rows](std::uint32_t i) { return rank[rows[i]]; });
        }
    }

    template <class RankOf>
    void gather(std::size_t n_rows, bool may_miss, RankOf rank_at) {
        keys.resize(n_rows);
        scratch.resize(n_rows);
        missing.clear();
        low = missing_rank;
        high = 0;
        n_known = 0;
        for (std::uint32_t i = 0; i < n_rows; ++i) {
            const std::uint32_t r = rank_at(i);
            if (may_miss && r == missing_rank) {
                missing.push_back(i);
                continue;
            }
            keys[n_known++] = (static_cast<std::uint64_t>(r) << 32) | i;
            low = std::min(low, r);
            high = std::max(high, r);
        }
    }

    bool varies() const { return n_known > 0 && (low != high || !missing.empty()); }
    std::span<const std::uint64_t> sorted() {
        return base::sort_keys({keys.data(), n_known}, {scratch.data(), n_known}, low, high);
    }
};

template <class Criterion>
class ExactSplitter final : public NodeSplitter<Criterion> {
 public:
    ExactSplitter(const Ranks& ranks, const table::Rows& rows, std::span<const std::int32_t> n_levels,
                  Criterion criterion, int n_threads)
        : NodeSplitter<Criterion>(std::move(criterion)),
          ranks_(ranks),
          table_(rows),
          n_levels_(n_levels),
          n_threads_(n_threads) {}

    std::size_t search(std::span<const std::int32_t> features, const SplitLimits& limits, Split& best) override;
    std::size_t partition(std::span<std::uint32_t> rows, std::span<std::uint32_t> scratch,
                          const Split& split) const override;

 private:
    // What one thread needs to search.
    struct ThreadScratch {
        NodeKeys node;
        NodeCells cells;
        std::vector<std::uint32_t> level;  // code of each cell
    };

    bool search_feature(ThreadScratch& scratch, std::int32_t feature, const SplitLimits& limits, Split& best) const;
    void scan_numbers(NodeKeys& node, std::int32_t feature, const SplitLimits& limits, Contest& contest) const;
    void read_values(Split& split) const;
    void scan_levels(ThreadScratch& scratch, std::int32_t feature, const SplitLimits& limits, Contest& contest) const;
    void gather_cells(ThreadScratch& scratch) const;
    bool is_category(std::int32_t feature) const { return table_.columns[feature].type == table::ColumnType::code; }

    using NodeSplitter<Criterion>::criterion_;
    using NodeSplitter<Criterion>::rows_;

    const Ranks& ranks_;
    const table::Rows& table_;
    std::span<const std::int32_t> n_levels_;
    int n_threads_;
    std::vector<ThreadScratch> scratches_;
};

template <class Criterion>
std::size_t ExactSplitter<Criterion>::search(std::span<const std::int32_t> features, const SplitLimits& limits,
                                             Split& best) {
    // Threads cost a few microseconds to wake: small nodes are searched faster by one. The parts are fixed by the node,
    // so the number of threads does not show in the result.
    constexpr std::size_t rows_per_part = 50'000, max_parts = 8;
    const std::size_t n_parts = std::clamp<std::size_t>(rows_.size() * features.size() / rows_per_part, 1,
                                                        std::min(max_parts, features.size()));
    if (scratches_.size() < n_parts) scratches_.resize(n_parts);
    std::array<Split, max_parts> found;
    std::array<std::size_t, max_parts> varying{};
    base::parallel_for(n_parts, n_threads_, base::work_of(rows_.size() * features.size(), 8.0), [&](std::size_t part) {
        ThreadScratch& scratch = scratches_[n_threads_ > 1 ? part : 0];
        for (std::size_t i = part; i < features.size(); i += n_parts) {
            varying[part] += search_feature(scratch, features[i], limits, found[part]) ? 1 : 0;
        }
    });
    Contest contest(best, criterion_.mass());
    bool is_new = false;
    for (Split& split : found) {
        if (split.found() && contest.enter(split.gain, split.feature, split.order, split.missing_left)) {
            best = std::move(split);
            is_new = true;
        }
    }
    if (is_new && !best.is_category) read_values(best);
    return std::accumulate(varying.begin(), varying.end(), std::size_t{0});
}

template <class Criterion>
bool ExactSplitter<Criterion>::search_feature(ThreadScratch& scratch, std::int32_t feature, const SplitLimits& limits,
                                              Split& best) const {
    NodeKeys& node = scratch.node;
    node.gather(ranks_.of(feature), rows_, ranks_.has_missing[feature] != 0);
    if (!node.varies()) return false;
    Contest contest(best, criterion_.mass());
    if (is_category(feature)) {
        scan_levels(scratch, feature, limits, contest);
    } else {
        scan_numbers(node, feature, limits, contest);
    }
    return true;
}

template <class Criterion>
void ExactSplitter<Criterion>::scan_numbers(NodeKeys& node, std::int32_t feature, const SplitLimits& limits,
                                            Contest& contest) const {
    const std::span<const std::uint64_t> keys = node.sorted();
    const bool has_missing = !node.missing.empty();
    for (int pass = 0; pass <= (has_missing ? 1 : 0); ++pass) {
        const bool missing_left = pass == 1;
        auto left = criterion_.empty();
        if (missing_left) {
            for (const std::uint32_t i : node.missing) criterion_.add(left, i);
        }
        const std::size_t first = missing_left ? node.missing.size() : 0;
        const std::size_t n_cuts = keys.size() - (has_missing && !missing_left ? 0 : 1);
        std::size_t chosen = n_cuts;  // the cut that is best so far, if one of these is
        for (std::size_t i = 0; i < n_cuts; ++i) {
            criterion_.add(left, index_of(keys[i]));
            const bool alone = i + 1 == keys.size();  // only missing values are left for the right side
            if (!alone && rank_of(keys[i]) == rank_of(keys[i + 1])) continue;
            if (!criterion_.beats(left, contest.bar())) continue;
            if (!enter(criterion_, left, first + i + 1, rows_.size(), limits, feature, static_cast<std::uint32_t>(i),
                       missing_left, contest)) {
                continue;
            }
            chosen = i;
            contest.best().heavier_left = left.weight > criterion_.weight() - left.weight;
        }
        if (chosen == n_cuts) continue;
        const bool alone = chosen + 1 == keys.size();
        Split& best = contest.best();
        best.is_category = false;
        best.last = alone ? missing_rank - 1 : rank_of(keys[chosen]);
        best.left_row = rows_[index_of(keys[chosen])];
        best.right_row = alone ? no_row : rows_[index_of(keys[chosen + 1])];
        if (!has_missing) best.missing_left = best.heavier_left;
    }
}

// The values on both sides of the cut: of the best split alone, because they lie scattered in the table.
template <class Criterion>
void ExactSplitter<Criterion>::read_values(Split& split) const {
    const table::Column& column = table_.columns[split.feature];
    const bool alone = split.right_row == no_row;
    split.left_value = table::number_at(column, split.left_row);
    split.right_value = alone ? infinity : table::number_at(column, split.right_row);
    split.threshold = alone ? infinity : midpoint(split.left_value, split.right_value);
}

// The levels of the node as cells, ordered by mean target, equal means by code.
template <class Criterion>
void ExactSplitter<Criterion>::gather_cells(ThreadScratch& scratch) const {
    NodeCells& cells = scratch.cells;
    const std::size_t width = criterion_.cell_width();
    cells.sums.clear();
    cells.rows.clear();
    scratch.level.clear();
    for (const std::uint64_t key : scratch.node.sorted()) {
        if (scratch.level.empty() || scratch.level.back() != rank_of(key)) {
            scratch.level.push_back(rank_of(key));
            cells.rows.push_back(0);
            cells.sums.resize(cells.sums.size() + width);
        }
        criterion_.add_to(cells.sums.data() + cells.sums.size() - width, criterion_.part(index_of(key)));
        ++cells.rows.back();
    }
    cells.missing_rows = static_cast<std::uint32_t>(scratch.node.missing.size());
    cells.missing_sums.assign(width, 0.0);
    for (const std::uint32_t i : scratch.node.missing) criterion_.add_to(cells.missing_sums.data(), criterion_.part(i));
    std::vector<double> mean(scratch.level.size());
    for (std::size_t c = 0; c < mean.size(); ++c) mean[c] = criterion_.mean_target(cells.sums.data() + c * width);
    cells.order.resize(mean.size());
    std::iota(cells.order.begin(), cells.order.end(), 0U);
    std::ranges::stable_sort(cells.order, {}, [&](std::uint32_t c) { return mean[c]; });
}

template <class Criterion>
void ExactSplitter<Criterion>::scan_levels(ThreadScratch& scratch, std::int32_t feature, const SplitLimits& limits,
                                           Contest& contest) const {
    gather_cells(scratch);
    const NodeCells& cells = scratch.cells;
    std::size_t left_end = 0;
    bool taken = false;
    scan_cells(criterion_, cells, rows_.size(), limits, feature, contest,
               [&](std::size_t last, double left_weight, bool missing_left) {
                   taken = true;
                   left_end = last + 1;
                   Split& best = contest.best();
                   best.heavier_left = left_weight > criterion_.weight() - left_weight;
                   best.missing_left = cells.missing_rows > 0 ? missing_left : best.heavier_left;
               });
    if (!taken) return;
    // Levels the node has not seen follow the heavier side, as unknown ones will.
    Split& best = contest.best();
    best.is_category = true;
    const auto n_levels = static_cast<std::size_t>(n_levels_[feature]);
    best.members.assign(base::words_for(n_levels), 0);
    if (best.heavier_left) base::set_first_bits(best.members, n_levels);
    for (std::size_t i = 0; i < cells.order.size(); ++i) {
        base::set_bit(best.members, scratch.level[cells.order[i]], i < left_end);
    }
}

template <class Criterion>
std::size_t ExactSplitter<Criterion>::partition(std::span<std::uint32_t> rows, std::span<std::uint32_t> scratch,
                                                const Split& split) const {
    const RankColumn column = ranks_.of(split.feature);
    const bool missing_left = split.missing_left;
    if (split.is_category) {
        return partition_rows(rows, scratch, [&](std::uint32_t row) {
            const std::uint32_t rank = column.of(row);
            const bool left = rank == missing_rank ? missing_left : base::has_bit(split.members, rank);
            return static_cast<std::size_t>(left);
        });
    }
    const std::uint32_t last = split.last;
    // Missing ranks wrap to 0 where they go left: one comparison serves both sides.
    const std::uint32_t shift = missing_left ? 1 : 0;
    if (column.is_sparse) {
        return partition_rows(rows, scratch,
                              [&](std::uint32_t row) { return std::size_t{column.of(row) + shift <= last + shift}; });
    }
    const std::uint32_t* rank = column.rank;
    return partition_rows(rows, scratch,
                          [=](std::uint32_t row) { return std::size_t{rank[row] + shift <= last + shift}; });
}

}  // namespace

template <class Criterion>
std::unique_ptr<Splitter> make_exact_splitter(const Ranks& ranks, const table::Rows& rows,
                                              std::span<const std::int32_t> n_levels, Criterion criterion,
                                              int n_threads) {
    return std::make_unique<ExactSplitter<Criterion>>(ranks, rows, n_levels, std::move(criterion), n_threads);
}

template std::unique_ptr<Splitter> make_exact_splitter(const Ranks&, const table::Rows&, std::span<const std::int32_t>,
                                                       Moments, int);
template std::unique_ptr<Splitter> make_exact_splitter(const Ranks&, const table::Rows&, std::span<const std::int32_t>,
                                                       Gini, int);
template std::unique_ptr<Splitter> make_exact_splitter(const Ranks&, const table::Rows&, std::span<const std::int32_t>,
                                                       Entropy, int);

}  // namespace glasswood::forest

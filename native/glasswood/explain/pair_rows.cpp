#include "glasswood/explain/pair_rows.hpp"

#include <algorithm>
#include <vector>

#include "glasswood/base/parallel.hpp"
#include "glasswood/base/pool.hpp"
#include "glasswood/explain/pair_differences.hpp"
#include "glasswood/explain/pair_records.hpp"
#include "glasswood/explain/row_ranks.hpp"

namespace glasswood::explain {
namespace {

constexpr std::size_t pairs_at_once = 8;  // their terms at all rows are kept until they are added in order
// cells of a table that cost as much as a record, or the running sum of a row, of the sweep
constexpr std::int64_t record_cost = 8, read_cost = 32;

// Numbers that are changed one by one and whose running sums are read: blocks carry their own sums, so that a sum reads
// a number per block and those of one block instead of all.
class RunningSums {
 public:
    void prepare(std::int32_t n) {
        numbers_.assign(static_cast<std::size_t>(n), 0.0);
        blocks_.assign((static_cast<std::size_t>(n) >> shift) + 1, 0.0);
    }
    void add(std::int32_t at, double amount) {
        numbers_[at] += amount;
        blocks_[at >> shift] += amount;
    }
    // Sum of [0, last].
    double up_to(std::int32_t last) const {
        const std::int32_t block = last >> shift;
        const double* first = numbers_.data() + (block << shift);
        return sum(blocks_.data(), block) + sum(first, last - (block << shift) + 1);
    }

 private:
    static constexpr int shift = 7, lanes = 8;

    // Lanes do not wait for one another; their number is fixed, so that every CPU adds in the same order.
    static double sum(const double* numbers, std::int32_t n) {
        double lane[lanes] = {};
        std::int32_t i = 0;
        for (; i + lanes <= n; i += lanes) {
            for (int l = 0; l < lanes; ++l) lane[l] += numbers[i + l];
        }
        for (int l = 0; i < n; ++i, ++l) lane[l] += numbers[i];
        return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }

    std::vector<double> numbers_, blocks_;
};

// What begins, or ends, to be added to a run of the second feature.
struct Event {
    double amount;
    std::int32_t b, b_end;
};

struct Workspace {
    PairDifferences scratch;
    std::vector<double> table, row, column;
    std::vector<std::int64_t> start;  // of the events at a rank of the first feature
    std::vector<Event> events;
    RunningSums sums;
};

// The terms of pairs at the rows, for one output.
class PairRows {
 public:
    PairRows(std::span<const std::int32_t> pairs, std::span<const RowRanks> ranks, const PairRecords& records,
             std::int64_t max_cells)
        : pairs_(pairs), ranks_(ranks), records_(records), max_cells_(max_cells) {}

    // Calls put(row, term) for every row.
    template <class Put>
    void fill(std::size_t p, Workspace& work, Put&& put) const {
        const RowRanks &one = ranks_[pairs_[2 * p]], &two = ranks_[pairs_[2 * p + 1]];
        // running sums are kept along the feature with fewer ranks
        const Pair pair{p, one.n < two.n, one.n < two.n ? two : one, one.n < two.n ? one : two};
        const std::int64_t cells = static_cast<std::int64_t>(one.n) * two.n;
        const auto n_records = static_cast<std::int64_t>(records_.count(p));
        const auto n_rows = static_cast<std::int64_t>(one.rank.size());
        if (cells > max_cells_ || cells > n_records * record_cost + n_rows * read_cost) {
            sweep(pair, work, put);
        } else {
            look_up(pair, work, put);
        }
    }

 private:
    struct Pair {
        std::size_t number;
        bool turned;  // a is the second feature
        const RowRanks &a, &b;
    };

    // Calls visit(record), with the sides as in `pair`.
    template <class Visit>
    void for_each(const Pair& pair, Visit&& visit) const {
        records_.for_each(pair.number, [&](const PairRecord& r) {
            visit(pair.turned ? PairRecord{r.both, r.second, r.first, r.none, r.b, r.b_end, r.a, r.a_end} : r);
        });
    }

    // What depends on one of the features only: none - first 1a by the first, - second 1b by the second.
    struct Sides {
        std::vector<double>&row, &column;

        Sides(const Pair& pair, Workspace& work) : row(work.row), column(work.column) {
            row.assign(static_cast<std::size_t>(pair.a.n) + 1, 0.0);
            column.assign(static_cast<std::size_t>(pair.b.n) + 1, 0.0);
        }
        void add(const PairRecord& r) {
            row[0] += r.none;
            if (r.a < r.a_end) {
                row[r.a] -= r.first;
                row[r.a_end] += r.first;
            }
            if (r.b < r.b_end) {
                column[r.b] -= r.second;
                column[r.b_end] += r.second;
            }
        }
        void close() {
            for (std::size_t i = 1; i < row.size(); ++i) row[i] += row[i - 1];
            for (std::size_t i = 1; i < column.size(); ++i) column[i] += column[i - 1];
        }
    };

    template <class Put>
    void look_up(const Pair& pair, Workspace& work, Put&& put) const {
        const RowRanks &a = pair.a, &b = pair.b;
        Sides sides(pair, work);
        double* differences = work.scratch.prepare(1, a.n, b.n);
        for_each(pair, [&](const PairRecord& r) {
            sides.add(r);
            if (r.a == r.a_end || r.b == r.b_end) return;
            const auto corner = [&](std::int32_t i, std::int32_t j, double amount) {
                if (i < a.n && j < b.n) differences[static_cast<std::int64_t>(i) * b.n + j] += amount;
            };
            corner(r.a, r.b, r.both);
            corner(r.a, r.b_end, -r.both);
            corner(r.a_end, r.b, -r.both);
            corner(r.a_end, r.b_end, r.both);
        });
        sides.close();
        const auto cells = static_cast<std::size_t>(a.n) * static_cast<std::size_t>(b.n);
        if (work.table.size() < cells) work.table.resize(cells);
        work.scratch.write(0, 1.0, work.row, work.column, work.table.data());
        for (std::size_t r = 0; r < a.rank.size(); ++r)
            put(r, work.table[static_cast<std::int64_t>(a.rank[r]) * b.n + b.rank[r]]);
    }

    template <class Put>
    void sweep(const Pair& pair, Workspace& work, Put&& put) const {
        const RowRanks &a = pair.a, &b = pair.b;
        list(pair, work);
        work.sums.prepare(b.n);
        for (std::int32_t i = 0; i < a.n; ++i) {
            for (std::int64_t k = work.start[i]; k < work.start[i + 1]; ++k) {
                const Event& event = work.events[k];
                work.sums.add(event.b, event.amount);
                if (event.b_end < b.n) work.sums.add(event.b_end, -event.amount);
            }
            for (std::int32_t k = a.start[i]; k < a.start[i + 1]; ++k) {
                const std::int32_t r = a.rows[k], j = b.rank[r];
                put(static_cast<std::size_t>(r), work.sums.up_to(j) + (work.row[i] + work.column[j]));
            }
        }
    }

    // Events by the rank of the first feature at which they happen, and what depends on one feature.
    void list(const Pair& pair, Workspace& work) const {
        const std::int32_t n = pair.a.n;
        Sides sides(pair, work);
        work.start.assign(static_cast<std::size_t>(n) + 2, 0);
        for_each(pair, [&](const PairRecord& r) {
            sides.add(r);
            if (r.a == r.a_end || r.b == r.b_end) return;
            ++work.start[r.a + 2];
            if (r.a_end < n) ++work.start[r.a_end + 2];
        });
        sides.close();
        for (std::int32_t i = 0; i <= n; ++i) work.start[i + 1] += work.start[i];
        work.events.resize(static_cast<std::size_t>(work.start[n + 1]));
        for_each(pair, [&](const PairRecord& r) {
            if (r.a == r.a_end || r.b == r.b_end) return;
            work.events[work.start[r.a + 1]++] = {r.both, r.b, r.b_end};
            if (r.a_end < n) work.events[work.start[r.a_end + 1]++] = {-r.both, r.b, r.b_end};
        });
    }

    const std::span<const std::int32_t> pairs_;
    const std::span<const RowRanks> ranks_;
    const PairRecords& records_;
    const std::int64_t max_cells_;
};

}  // namespace

void add_pair_rows(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                   std::span<const std::int32_t> pairs, const Codes& codes, std::int64_t max_cells, int n_threads,
                   bool shared, double* out) {
    const std::size_t n_pairs = pairs.size() / 2, n_rows = codes.n_rows(), n_outputs = e.n_outputs();
    const std::vector<std::int32_t> features = distinct_features(pairs);
    std::vector<RowRanks> ranks(paths.axes.size.size());
    base::parallel_for(features.size(), n_threads, base::work_of(features.size() * n_rows, 10.0), [&](std::size_t i) {
        ranks[features[i]] = rank_rows(paths.axes, codes, static_cast<std::size_t>(features[i]));
    });
    base::Pool<Workspace> pool;
    for (std::size_t o = 0; o < n_outputs; ++o) {
        const PairRecords records(e, paths, shares, pairs, ranks, o, n_threads);
        const PairRows terms(pairs, ranks, records, max_cells);
        if (!shared) {
            base::parallel_for(n_pairs, n_threads, base::work_of(n_pairs * n_rows, 10.0), [&](std::size_t p) {
                const auto work = pool.borrow();
                double* column = out + p * n_rows * n_outputs + o;
                terms.fill(p, *work, [&](std::size_t r, double term) { column[r * n_outputs] += term; });
            });
            continue;
        }
        std::vector<std::vector<double>> found(std::min(n_pairs, pairs_at_once), std::vector<double>(n_rows));
        for (std::size_t first = 0; first < n_pairs; first += pairs_at_once) {
            const std::size_t n = std::min(pairs_at_once, n_pairs - first);
            base::parallel_for(n, n_threads, base::work_of(n * n_rows, 10.0), [&](std::size_t i) {
                const auto work = pool.borrow();
                terms.fill(first + i, *work, [&](std::size_t r, double term) { found[i][r] = term; });
            });
            for (std::size_t i = 0; i < n; ++i) {
                base::check_interrupt();
                for (std::size_t r = 0; r < n_rows; ++r) out[r * n_outputs + o] += found[i][r];
            }
        }
    }
}

}  // namespace glasswood::explain

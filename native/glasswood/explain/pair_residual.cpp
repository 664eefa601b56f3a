#include "glasswood/explain/pair_residual.hpp"

#include <algorithm>
#include <vector>

#include "glasswood/base/parallel.hpp"
#include "glasswood/base/pool.hpp"
#include "glasswood/explain/pair_differences.hpp"
#include "glasswood/explain/pair_terms.hpp"

namespace glasswood::explain {
namespace {

constexpr std::size_t pairs_at_once = 8;  // their terms at all rows are kept until they are subtracted in order
constexpr std::int64_t read_cost = 192;   // cells of a table that cost as much as one running sum

// Numbers that are changed one by one and whose running sums are read: blocks of blocks carry their own sums, so that a
// sum reads some 64 numbers of each of three levels instead of all.
class RunningSums {
 public:
    void open(std::int64_t n) {
        for (int level = 0; level < 3; ++level)
            sums_[level].assign(static_cast<std::size_t>(n >> (6 * level)) + 1, 0.0);
    }
    void add(std::int64_t at, double amount) {
        for (int level = 0; level < 3; ++level) sums_[level][at >> (6 * level)] += amount;
    }
    // Sum of [0, last].
    double up_to(std::int64_t last) const {
        double sum = 0.0;
        const std::int64_t block = last >> 6, superblock = last >> 12;
        for (std::int64_t at = 0; at < superblock; ++at) sum += sums_[2][at];
        for (std::int64_t at = superblock << 6; at < block; ++at) sum += sums_[1][at];
        for (std::int64_t at = block << 6; at <= last; ++at) sum += sums_[0][at];
        return sum;
    }

 private:
    std::vector<double> sums_[3];
};

// Things by cell: those of cell c are items [start[c], start[c + 1]).
template <class Item>
struct ByCell {
    std::vector<std::int64_t> start;
    std::vector<Item> items;

    // Calls list(visit) twice, which calls visit(cell, item) for everything there is.
    template <class List>
    void fill(std::int64_t n_cells, List&& list) {
        start.assign(static_cast<std::size_t>(n_cells) + 2, 0);
        list([&](std::int64_t cell, const Item&) { ++start[cell + 2]; });
        for (std::int64_t c = 0; c <= n_cells; ++c) start[c + 1] += start[c];
        items.resize(static_cast<std::size_t>(start[n_cells + 1]));
        list([&](std::int64_t cell, const Item& item) { items[start[cell + 1]++] = item; });
    }
};

// What begins (even edge) or ends (odd edge) at a cell of the first feature.
struct Event {
    std::int32_t entry;
    std::int32_t sign;
};

struct Workspace {
    PairDifferences scratch;
    std::vector<double> table;
    std::vector<std::int64_t> first, second;  // cells of the rows
    ByCell<Event> events;
    ByCell<std::int64_t> rows;
    std::vector<RunningSums> sums;  // (n_outputs)
};

class PairRows {
 public:
    PairRows(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
             std::span<const std::int32_t> pairs, const Codes& codes, std::int64_t max_cells)
        : e_(e), paths_(paths), pairs_(pairs), codes_(codes), max_cells_(max_cells), terms_(e, paths, shares, pairs) {}

    // f_jk of the pair at `p` at every row, (n_rows, n_outputs).
    void fill(std::size_t p, Workspace& work, double* out) const {
        const std::int32_t j = pairs_[2 * p], k = pairs_[2 * p + 1];
        cells_of_rows(j, work.first);
        cells_of_rows(k, work.second);
        const std::int64_t cells = static_cast<std::int64_t>(paths_.axes.size[j]) * paths_.axes.size[k];
        const auto n_outputs = static_cast<std::int64_t>(e_.n_outputs());
        const auto reads = static_cast<std::int64_t>(codes_.n_rows() + 16 * terms_.leaves().of(p).size());
        if (cells * n_outputs > max_cells_ || cells > reads * read_cost) {
            sweep(p, work, out);
        } else {
            look_up(p, work, out);
        }
    }

 private:
    void cells_of_rows(std::int32_t f, std::vector<std::int64_t>& cell) const {
        cell.assign(codes_.n_rows(), 0);
        codes_.add_to_index(f, 0, codes_.n_rows(), 1, cell.data());
    }

    void look_up(std::size_t p, Workspace& work, double* out) const {
        const std::int64_t n_j = paths_.axes.size[pairs_[2 * p]], n_k = paths_.axes.size[pairs_[2 * p + 1]];
        const std::size_t n_outputs = e_.n_outputs();
        terms_.scatter(p, work.scratch.open(static_cast<std::int64_t>(n_outputs), n_j, n_k));
        if (work.table.size() < static_cast<std::size_t>(n_j * n_k)) work.table.resize(n_j * n_k);
        for (std::size_t o = 0; o < n_outputs; ++o) {
            work.scratch.write(static_cast<std::int64_t>(o), work.table.data());
            for (std::size_t r = 0; r < codes_.n_rows(); ++r)
                out[r * n_outputs + o] = work.table[work.first[r] * n_k + work.second[r]];
        }
    }

    void sweep(std::size_t p, Workspace& work, double* out) const {
        const std::int64_t n_j = paths_.axes.size[pairs_[2 * p]], n_k = paths_.axes.size[pairs_[2 * p + 1]];
        const auto entries = terms_.leaves().of(p);
        const std::size_t n_outputs = e_.n_outputs();
        work.sums.resize(n_outputs);
        for (RunningSums& sums : work.sums) sums.open(n_k);
        list(entries, n_j, work);
        for (const PairLeaves::Entry& at : entries) add_whole_axis(at, work.sums);
        for (std::int64_t cell = 0; cell < n_j; ++cell) {
            for (std::int64_t i = work.events.start[cell]; i < work.events.start[cell + 1]; ++i)
                add(entries[work.events.items[i].entry], work.events.items[i].sign, work.sums);
            for (std::int64_t i = work.rows.start[cell]; i < work.rows.start[cell + 1]; ++i) {
                const std::int64_t r = work.rows.items[i];
                for (std::size_t o = 0; o < n_outputs; ++o)
                    out[r * static_cast<std::int64_t>(n_outputs) + o] = work.sums[o].up_to(work.second[r]);
            }
        }
    }

    void list(std::span<const PairLeaves::Entry> entries, std::int64_t n_cells, Workspace& work) const {
        work.events.fill(n_cells, [&](auto&& visit) {
            for (std::size_t i = 0; i < entries.size(); ++i) {
                const auto edges = paths_.edges(entries[i].side_a);
                for (std::size_t at = 0; at < edges.size(); ++at)
                    visit(edges[at], Event{static_cast<std::int32_t>(i), at % 2 == 0 ? 1 : -1});
            }
        });
        work.rows.fill(n_cells, [&](auto&& visit) {
            for (std::size_t r = 0; r < work.first.size(); ++r) visit(work.first[r], static_cast<std::int64_t>(r));
        });
    }

    // v (none - second 1b): the part that does not depend on the first feature.
    void add_whole_axis(const PairLeaves::Entry& at, std::vector<RunningSums>& sums) const {
        const PairTerms::Shares w = terms_.shares(at);
        if (w.both == 0.0) return;
        const auto columns = paths_.edges(at.side_b);
        for (std::size_t c = 0; c < e_.width; ++c) {
            const double v = terms_.value(at.leaf, c);
            RunningSums& output = sums[terms_.output(at.leaf) + c];
            output.add(0, v * w.none);
            for (std::size_t i = 0; i < columns.size(); ++i)
                output.add(columns[i], i % 2 == 0 ? -v * w.second : v * w.second);
        }
    }

    // v (both 1b - first), from where a run of the first feature begins; taken off where it ends.
    void add(const PairLeaves::Entry& at, std::int32_t sign, std::vector<RunningSums>& sums) const {
        const PairTerms::Shares w = terms_.shares(at);
        if (w.both == 0.0) return;
        const auto columns = paths_.edges(at.side_b);
        for (std::size_t c = 0; c < e_.width; ++c) {
            const double v = sign * terms_.value(at.leaf, c);
            RunningSums& output = sums[terms_.output(at.leaf) + c];
            output.add(0, -v * w.first);
            for (std::size_t i = 0; i < columns.size(); ++i)
                output.add(columns[i], i % 2 == 0 ? v * w.both : -v * w.both);
        }
    }

    const model::Ensemble& e_;
    const Paths& paths_;
    std::span<const std::int32_t> pairs_;
    const Codes& codes_;
    const std::int64_t max_cells_;
    const PairTerms terms_;
};

}  // namespace

void subtract_pairs(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                    std::span<const std::int32_t> pairs, const Codes& codes, std::int64_t max_cells, int n_threads,
                    double* raw) {
    const PairRows terms(e, paths, shares, pairs, codes, max_cells);
    const std::size_t n_pairs = pairs.size() / 2, n_values = codes.n_rows() * e.n_outputs();
    std::vector<std::vector<double>> found(std::min(n_pairs, pairs_at_once));
    base::Pool<Workspace> pool;
    for (std::size_t first = 0; first < n_pairs; first += pairs_at_once) {
        const std::size_t n = std::min(pairs_at_once, n_pairs - first);
        base::parallel_for(n, n_threads, base::work_of(n * codes.n_rows(), 10.0), [&](std::size_t i) {
            found[i].resize(n_values);
            const auto work = pool.borrow();
            terms.fill(first + i, *work, found[i].data());
        });
        for (std::size_t i = 0; i < n; ++i) {
            base::check_interrupt();
            for (std::size_t at = 0; at < n_values; ++at) raw[at] -= found[i][at];
        }
    }
}

}  // namespace glasswood::explain

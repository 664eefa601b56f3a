#include "glasswood/examples/leaf_index.hpp"

#include <algorithm>
#include <cmath>

#include "glasswood/base/parallel.hpp"

namespace glasswood::examples {
namespace {

constexpr std::size_t tree_block = 16;  // neighbouring trees share a cache line of the table of leaves

// Calls body(row, leaf, copies) for every row that counts in a tree. A leaf belongs to one tree and a tree to one
// thread, which takes the rows in order.
template <class Body>
void for_counted(const ReachedLeaves& rows, const RowMass& mass, int n_threads, Body&& body) {
    const std::size_t n_blocks = (rows.n_trees + tree_block - 1) / tree_block;
    base::parallel_for(n_blocks, n_threads, base::work_of(rows.n_rows * rows.n_trees, 3.0), [&](std::size_t block) {
        const std::size_t last = std::min(rows.n_trees, (block + 1) * tree_block);
        for (std::size_t r = 0; r < rows.n_rows; ++r) {
            if (!mass.weight.empty() && mass.weight[r] == 0.0) continue;
            for (std::size_t t = block * tree_block; t < last; ++t) {
                const std::uint32_t copies = mass.copies.empty() ? 1 : mass.copies[r * rows.n_trees + t];
                if (copies > 0) body(r, rows.leaf[r * rows.n_trees + t], copies);
            }
        }
    });
}

// Similarity of all rows to one query at a time; only what a query touched is cleaned up after it.
class Accumulator {
 public:
    explicit Accumulator(const LeafIndex& index) : index_(index), sum_(index.n_rows, 0.0) {}

    // Returns the total of the trees that know a row, or the one that was given.
    double add(std::size_t query, std::span<const std::int32_t> leaves) {
        double total = 0.0;
        for (std::size_t t = 0; t < leaves.size(); ++t) {
            const std::int32_t leaf = leaves[t];
            const std::size_t first = index_.start[leaf], last = index_.start[leaf + 1];
            if (first == last) continue;
            total += index_.tree_weight[t];
            const double unit = index_.unit[leaf];
            for (std::size_t e = first; e < last; ++e) {
                const std::uint32_t row = index_.row[e];
                const double part = index_.row_weight.empty() ? unit : unit * index_.row_weight[row];
                // a tree of weight 0 says nothing; pushed twice, a row would be listed twice
                if (!(part > 0.0)) continue;
                if (sum_[row] == 0.0) touched_.push_back(row);
                sum_[row] += part;
            }
        }
        return index_.total.empty() ? total : index_.total[query];
    }

    std::vector<std::uint32_t>& touched() { return touched_; }
    double sum(std::uint32_t row) const { return sum_[row]; }

    void clear() {
        for (const std::uint32_t row : touched_) sum_[row] = 0.0;
        touched_.clear();
    }

 private:
    const LeafIndex& index_;
    std::vector<double> sum_;  // (n_rows)
    std::vector<std::uint32_t> touched_;
};

struct Neighbour {
    double similarity;
    std::uint32_t row;
    bool before(const Neighbour& other) const {
        return similarity != other.similarity ? similarity > other.similarity : row < other.row;
    }
};

// The best k seen so far; the worst of them stands on top of the heap.
class Best {
 public:
    explicit Best(std::size_t k) : k_(k) { heap_.reserve(k); }

    void offer(Neighbour candidate) {
        if (heap_.size() == k_) {
            if (!candidate.before(heap_.front())) return;
            std::pop_heap(heap_.begin(), heap_.end(), first);
            heap_.back() = candidate;
        } else {
            heap_.push_back(candidate);
        }
        std::push_heap(heap_.begin(), heap_.end(), first);
    }

    // Sorted, best first; the next query starts with an empty list.
    void take(std::span<std::int64_t> row, std::span<double> similarity) {
        std::sort_heap(heap_.begin(), heap_.end(), first);
        for (std::size_t i = 0; i < k_; ++i) {
            row[i] = i < heap_.size() ? static_cast<std::int64_t>(heap_[i].row) : -1;
            similarity[i] = i < heap_.size() ? heap_[i].similarity : 0.0;
        }
        heap_.clear();
    }

 private:
    static bool first(const Neighbour& a, const Neighbour& b) { return a.before(b); }

    std::size_t k_;
    std::vector<Neighbour> heap_;
};

// A chunk pays for one array over all training rows, so it holds many queries; still there are enough for the threads.
std::size_t queries_per_chunk(std::size_t n_queries) { return std::clamp<std::size_t>(n_queries / 32, 16, 1024); }

// A query looks at the rows of one leaf in every tree.
base::Work work_of_queries(const ReachedLeaves& queries, const LeafIndex& index) {
    const std::size_t n_leaves = std::max<std::size_t>(1, index.start.size() - 1);
    const double per_leaf = static_cast<double>(index.row.size()) / static_cast<double>(n_leaves);
    return base::work_of(queries.n_rows * queries.n_trees, 5.0 + 2.0 * per_leaf);
}

std::span<const std::int32_t> leaves_of(const ReachedLeaves& queries, std::size_t q) {
    return queries.leaf.subspan(q * queries.n_trees, queries.n_trees);
}

}  // namespace

void count_leaf_rows(const ReachedLeaves& rows, const RowMass& mass, double unit, int n_threads, LeafCounts counts) {
    if (counts.n_entries.data() == counts.n_rows.data()) {
        for_counted(rows, mass, n_threads,
                    [&](std::size_t, std::int32_t leaf, std::uint32_t) { counts.n_rows[leaf] += 1; });
        return;
    }
    for_counted(rows, mass, n_threads, [&](std::size_t r, std::int32_t leaf, std::uint32_t copies) {
        counts.n_rows[leaf] += 1;
        counts.n_entries[leaf] += copies;
        counts.mass[leaf] += (mass.weight.empty() ? 1 : std::llrint(mass.weight[r] / unit)) * copies;
    });
}

void fill_leaf_rows(const ReachedLeaves& rows, const RowMass& mass, std::uint32_t first_row, int n_threads,
                    std::span<std::int64_t> next, std::span<std::uint32_t> row) {
    for_counted(rows, mass, n_threads, [&](std::size_t r, std::int32_t leaf, std::uint32_t copies) {
        if (next[leaf] < 0) return;
        for (std::uint32_t c = 0; c < copies; ++c) row[next[leaf]++] = first_row + static_cast<std::uint32_t>(r);
    });
}

void nearest_rows(const ReachedLeaves& queries, const LeafIndex& index, std::size_t k, int n_threads,
                  std::span<std::int64_t> row, std::span<double> similarity) {
    const std::size_t chunk = queries_per_chunk(queries.n_rows);
    base::parallel_for((queries.n_rows + chunk - 1) / chunk, n_threads, work_of_queries(queries, index),
                       [&](std::size_t c) {
                           Accumulator similar(index);
                           Best best(k);
                           const std::size_t last = std::min(queries.n_rows, (c + 1) * chunk);
                           for (std::size_t q = c * chunk; q < last; ++q) {
                               const double total = similar.add(q, leaves_of(queries, q));
                               for (const std::uint32_t r : similar.touched()) best.offer({similar.sum(r) / total, r});
                               best.take(row.subspan(q * k, k), similarity.subspan(q * k, k));
                               similar.clear();
                           }
                       });
}

SimilarRows similar_rows(const ReachedLeaves& queries, const LeafIndex& index, int n_threads) {
    const std::size_t chunk = queries_per_chunk(queries.n_rows);
    std::vector<SimilarRows> parts((queries.n_rows + chunk - 1) / chunk);
    base::parallel_for(parts.size(), n_threads, work_of_queries(queries, index), [&](std::size_t c) {
        Accumulator similar(index);
        SimilarRows& part = parts[c];
        const std::size_t last = std::min(queries.n_rows, (c + 1) * chunk);
        for (std::size_t q = c * chunk; q < last; ++q) {
            const double total = similar.add(q, leaves_of(queries, q));
            std::sort(similar.touched().begin(), similar.touched().end());
            part.count.push_back(static_cast<std::int64_t>(similar.touched().size()));
            for (const std::uint32_t r : similar.touched()) {
                part.row.push_back(static_cast<std::int32_t>(r));
                part.similarity.push_back(similar.sum(r) / total);
            }
            similar.clear();
        }
    });
    SimilarRows all;
    for (SimilarRows& part : parts) {
        all.count.insert(all.count.end(), part.count.begin(), part.count.end());
        all.row.insert(all.row.end(), part.row.begin(), part.row.end());
        all.similarity.insert(all.similarity.end(), part.similarity.begin(), part.similarity.end());
        part = {};  // so that both copies never stand side by side
    }
    return all;
}

}  // namespace glasswood::examples

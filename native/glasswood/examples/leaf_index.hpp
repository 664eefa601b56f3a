// LeafIndex: the rows of every leaf, to find the training rows that share leaves with a query. A query touches only the
// rows of the leaves it reaches, and no matrix of queries by rows ever exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::examples {

// Which leaf each row reaches in each tree. Leaves are numbered through all trees, so no two trees share one.
struct ReachedLeaves {
    std::span<const std::int32_t> leaf;  // (n_rows, n_trees), row-major
    std::size_t n_rows;
    std::size_t n_trees;
};

// How much a row counts: weight × copies. A row that counts 0 is not there.
struct RowMass {
    std::span<const double> weight;         // (n_rows); empty: 1
    std::span<const std::uint32_t> copies;  // (n_rows, n_trees) how often each tree drew the row; empty: 1
};

// Where all rows count 1, the three may be one and the same array.
struct LeafCounts {
    std::span<std::int64_t> n_rows;     // (n_leaves) distinct rows
    std::span<std::int64_t> n_entries;  // (n_leaves) rows, a row as often as it was drawn
    std::span<std::int64_t> mass;       // (n_leaves) Σ weight × copies, in whole units
};

// Adds a stretch of rows to the counts of their leaves.
void count_leaf_rows(const ReachedLeaves& rows, const RowMass& mass, double unit, int n_threads, LeafCounts counts);

// Writes the numbers of a stretch of rows, the first of which is `first_row`, into the lists of their leaves.
// next[leaf] is where the leaf's next entry goes and moves on; negative: the leaf is left out.
void fill_leaf_rows(const ReachedLeaves& rows, const RowMass& mass, std::uint32_t first_row, int n_threads,
                    std::span<std::int64_t> next, std::span<std::uint32_t> row);

struct LeafIndex {
    std::span<const std::int64_t> start;  // (n_leaves + 1) first entry of each leaf
    std::span<const std::uint32_t> row;   // (n_entries) row numbers, ascending in a leaf
    std::span<const double> unit;         // (n_leaves) what an entry of weight 1 adds to a similarity
    std::span<const double> tree_weight;  // (n_trees) what a tree adds to the total if its leaf holds a row
    std::span<const double> row_weight;   // (n_rows); empty: 1
    std::size_t n_rows;
    // (n_queries) total by which the sums of a query are divided, where the index holds a part of the rows; empty: that
    // of the trees whose leaf holds a row.
    std::span<const double> total = {};
};

// The k most similar rows of every query, most similar first, equal ones by number. A query with fewer rows that share
// a leaf with it is filled up with row -1 and similarity 0. row, similarity: (n_queries, k).
void nearest_rows(const ReachedLeaves& queries, const LeafIndex& index, std::size_t k, int n_threads,
                  std::span<std::int64_t> row, std::span<double> similarity);

struct SimilarRows {
    std::vector<std::int64_t> count;  // (n_queries) entries of each query
    std::vector<std::int32_t> row;    // ascending in a query
    std::vector<double> similarity;
};

// Every row with a similarity above 0.
SimilarRows similar_rows(const ReachedLeaves& queries, const LeafIndex& index, int n_threads);

}  // namespace glasswood::examples

// PairDifferences: the difference array of one pair of features, in memory that stays in the cache from pair to pair.
//
// The sums along both axes are formed here, so that a table is written once. Reading resets the differences to 0 for
// the next pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::explain {

class PairDifferences {
 public:
    // Zeros for `n_tables` tables of n_rows x n_columns cells.
    double* prepare(std::int64_t n_tables, std::int64_t n_rows, std::int64_t n_columns);

    // Writes scale * sum + (row[i] + column[j]) to every cell of `out`, where sum is that of the differences up to it.
    void write(std::int64_t table, double scale, std::span<const double> row, std::span<const double> column,
               double* out);

    // Writes the sums themselves.
    void write(std::int64_t table, double* out);

 private:
    template <int Rows>
    void write_rows(const double* differences, double scale, const double* row, const double* column, double* out);

    std::int64_t n_rows_ = 0, n_columns_ = 0;
    std::vector<double> differences_, above_, along_, zeros_;
};

}  // namespace glasswood::explain

#include "glasswood/explain/pair_differences.hpp"

#include <algorithm>

namespace glasswood::explain {

double* PairDifferences::prepare(std::int64_t n_tables, std::int64_t n_rows, std::int64_t n_columns) {
    n_rows_ = n_rows;
    n_columns_ = n_columns;
    const auto size = static_cast<std::size_t>(n_tables * n_rows * n_columns);
    if (differences_.size() < size) differences_.resize(size, 0.0);
    return differences_.data();
}

void PairDifferences::write(std::int64_t table, double scale, std::span<const double> row,
                            std::span<const double> column, double* out) {
    double* differences = differences_.data() + table * n_rows_ * n_columns_;
    above_.assign(static_cast<std::size_t>(n_columns_), 0.0);
    along_.resize(8 * static_cast<std::size_t>(n_columns_));
    std::int64_t i = 0;
    const auto at = [&](std::int64_t r) { return r * n_columns_; };
    for (; i + 8 <= n_rows_; i += 8)
        write_rows<8>(differences + at(i), scale, row.data() + i, column.data(), out + at(i));
    for (; i < n_rows_; ++i) write_rows<1>(differences + at(i), scale, row.data() + i, column.data(), out + at(i));
    std::fill_n(differences, n_rows_ * n_columns_, 0.0);
}

void PairDifferences::write(std::int64_t table, double* out) {
    zeros_.assign(static_cast<std::size_t>(std::max(n_rows_, n_columns_)), 0.0);
    write(table, 1.0, zeros_, zeros_, out);
}

// Rows side by side: the sum along one row waits for itself. What follows does not, and is left to vector units.
template <int Rows>
void PairDifferences::write_rows(const double* __restrict differences, double scale, const double* __restrict row,
                                 const double* __restrict column, double* __restrict out) {
    const std::int64_t n = n_columns_;
    double* __restrict along = along_.data();
    double* __restrict above = above_.data();
    double sum[Rows] = {};
    for (std::int64_t j = 0; j < n; ++j) {
        for (int i = 0; i < Rows; ++i) along[i * n + j] = sum[i] += differences[i * n + j];
    }
    for (int i = 0; i < Rows; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            above[j] += along[i * n + j];
            out[i * n + j] = scale * above[j] + (row[i] + column[j]);
        }
    }
}

}  // namespace glasswood::explain

#include "glasswood/boosting/row_statistics.hpp"

namespace glasswood::boosting {

void RowStatistics::set(const Gradients& rows, const base::RowKeys& keys, std::span<const std::int64_t> number,
                        int n_threads) {
    const NodeSums largest = largest_of(rows, n_threads);
    const Sums rough = exact_ ? rough_sums(rows, largest, n_threads) : Sums{};
    const std::size_t n = rows.grad.size();
    set(rows, units(largest, rough, n), n, keys, number, n_threads);
}

NodeSums RowStatistics::units(const NodeSums& largest, const Sums& rough, std::size_t n_table) const {
    return exact_ ? wide_units(largest, rough, n_table) : narrow_units(largest);
}

void RowStatistics::set(const Gradients& rows, const NodeSums& unit, std::size_t n_table, const base::RowKeys& keys,
                        std::span<const std::int64_t> number, int n_threads) {
    const std::size_t n = rows.grad.size();
    if (n > room_) {
        if (are_pairs_) {
            pairs_ = base::make_pages<Pair>(n);
            square_ = base::make_pages<std::int64_t>(n);
        } else if (exact_) {
            wide_ = base::make_pages<Sums>(n);
        } else {
            narrow_ = base::make_pages<Narrow>(n);
        }
        room_ = n;
    }
    if (are_pairs_) {
        to_pairs(rows, unit, n_threads, {pairs_.get(), n}, {square_.get(), n});
    } else if (exact_) {
        to_fixed_point(rows, unit, n_threads, {wide_.get(), n});
    } else {
        to_integers(rows, unit, keys, number, n_threads, {narrow_.get(), n});
    }
    unit_ = unit;
    gradients_ = rows;
    n_table_ = n_table;
}

TreeRows RowStatistics::rows(std::span<const std::uint32_t> rows) const {
    RowStats stats{.unit = unit_};
    if (are_pairs_) {
        stats.pairs = {pairs_.get(), n_rows()};
        stats.square = {square_.get(), n_rows()};
    } else if (exact_) {
        stats.wide = {wide_.get(), n_rows()};
    } else {
        stats.narrow = {narrow_.get(), n_rows()};
    }
    return {stats, gradients_.grad, gradients_.hess, gradients_.weight, n_table_, rows, !exact_, are_pairs_};
}

}  // namespace glasswood::boosting

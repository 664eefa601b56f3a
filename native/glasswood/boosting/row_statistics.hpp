// RowStatistics: the statistics of every row of a table, in memory that is used again round after round.
#pragma once

#include <cstdint>
#include <span>

#include "glasswood/base/huge_pages.hpp"
#include "glasswood/boosting/histograms.hpp"

namespace glasswood::boosting {

class RowStatistics {
 public:
    // exact: fixed point of 64 bits; otherwise quantised to 17. are_pairs: exact ones whose hessians are the weights,
    // as pairs.
    explicit RowStatistics(bool exact, bool are_pairs = false) : exact_(exact), are_pairs_(are_pairs) {}

    bool are_pairs() const { return are_pairs_; }

    // Borrows the gradients until the next call. The keys of the rows, by their numbers (an empty `number`: 0, 1, …),
    // decide how gradients are rounded.
    void set(const Gradients& rows, const base::RowKeys& keys, std::span<const std::int64_t> number, int n_threads);

    // The same for the rows of one machine of several, in the units of all `n_table` rows.
    void set(const Gradients& rows, const NodeSums& unit, std::size_t n_table, const base::RowKeys& keys,
             std::span<const std::int64_t> number, int n_threads);

    // Units of n_table rows, from what all machines found.
    NodeSums units(const NodeSums& largest, const Sums& rough, std::size_t n_table) const;

    std::size_t n_rows() const { return gradients_.grad.size(); }

    TreeRows rows(std::span<const std::uint32_t> rows) const;

 private:
    bool exact_, are_pairs_;
    Gradients gradients_;
    std::size_t n_table_ = 0;
    std::size_t room_ = 0;
    base::Pages<Sums> wide_;
    base::Pages<Narrow> narrow_;
    base::Pages<Pair> pairs_;
    base::Pages<std::int64_t> square_;
    NodeSums unit_{};
};

}  // namespace glasswood::boosting

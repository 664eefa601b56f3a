// RowStatistics: the statistics of every row of a table, in memory that is used again round after round.
#pragma once

#include <cstdint>
#include <span>

#include "glasswood/base/huge_pages.hpp"
#include "glasswood/boosting/tree_grower.hpp"

namespace glasswood::boosting {

class RowStatistics {
 public:
    // exact: fixed point of 64 bits; otherwise quantised to 17.
    explicit RowStatistics(bool exact) : exact_(exact) {}

    // Borrows the gradients until the next call; an empty `weight` means 1. The keys of the rows, by their numbers (an
    // empty `number`: 0, 1, …), decide how gradients are rounded.
    void set(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
             const base::RowKeys& keys, std::span<const std::int64_t> number, int n_threads);

    std::size_t n_rows() const { return grad_.size(); }

    TreeRows rows(std::span<const std::uint32_t> rows) const;

 private:
    bool exact_;
    std::span<const double> grad_, hess_, weight_;
    std::size_t room_ = 0;
    base::Pages<Sums> wide_;
    base::Pages<Narrow> narrow_;
    NodeSums unit_{};
};

}  // namespace glasswood::boosting

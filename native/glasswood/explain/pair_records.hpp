// PairRecords: what each leaf adds to the terms of the pairs on its path, as rectangles of ranks of rows.
//
// A leaf whose sides have one run each gives one record per pair, others one for each two runs. They are written leaf
// by leaf, because the shares of a leaf are together in memory, and read pair by pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/pair_terms.hpp"
#include "glasswood/explain/row_ranks.hpp"
#include "glasswood/explain/shares.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

// both 1a 1b - first 1a - second 1b + none, where 1a and 1b are the rows with ranks [a, a_end) and [b, b_end).
struct PairRecord {
    double both, first, second, none;
    std::int32_t a, a_end, b, b_end;
};

class PairRecords {
 public:
    // Of one output. `ranks` has an entry for every feature of the pairs, by its number.
    PairRecords(const model::Ensemble& ensemble, const Paths& paths, const LeafShares& shares,
                std::span<const std::int32_t> pairs, std::span<const RowRanks> ranks, std::size_t output,
                int n_threads);

    // Calls visit(record) for every record of a pair, in the order of the trees.
    template <class Visit>
    void for_each(std::size_t pair, Visit&& visit) const {
        for (std::size_t c = 0; c < start_.size(); ++c) {
            for (std::int64_t i = start_[c][pair]; i < end_[c][pair]; ++i) visit(records_[i]);
        }
    }
    std::size_t count(std::size_t pair) const {
        std::int64_t n = 0;
        for (std::size_t c = 0; c < start_.size(); ++c) n += end_[c][pair] - start_[c][pair];
        return static_cast<std::size_t>(n);
    }

 private:
    std::vector<std::vector<std::int64_t>> start_, end_;  // (n_chunks, n_pairs)
    std::unique_ptr<PairRecord[]> records_;               // entries between an end and the next start are unused
};

}  // namespace glasswood::explain

// Pair tables: partial dependence of two or more features together, and scores of pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/shares.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

struct PairScores {
    std::vector<double> baseline;  // (n_pairs, n_outputs) weighted mean of the table
    std::vector<double> h2;        // (n_pairs, n_outputs) Friedman's H²; NaN without rows
    std::vector<double> term_sd;   // (n_pairs, n_outputs) standard deviation of f_jk over the rows; NaN without them
};

// PD_jk of every pair, tables (n_outputs, cells of j, cells of k) one after the other, into `out`. `counts` holds the
// rows in the cells of each pair, (cells of j, cells of k) one after the other; where it is empty the training mass of
// the cells is written to `mass`, in the layout of `out`.
PairScores pair_tables(const model::Ensemble& ensemble, const Paths& paths, const LeafShares& shares,
                       std::span<const std::int32_t> pairs, std::span<const double> counts, int n_threads, double* out,
                       double* mass);

// PD of a tuple of features of any degree from shares with these features replaced (order 0), without the baseline:
// one table (n_outputs, cells …) into `out`, which starts as 0.
void joint_table(const model::Ensemble& ensemble, const Paths& paths, const LeafShares& shares,
                 std::span<const std::int32_t> features, double* out);

}  // namespace glasswood::explain

// Training mass: the training weight of the leaves, spread over the cells where no rows are given to count. Each leaf
// spreads its weight evenly over the cells it spans; a table's mass is the mean over the trees that use its features.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/pair_differences.hpp"
#include "glasswood/explain/pair_terms.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

// Tables (n_outputs, cells) of single features, one after the other, into `out`. The missing and the unseen cells get
// 0.
void single_mass(const model::Ensemble& ensemble, const Paths& paths, std::span<const std::int32_t> features,
                 int n_threads, double* out);

class Masses;

// The same for pairs, one at a time. What it is made from must stay alive.
class PairMass {
 public:
    PairMass(const model::Ensemble& ensemble, const Paths& paths, std::span<const std::int32_t> pairs,
             const PairLeaves& leaves, int n_threads);
    ~PairMass();

    // (n_outputs, cells of j, cells of k) of the pair at `p` into `out`.
    void fill(std::size_t p, PairDifferences& scratch, double* out) const;

 private:
    std::unique_ptr<Masses> masses_;
    std::span<const std::int32_t> pairs_;
    const PairLeaves& leaves_;
    std::vector<std::vector<double>> sums_;  // (n_features)
};

}  // namespace glasswood::explain

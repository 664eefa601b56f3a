// LeafMoments: what one leaf adds to the sums of a cell: its weight w, 1, then wv and wv² per column of its value.
#pragma once

#include <cstddef>
#include <vector>

#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain::intervals {

inline std::size_t n_moments(const model::Ensemble& e) { return 2 + 2 * e.width; }

class LeafMoments {
 public:
    LeafMoments(const model::Ensemble& ensemble, const Paths& paths)
        : e_(ensemble), paths_(paths), moments_(n_moments(ensemble)) {}

    // Of a leaf that counts with this weight.
    void set(std::size_t leaf, double weight) {
        const double* value = e_.value.data() + paths_.leaf[leaf] * e_.width;
        moments_[0] = weight;
        moments_[1] = 1.0;
        for (std::size_t k = 0; k < e_.width; ++k) {
            moments_[2 + 2 * k] = weight * value[k];
            moments_[3 + 2 * k] = weight * value[k] * value[k];
        }
    }

    void add_to(double* sums) const {
        const double* own = moments_.data();
        if (moments_.size() == 4) {  // one column of values, nearly always: a length the compiler knows
            for (std::size_t q = 0; q < 4; ++q) sums[q] += own[q];
        } else {
            for (std::size_t q = 0; q < moments_.size(); ++q) sums[q] += own[q];
        }
    }

 private:
    const model::Ensemble& e_;
    const Paths& paths_;
    std::vector<double> moments_;
};

}  // namespace glasswood::explain::intervals

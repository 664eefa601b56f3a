// Background: the rows attributions average over, and how many of them have each pattern.
//
// Weights are whole numbers: a multiple of a power of two chosen so that they add up to at most 2^53. Every sum of them
// is then exact, in integers as in float64, and no result depends on the order in which rows came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attributions/plan.hpp"
#include "glasswood/attributions/row_patterns.hpp"
#include "glasswood/explain/cell_codes.hpp"

namespace glasswood::attributions {

// The weights, which are finite and not negative, as whole numbers that add up to at most 2^53.
std::vector<std::int64_t> whole_weights(std::span<const double> weight);

class Background {
 public:
    // Rows of weight 0 have been left out of the codes.
    explicit Background(explain::Codes codes);

    const explain::Codes& codes() const { return codes_; }
    std::size_t n_rows() const { return codes_.n_rows(); }
    double total() const { return total_; }
    bool is_weighted() const { return !weight_.empty(); }
    std::int64_t weight(std::size_t row) const { return weight_.empty() ? 1 : weight_[row]; }

 private:
    explain::Codes codes_;
    std::vector<std::int64_t> weight_;
    double total_ = 0;
};

// Holds the working memory of one thread.
class PatternCounter {
 public:
    // Weight of the rows that make each of the 2^bits patterns of every group of a tree with tables.
    std::vector<std::vector<std::int64_t>> count(const AttributionTree& tree, const explain::SplitQuestions& splits,
                                                 const Background& background);

 private:
    AnswerPlanes planes_;
    PatternWriter writer_;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint16_t> words_;
    std::vector<std::uint32_t> four_;
};

// Mean of raw over the background, (n_outputs).
std::vector<double> mean_over_rows(const AttributionPlan& plan, const Background& background, int n_threads);
// Mean of raw with children averaged by their shares, (n_outputs).
std::vector<double> mean_over_shares(const AttributionPlan& plan);

}  // namespace glasswood::attributions

// Plan: an ensemble compiled for prediction. raw starts at the baseline and gets the value of one tree after
// the other, in float64, so every path through here, any CPU level, batch size and number of threads give the
// same bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

#include "glasswood/model/ensemble.hpp"
#include "glasswood/predict/category_tests.hpp"
#include "glasswood/predict/coded_trees.hpp"
#include "glasswood/predict/tree_walk.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::predict {

class Plan {
 public:
    // The arrays are borrowed and must stay as they are as long as the plan is used.
    explicit Plan(const model::Ensemble& ensemble);
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    // out: (n_rows, n_outputs), row-major.
    void predict_raw(const table::Rows& rows, int n_threads, std::span<double> out) const;

    // out: (n_rows, n_trees), row-major; the leaf_id of the leaf each row reaches in each tree.
    void apply(const table::Rows& rows, int n_threads, std::span<std::int32_t> out) const;

    const model::Ensemble& ensemble() const { return ensemble_; }
    std::span<const table::FeatureKind> kinds() const { return kinds_; }

 private:
    struct WalkedTrees {  // too many thresholds in one feature for a code
        std::size_t first_tree;
        std::size_t last_tree;
    };
    struct Sums {
        double* data;
        std::size_t row_stride;
        std::size_t output_stride;
    };
    using Group = std::variant<WalkedTrees, CodedTrees<std::int8_t>, CodedTrees<std::int16_t>>;

    bool worth_encoding(std::size_t n_rows) const;
    const std::vector<Group>& groups() const;
    void add_groups(std::size_t first_tree, std::size_t last_tree, std::vector<Group>& groups) const;
    std::size_t block_rows(std::size_t n_rows) const;
    template <class Body>
    void for_chunks(std::size_t n_rows, int n_threads, const Body& body) const;
    void add_walking(const table::Rows& rows, std::size_t first, std::size_t n, WalkedTrees trees, Sums sums) const;
    void apply_walking(const table::Rows& rows, std::size_t first, std::size_t n, WalkedTrees trees,
                       std::int32_t* out) const;
    void predict_block(const table::Rows& rows, std::size_t first, std::size_t n, double* out) const;
    void apply_block(const table::Rows& rows, std::size_t first, std::size_t n, std::int32_t* out) const;

    model::Ensemble ensemble_;
    std::vector<table::FeatureKind> kinds_;  // (n_features)
    CategoryTests categories_;
    Walk walk_;
    std::size_t least_rows_ = 0;      // fewer rows are walked even when everything is compiled
    std::uint64_t compile_rows_ = 0;  // compiling costs as much as walking this many rows
    mutable std::atomic<std::uint64_t> walked_rows_{0};
    mutable std::once_flag compiled_;
    mutable std::vector<Group> groups_;
};

}  // namespace glasswood::predict

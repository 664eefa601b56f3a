// Attributions: Shapley values of raw, and of pairs, for every row. The game of a set S of features is raw with the
// other features averaged, over background rows or by the shares of the children.
//
// Tables and patterns are in tables.hpp and patterns.hpp; here trees are taken in their order, so that
// every row adds up the same numbers in the same order however many rows and threads there are.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "glasswood/attributions/background.hpp"
#include "glasswood/attributions/plan.hpp"
#include "glasswood/attributions/tables.hpp"
#include "glasswood/base/interrupt.hpp"
#include "glasswood/explain/cell_codes.hpp"

namespace glasswood::attributions {

// A model, planned. May be used from several threads at once.
class AttributionModel {
 public:
    // All are borrowed but `missing_routed`. `weight` per node; NaN where only background rows are averaged over.
    AttributionModel(const model::Ensemble& ensemble, std::span<const double> weight,
                     std::span<const std::uint8_t> missing_routed, AttributionLimits limits = {});
    AttributionModel(const AttributionModel&) = delete;
    AttributionModel& operator=(const AttributionModel&) = delete;

    const model::Ensemble& ensemble() const { return ensemble_; }
    const explain::Axes& axes() const { return axes_; }
    const AttributionPlan& plan(bool pairs) const;
    // No rows yet.
    explain::Codes no_rows() const { return empty_; }

 private:
    model::Ensemble ensemble_;
    explain::Axes axes_;
    std::span<const double> weight_;
    AttributionLimits limits_;
    explain::Codes empty_;
    AttributionPlan values_;
    mutable std::once_flag paired_;
    mutable std::unique_ptr<AttributionPlan> pairs_;
};

class DeepTree;

// Tables of values of all trees that have some, and deep trees with their counts, kept for later calls.
class TableCache {
 public:
    // Keeps no tables if all together would take more than max_bytes, and deep trees as long as there is space.
    TableCache(const AttributionModel& model, const Background* background, std::size_t max_bytes, int n_threads,
               const base::Interrupt& interrupt);
    ~TableCache();
    TableCache(TableCache&&) noexcept;
    const TreeLines* lines_of(std::size_t tree) const { return trees_.empty() ? nullptr : &trees_[tree]; }
    const DeepTree* deep(std::size_t tree) const { return deep_[tree].get(); }
    std::size_t n_bytes() const { return n_bytes_; }

 private:
    std::size_t n_bytes_ = 0;
    std::vector<TreeLines> trees_;
    std::vector<std::unique_ptr<DeepTree>> deep_;  // by tree; null where it is not kept
};

struct AttributionTask {
    const AttributionModel& model;
    const Background* background;  // null: by shares
    const TableCache* cache;       // null: tables are made for this task and dropped
    int n_threads;
    const base::Interrupt& interrupt;
};

// Adds the values of all features of every row to out (n_rows, n_features, n_outputs), which the caller has zeroed.
void add_values(const AttributionTask& task, const explain::Codes& codes, double* out);

// Writes the pairs of the kept features to out (n_rows, n_kept, n_kept, n_outputs), which the caller has zeroed; the
// diagonal is what the pairs leave of `values` (n_rows, n_features, n_outputs).
void write_pairs(const AttributionTask& task, const explain::Codes& codes, std::span<const std::int32_t> kept,
                 const double* values, double* out);

}  // namespace glasswood::attributions

// DeepTree: attributions of a tree with long paths. Only patterns that occur among the rows at hand get a line.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "glasswood/attributions/background.hpp"
#include "glasswood/attributions/deep_leaf.hpp"
#include "glasswood/attributions/tables.hpp"
#include "glasswood/base/interrupt.hpp"

namespace glasswood::attributions {

class DeepTree {
 public:
    // Plans the tree and counts the background, if there is one, at its groups. All are borrowed.
    DeepTree(const AttributionPlan& plan, std::size_t tree, const Background* background, int n_threads,
             const base::Interrupt& interrupt);

    // Adds what the tree gives to every row.
    void add(const explain::Codes& codes, const AttributionSlots& slots, int n_threads,
             const base::Interrupt& interrupt, double* out) const;
    // Memory that a kept tree takes.
    std::size_t n_bytes() const;

 private:
    void count(int n_threads, const base::Interrupt& interrupt);
    std::size_t rows_at_once() const;
    struct Workspace;  // memory of one thread
    void fill(const AttributionGroup& group, const PatternCounts* counts, const AttributionSlots& slots,
              std::span<const Mask> patterns, const LineLayout& layout, Workspace& work,
              std::vector<double>& lines) const;

    const AttributionPlan& plan_;
    const Background* background_;
    AttributionTree tree_;
    std::vector<PatternCounts> counts_;  // by group
};

}  // namespace glasswood::attributions

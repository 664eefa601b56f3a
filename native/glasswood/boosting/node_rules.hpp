// NodeRules: what growing decides about one node once its sums are known: whether it may be split, how good a feature
// is, which children a split makes, and the value of a leaf. The rules do not ask where the sums come from, so every
// way of growing (one machine, many machines) follows the same ones.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "glasswood/boosting/grown_node.hpp"
#include "glasswood/boosting/leaf_step.hpp"

namespace glasswood::boosting {

struct GrowOptions {
    GainKind gain = GainKind::newton;
    StepRule step;
    double rho = 1.0;
    double min_weight_leaf = 1.0;
    double min_gain = 0.0;
    std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t max_leaf_nodes = 0;    // 0: depth by depth, no limit
    std::uint32_t min_samples_leaf = 1;  // rows, whatever they weigh; above 1 every scan counts the rows of its node
    bool is_symmetric = false;           // all nodes of a level ask the same question
};

class NodeRules {
 public:
    NodeRules(BinnedFeatures features, const GrowOptions& options);

    const BinnedFeatures& features() const { return features_; }
    const GrowOptions& options() const { return options_; }
    bool counts_rows() const { return options_.min_samples_leaf > 1; }

    // Whether splits are found without the squares of single bins, and without their hessians where these are the
    // weights: Newton's gain asks for squares of whole nodes only. Levels of a category are put in order by their
    // noise.
    bool take_pairs() const;

    // The units of the next tree.
    void begin(const NodeSums& unit);
    const NodeSums& unit() const { return unit_; }

    // A root without sums.
    GrownNode root(std::size_t n_rows) const;

    double weight_of(const GrownNode& node) const { return static_cast<double>(node.sums.weight) * unit_.weight; }

    // Whether depth and weight allow a split; the number of rows is not looked at.
    bool has_weight_to_split(const GrownNode& node) const;

    // `n_rows`: rows of the node, on all machines.
    bool may_split(const GrownNode& node, std::size_t n_rows) const;
    ScanTask task_of(const GrownNode& node, std::size_t n_rows) const;

    // The same for the scan of one feature.
    ScanTask task_of(const GrownNode& node, std::size_t n_rows, std::size_t feature) const;

    // Whether the path of the node may interact with the feature.
    bool is_allowed(const GrownNode& node, std::size_t feature) const;

    // Best split of one feature; a gain of -inf where the path may not interact with it. `cells`: those of the feature.
    Candidate candidate_of(const GrownNode& node, std::size_t feature, const Sums* cells, const ScanTask& task) const;

    Candidate candidate_of(const GrownNode& node, std::size_t feature, const CellList& list,
                           const ScanTask& task) const;

    // The same of a wide category, whose levels are put in the order of their means. Rows are counted if the rules say
    // so.
    Candidate candidate_of(const GrownNode& node, std::size_t feature, LevelList& list, ScanTask task) const;

    // Children of a node that has chosen its split; the first n_left of its rows go left.
    Children children_of(const GrownNode& node, std::size_t n_left) const;

    // Sets the weight of a node and, if it is a leaf, its value, from its sums.
    void set_value(GrownNode& node) const;

    // Sets both of a leaf from sums of the numbers themselves, in these units.
    void set_value(GrownNode& leaf, const Sums& sums, const NodeSums& unit) const;

 private:
    double bounded_value(const GrownNode& node) const;

    BinnedFeatures features_;
    GrowOptions options_;
    NodeSums unit_{};
    const BoostKernels* kernels_ = nullptr;
};

// Cells of each of these features.
std::vector<std::uint32_t> cells_of(const BinnedFeatures& features, std::span<const std::uint32_t> columns);

// Inner nodes weigh what their leaves do; children stand after their parents.
void add_weights_of_leaves(std::deque<GrownNode>& nodes);

// Sums of the numbers of rows, for leaves of trees whose splits were chosen by quantised sums.
Sums sums_of(const TreeRows& data, std::span<const std::uint32_t> rows, const NodeSums& unit);

}  // namespace glasswood::boosting

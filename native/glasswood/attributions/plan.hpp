// Plan of attributions: the leaves of a tree in groups that share one lookup per row.
//
// A group is all leaves below an anchor node. What they give to a row depends on the row's pattern there: one bit per
// feature of the anchor's path (the row answers all its questions as the path asks) and one bit per distinct question
// inside (it goes left). From the pattern follows, for every leaf, the mask of the features of its path that the row
// passes. The plan depends on the model alone and never on the rows, so a row's result does not depend on other rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/axes.hpp"
#include "glasswood/explain/split_questions.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::attributions {

using Mask = std::uint64_t;  // of features of a path, or a pattern

inline constexpr int max_mask_bits = 62;       // a tree with a longer path is a wide one, which is slow
inline constexpr int max_table_features = 12;  // a leaf's table has 2^k lines

enum class AttributionKind : std::uint8_t { table, deep, wide };

// Up to how many features on a path a tree has tables, and masks. Lower limits make small trees deep or wide, for
// tests.
struct AttributionLimits {
    int table = max_table_features;
    int mask = max_mask_bits;
};

// A feature of a leaf's path.
struct AttributionSide {
    std::int32_t column;  // of the group
    double share;         // product of the child shares over the splits on the feature
    Mask yes, no;         // questions inside the group that must be answered left, right
};

struct AttributionLeaf {
    std::int32_t node;
    std::int32_t first, n_sides;  // its part of the group's sides: features of the anchor's path come first
};

// A split on the anchor's path.
struct AttributionStep {
    std::int32_t question, position;
    double share;
    bool left;
};

// A node inside a group; parents come first.
struct AttributionInner {
    std::int32_t node, bit, column;
    std::int32_t up;  // its parent among the inner nodes, -1 at the anchor
    bool is_right;
};

struct AttributionGroup {
    std::int32_t anchor = 0;
    std::int32_t n_above = 0;            // features of the anchor's path
    std::vector<std::int32_t> features;  // of the columns: those of the anchor's path, then new ones
    std::vector<AttributionStep> above;
    std::vector<std::int32_t> asks;  // question of each bit inside
    std::vector<AttributionInner> inner;
    std::vector<AttributionSide> sides;
    std::vector<AttributionLeaf> leaves;

    int n_bits() const { return n_above + static_cast<int>(asks.size()); }
    int n_columns() const { return static_cast<int>(features.size()); }
    std::span<const AttributionSide> sides_of(const AttributionLeaf& leaf) const {
        return {sides.data() + leaf.first, static_cast<std::size_t>(leaf.n_sides)};
    }
};

struct AttributionTree {
    AttributionKind kind = AttributionKind::table;
    std::int32_t tree = 0;
    std::vector<explain::SplitQuestion> questions;  // each once
    std::vector<std::int32_t> question_of;          // by node of the tree; -1 for a leaf and for nodes no path reaches
    std::vector<AttributionGroup> groups;
};

// What patterns say about a leaf, for every combination of the answers inside its group.
struct MaskTable {
    std::vector<Mask> low, high;
    int n_above = 0;
    Mask operator()(Mask pattern) const {
        const Mask inside = pattern >> n_above;
        return (pattern & low[inside]) | high[inside];
    }
    void prepare(const AttributionGroup& group, const AttributionLeaf& leaf);
};

class AttributionPlan {
 public:
    // All are borrowed. `weight` per node may be NaN where shares are not asked for. Pairs have wider tables, so
    // they are grouped by themselves.
    AttributionPlan(const model::Ensemble& ensemble, const explain::Axes& axes, std::span<const double> weight,
                    bool pairs, AttributionLimits limits);

    std::size_t n_trees() const { return ensemble_.n_trees(); }
    AttributionKind kind(std::size_t tree) const { return trees_[tree].kind; }
    // Groups of a tree whose leaves have tables.
    const AttributionTree& tree(std::size_t tree) const { return trees_[tree]; }
    // The same of a deep or wide tree, made each time because it is large.
    AttributionTree make(std::size_t tree) const;
    // Its questions without groups.
    AttributionTree questions(std::size_t tree) const;
    const explain::SplitQuestions& splits() const { return splits_; }
    bool pairs() const { return pairs_; }

    const model::Ensemble& ensemble() const { return ensemble_; }
    const explain::Axes& axes() const { return axes_; }
    double share(std::int32_t parent, std::int32_t child) const;

 private:
    friend class TreePlanner;

    const model::Ensemble& ensemble_;
    const explain::Axes& axes_;
    std::span<const double> weight_;
    bool pairs_;
    AttributionLimits limits_;
    explain::SplitQuestions splits_;
    std::vector<AttributionTree> trees_;
};

}  // namespace glasswood::attributions

// Tables of attributions: for every group of a tree one line per pattern, and where its numbers go in a row's result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/attributions/background.hpp"
#include "glasswood/attributions/leaf_table.hpp"
#include "glasswood/attributions/plan.hpp"

namespace glasswood::attributions {

// Which numbers of a row's result are kept: (n_kept, n_outputs) values, or (n_kept, n_kept, n_outputs) pairs of which
// the lower triangle is filled. A pair with one kept feature is added to that feature's diagonal, which in the end
// holds what belongs to its partners that are not kept.
struct AttributionSlots {
    std::vector<std::int32_t> slot;  // (n_features) -1: not kept
    std::size_t n_kept = 0;
    std::size_t n_outputs = 1;
    bool pairs = false;

    std::size_t row_size() const { return (pairs ? n_kept * n_kept : n_kept) * n_outputs; }
    // Offset of a feature, or of a pair, in a row; -1: it is not kept.
    std::int64_t offset(std::int32_t f, std::int32_t g) const;
};

// Columns of a group's lines: those that are kept, with their offsets in a row.
struct LineLayout {
    std::vector<std::int32_t> column;  // by feature of the group, or by pair: its column, -1 if not kept
    std::vector<std::int32_t> offset;  // (n_columns · width) in a row, of each number of a line
    std::size_t width() const { return offset.size(); }
    void prepare(const AttributionGroup& group, const AttributionSlots& slots, std::size_t first_output,
                 std::size_t width);
};

struct GroupLines {
    LineLayout layout;
    std::vector<double> lines;  // (2^bits, layout.width())
};

// The tables of one tree.
using TreeLines = std::vector<GroupLines>;

// Holds the working memory of one thread.
class TableMaker {
 public:
    // `background` null: children averaged by their shares.
    TreeLines make(const AttributionPlan& plan, const AttributionTree& tree, const Background* background,
                   const AttributionSlots& slots);

    // Lines of values for single patterns of a group, by shares, with the same bits as `make`.
    // lines: (patterns, layout.width()).
    void make_path_lines(const AttributionPlan& plan, const AttributionGroup& group, const LineLayout& layout,
                         std::span<const Mask> patterns, double* lines);

 private:
    PatternCounter counter_;
    LeafTable table_;
    MaskTable masks_;
    std::vector<double> failing_;
    std::vector<std::uint32_t> index_;
    std::vector<const double*> columns_;
};

// Adds the parts of one leaf to the lines of a group. part[c] is the first of the column of feature, or pair, c of the
// leaf; index[i] is the row of it that holds the mask of line i.
void add_leaf(const AttributionGroup& group, const AttributionLeaf& leaf, const LineLayout& layout, bool pairs,
              std::span<const double> value, std::span<const double* const> part, std::size_t stride,
              std::span<const std::uint32_t> index, double* lines);

}  // namespace glasswood::attributions

#include "glasswood/attributions/tables.hpp"

#include <algorithm>

namespace glasswood::attributions {
namespace {

// Parts of a leaf's columns that are kept: where they come from and where they go.
struct Part {
    const double* from;
    std::int32_t to;
};

// How many of the first parts follow each other on both sides.
std::size_t run_length(std::span<const Part> parts) {
    std::size_t n = 0;
    while (n < parts.size() && parts[n].from == parts[0].from + n && parts[n].to == static_cast<std::int32_t>(n)) ++n;
    return n;
}

template <class Visit>
void for_parts(const AttributionGroup& group, const AttributionLeaf& leaf, bool pairs, Visit&& visit) {
    const auto sides = group.sides_of(leaf);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (!pairs) {
            visit(i, static_cast<std::size_t>(sides[i].column));
            continue;
        }
        for (std::size_t j = 0; j < i; ++j)
            visit(pair_index(i, j),
                  pair_index(static_cast<std::size_t>(sides[i].column), static_cast<std::size_t>(sides[j].column)));
    }
}

}  // namespace

std::int64_t AttributionSlots::offset(std::int32_t f, std::int32_t g) const {
    const std::int64_t a = slot[f], b = slot[g], n = static_cast<std::int64_t>(n_kept);
    const auto outputs = static_cast<std::int64_t>(n_outputs);
    if (!pairs) return a < 0 ? -1 : a * outputs;
    if (a < 0 && b < 0) return -1;
    if (a < 0 || b < 0) return std::max(a, b) * (n + 1) * outputs;
    return (std::max(a, b) * n + std::min(a, b)) * outputs;
}

void LineLayout::prepare(const AttributionGroup& group, const AttributionSlots& slots, std::size_t first_output,
                         std::size_t width) {
    column.clear();
    offset.clear();
    std::int32_t next = 0;
    const auto add = [&](std::int64_t first) {
        column.push_back(first < 0 ? -1 : next);
        if (first < 0) return;
        ++next;
        for (std::size_t k = 0; k < width; ++k)
            offset.push_back(static_cast<std::int32_t>(first + static_cast<std::int64_t>(first_output + k)));
    };
    for (std::size_t i = 0; i < group.features.size(); ++i) {
        if (!slots.pairs) add(slots.offset(group.features[i], group.features[i]));
        for (std::size_t j = 0; slots.pairs && j < i; ++j) add(slots.offset(group.features[i], group.features[j]));
    }
}

void add_leaf(const AttributionGroup& group, const AttributionLeaf& leaf, const LineLayout& layout, bool pairs,
              std::span<const double> value, std::span<const double* const> part, std::size_t stride,
              std::span<const std::uint32_t> index, double* lines) {
    const std::size_t n_outputs = value.size(), width = layout.width();
    std::vector<Part> parts;
    for_parts(group, leaf, pairs, [&](std::size_t of_leaf, std::size_t of_group) {
        const std::int32_t to = layout.column[of_group];
        if (to >= 0) parts.push_back({part[of_leaf], to});
    });
    if (n_outputs == 1) {
        const double v = value[0];
        // the features above the group come first and in the same order: they are added side by side
        const std::size_t n_run = stride > 1 ? run_length(parts) : 0;
        const std::span<const Part> others = std::span(parts).subspan(n_run);
        for (std::size_t i = 0; i < index.size(); ++i) {
            double* line = lines + i * width;
            const std::size_t from = index[i] * stride;
            for (std::size_t j = 0; j < n_run; ++j) line[j] += parts.front().from[from + j] * v;
            for (const Part& p : others) line[p.to] += p.from[from] * v;
        }
        return;
    }
    for (std::size_t i = 0; i < index.size(); ++i) {
        double* line = lines + i * width;
        const std::size_t from = index[i] * stride;
        for (const Part& p : parts) {
            const double x = p.from[from];
            double* to = line + static_cast<std::size_t>(p.to) * n_outputs;
            for (std::size_t k = 0; k < n_outputs; ++k) to[k] += x * value[k];
        }
    }
}

TreeLines TableMaker::make(const AttributionPlan& plan, const AttributionTree& tree, const Background* background,
                           const AttributionSlots& slots) {
    const model::Ensemble& e = plan.ensemble();
    std::vector<std::vector<std::int64_t>> counts;
    if (background != nullptr) counts = counter_.count(tree, plan.splits(), *background);
    TreeLines out(tree.groups.size());
    for (std::size_t g = 0; g < tree.groups.size(); ++g) {
        const AttributionGroup& group = tree.groups[g];
        GroupLines& made = out[g];
        made.layout.prepare(group, slots, static_cast<std::size_t>(e.tree_output[tree.tree]), e.width);
        const std::size_t n_patterns = std::size_t{1} << group.n_bits();
        made.lines.assign(n_patterns * made.layout.width(), 0.0);
        index_.resize(n_patterns);
        for (const AttributionLeaf& leaf : group.leaves) {
            const auto sides = group.sides_of(leaf);
            const std::size_t k = sides.size(), n_masks = std::size_t{1} << k;
            masks_.prepare(group, leaf);
            for (std::size_t p = 0; p < n_patterns; ++p) index_[p] = static_cast<std::uint32_t>(masks_(p));
            if (background != nullptr) {
                failing_.assign(n_masks, 0.0);
                for (std::size_t p = 0; p < n_patterns; ++p)
                    failing_[n_masks - 1 - index_[p]] += static_cast<double>(counts[g][p]);
                slots.pairs ? table_.prepare_rows_pairs(failing_.data(), static_cast<int>(k), background->total())
                            : table_.prepare_rows(failing_.data(), static_cast<int>(k), background->total());
            } else {
                slots.pairs ? table_.prepare_path_pairs(sides) : table_.prepare_path(sides);
            }
            columns_.clear();
            for (std::size_t c = 0; c < (slots.pairs ? n_pairs(k) : k); ++c) columns_.push_back(table_.column(c));
            const auto value = e.value.subspan(static_cast<std::size_t>(leaf.node) * e.width, e.width);
            add_leaf(group, leaf, made.layout, slots.pairs, value, columns_, 1, index_, made.lines.data());
        }
    }
    return out;
}

void TableMaker::make_path_lines(const AttributionPlan& plan, const AttributionGroup& group, const LineLayout& layout,
                                 std::span<const Mask> patterns, double* lines) {
    const model::Ensemble& e = plan.ensemble();
    std::fill_n(lines, patterns.size() * layout.width(), 0.0);
    double line[max_table_features];
    for (const AttributionLeaf& leaf : group.leaves) {
        const auto sides = group.sides_of(leaf);
        masks_.prepare(group, leaf);
        const double* value = e.value.data() + static_cast<std::size_t>(leaf.node) * e.width;
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            path_line(sides, masks_(patterns[i]), line);
            double* out = lines + i * layout.width();
            for (std::size_t j = 0; j < sides.size(); ++j) {
                const std::int32_t column = layout.column[sides[j].column];
                if (column < 0) continue;
                for (std::size_t k = 0; k < e.width; ++k)
                    out[static_cast<std::size_t>(column) * e.width + k] += line[j] * value[k];
            }
        }
    }
}

}  // namespace glasswood::attributions

#include "glasswood/attributions/flat_tables.hpp"

#include <stdexcept>

namespace glasswood::attributions {
namespace {

void add_condition(std::int32_t bit, const explain::SplitQuestion& question, bool goes_left, FlatTables& out) {
    if (question.choice >= 0) throw std::invalid_argument("a tree splits a category");
    out.bit.push_back(bit);
    out.feature.push_back(question.feature);
    out.cut.push_back(static_cast<std::int32_t>(question.cut));
    out.also.push_back(static_cast<std::int32_t>(question.also));
    out.left.push_back(goes_left ? 1 : 0);
}

void add_group(const AttributionTree& tree, const AttributionGroup& group, const GroupLines& made, FlatTables& out) {
    for (const AttributionStep& step : group.above)
        add_condition(step.position, tree.questions[step.question], step.left, out);
    for (std::size_t k = 0; k < group.asks.size(); ++k)
        add_condition(group.n_above + static_cast<std::int32_t>(k), tree.questions[group.asks[k]], true, out);
    out.n_bits.push_back(group.n_bits());
    out.group_condition.push_back(static_cast<std::int32_t>(out.bit.size()));
    out.group_line.push_back(static_cast<std::int64_t>(out.lines.size()));
    out.lines.insert(out.lines.end(), made.lines.begin(), made.lines.end());
    out.offset.insert(out.offset.end(), made.layout.offset.begin(), made.layout.offset.end());
    out.group_number.push_back(static_cast<std::int32_t>(out.offset.size()));
}

}  // namespace

FlatTables flat_tables(const AttributionModel& model, const TableCache& cache) {
    const AttributionPlan& plan = model.plan(false);
    FlatTables out;
    out.lines.reserve(cache.n_bytes() / sizeof(double));
    for (std::size_t t = 0; t < plan.n_trees(); ++t) {
        if (plan.kind(t) != AttributionKind::table) throw std::invalid_argument("a tree is too deep for tables");
        const TreeLines* made = cache.lines_of(t);
        if (made == nullptr) throw std::invalid_argument("the tables take more memory than max_bytes");
        const AttributionTree& tree = plan.tree(t);
        for (std::size_t g = 0; g < tree.groups.size(); ++g) add_group(tree, tree.groups[g], (*made)[g], out);
        out.tree_group.push_back(static_cast<std::int32_t>(out.n_bits.size()));
    }
    return out;
}

}  // namespace glasswood::attributions

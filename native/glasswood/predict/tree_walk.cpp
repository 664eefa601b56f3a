#include "glasswood/predict/tree_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/table/encoder.hpp"

namespace glasswood::predict {
namespace {

constexpr std::size_t in_flight = 8;                              // trees walked at once
constexpr std::uint32_t category_mark = std::uint32_t{1} << 31U;  // in a node's slot: its threshold is a test's index
constexpr double inf = std::numeric_limits<double>::infinity();

double read(const table::Column& column, std::size_t row) {
    if (column.type == table::ColumnType::float64) return table::value_at<double>(column, row);
    if (column.type == table::ColumnType::float32) return table::value_at<float>(column, row);
    return table::value_at<std::int32_t>(column, row);
}

}  // namespace

void sibling_positions(const model::Ensemble& ensemble, std::size_t tree, std::vector<std::int32_t>& positions) {
    const std::int32_t root = ensemble.tree_start[tree];
    const std::int32_t n_nodes = ensemble.tree_start[tree + 1] - root;
    positions.assign(static_cast<std::size_t>(n_nodes), -1);
    positions[0] = 0;
    std::int32_t next = 1;
    for (std::int32_t i = 0; i < n_nodes; ++i) {
        if (positions[i] < 0 || ensemble.is_leaf(root + i)) continue;
        positions[ensemble.left[root + i] - root] = next;
        positions[ensemble.right[root + i] - root] = next + 1;
        next += 2;
    }
}

Walk::Walk(const model::Ensemble& ensemble, const CategoryTests& categories)
    : ensemble_(ensemble), categories_(categories), nodes_(ensemble.n_nodes()), first_slot_(ensemble.n_features()) {
    for (std::size_t node = 0; node < ensemble.n_nodes(); ++node) {
        if (ensemble.is_leaf(node)) continue;
        const auto feature = static_cast<std::uint32_t>(ensemble.feature[node]);
        if (first_slot_[feature] != 0) continue;
        first_slot_[feature] = static_cast<std::uint32_t>(n_values_);
        slots_.push_back(
            {feature, first_slot_[feature], ensemble.is_category_split(node), ensemble.zero_is_missing[feature] != 0});
        n_values_ += 2;
    }
    std::vector<std::int32_t> positions;
    for (std::size_t tree = 0; tree < ensemble.n_trees(); ++tree) add_tree(tree, positions);
}

void Walk::add_tree(std::size_t tree, std::vector<std::int32_t>& positions) {
    sibling_positions(ensemble_, tree, positions);
    const std::int32_t root = ensemble_.tree_start[tree];
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (positions[i] < 0) continue;
        const std::size_t node = static_cast<std::size_t>(root) + i;
        Node& out = nodes_[root + positions[i]];
        if (ensemble_.is_leaf(node)) {
            out = {static_cast<double>(node), static_cast<std::uint32_t>(root + positions[i]), 0};
            continue;
        }
        out.left = static_cast<std::uint32_t>(root + positions[ensemble_.left[node] - root]);
        out.slot = first_slot_[ensemble_.feature[node]];
        if (ensemble_.is_category_split(node)) {
            out.slot |= category_mark;
            out.threshold = categories_.of_node[node];
        } else {
            out.slot += ensemble_.missing_left[node] != 0 ? 0 : 1;
            out.threshold = ensemble_.threshold[node];
        }
    }
}

void Walk::load(const table::Rows& rows, std::size_t row, double* values) const {
    values[0] = -inf;
    for (const Slots& slots : slots_) {
        double x = read(rows.columns[slots.feature], row);
        if (slots.zero_is_missing && !slots.is_category && std::fabs(x) <= table::zero_reach) {
            x = std::numeric_limits<double>::quiet_NaN();
        }
        values[slots.first] = std::isnan(x) ? -inf : x;
        values[slots.first + 1] = x;
    }
}

bool Walk::category_right(const Node& node, const double* values) const {
    const auto code = static_cast<std::int32_t>(values[node.slot & ~category_mark]);
    return goes_right(ensemble_, categories_.tests[static_cast<std::size_t>(node.threshold)], code);
}

template <bool Categories, class Visit>
void Walk::visit_leaves(const double* values, std::size_t first_tree, std::size_t last_tree, Visit visit) const {
    const Node* nodes = nodes_.data();
    const auto step = [&](std::uint32_t at) {
        const Node& node = nodes[at];
        if constexpr (Categories) {
            if ((node.slot & category_mark) != 0) return node.left + (category_right(node, values) ? 1U : 0U);
        }
        return node.left + (values[node.slot] <= node.threshold ? 0U : 1U);
    };
    for (std::size_t tree = first_tree; tree < last_tree; tree += in_flight) {
        const std::size_t trees = std::min(in_flight, last_tree - tree);
        std::uint32_t at[in_flight];
        for (std::size_t k = 0; k < in_flight; ++k) {
            at[k] = static_cast<std::uint32_t>(ensemble_.tree_start[tree + std::min(k, trees - 1)]);
        }
        std::uint32_t moved = 1;
        while (moved != 0) {
            moved = 0;
            for (std::uint32_t& node : at) {
                const std::uint32_t next = step(node);
                moved |= next ^ node;
                node = next;
            }
        }
        for (std::size_t k = 0; k < trees; ++k) visit(tree + k, static_cast<std::size_t>(nodes[at[k]].threshold));
    }
}

template <class Visit>
void Walk::visit_leaves(const double* values, std::size_t first_tree, std::size_t last_tree, Visit visit) const {
    if (categories_.tests.empty()) {
        visit_leaves<false>(values, first_tree, last_tree, visit);
    } else {
        visit_leaves<true>(values, first_tree, last_tree, visit);
    }
}

void Walk::add(const double* values, std::size_t first_tree, std::size_t last_tree, double* sums,
               std::size_t stride) const {
    const std::size_t width = ensemble_.width;
    visit_leaves(values, first_tree, last_tree, [&](std::size_t tree, std::size_t leaf) {
        const auto output = static_cast<std::size_t>(ensemble_.tree_output[tree]);
        for (std::size_t k = 0; k < width; ++k) sums[(output + k) * stride] += ensemble_.value[leaf * width + k];
    });
}

void Walk::apply(const double* values, std::size_t first_tree, std::size_t last_tree, std::int32_t* out) const {
    visit_leaves(values, first_tree, last_tree,
                 [&](std::size_t tree, std::size_t leaf) { out[tree] = ensemble_.leaf_id[leaf]; });
}

}  // namespace glasswood::predict

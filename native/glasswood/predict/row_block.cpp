#include "glasswood/predict/row_block.hpp"

#include <algorithm>
#include <cstring>

namespace glasswood::predict {
namespace {

constexpr std::size_t in_flight = 8;  // rows walked at once

// Four rows at a time: no row waits for another, and the loop itself costs a quarter.
template <class Exit>
void add_values(const double* table, const Exit* exits, std::size_t n, double* sums) {
    std::size_t r = 0;
    for (; r + 4 <= n; r += 4) {
        const double a = sums[r] + table[exits[r]], b = sums[r + 1] + table[exits[r + 1]];
        const double c = sums[r + 2] + table[exits[r + 2]], d = sums[r + 3] + table[exits[r + 3]];
        sums[r] = a, sums[r + 1] = b, sums[r + 2] = c, sums[r + 3] = d;
    }
    for (; r < n; ++r) sums[r] += table[exits[r]];
}

}  // namespace

template <class Code>
Block<Code>::Block(const CodedTrees<Code>& trees, const table::Rows& rows, std::size_t first, std::size_t n)
    : trees_(trees),
      kernels_(select_kernels(base::cpu_level())),
      n_(n),
      stride_(padded(n)),
      codes_(trees.columns.size() * stride_),
      columns_(trees.columns.size()),
      exits_(stride_),
      row_codes_(trees.any_deep ? trees.columns.size() * n : 0),
      order_(trees.any_deep ? stride_ : 0),
      reached_(trees.any_deep ? stride_ : 0) {
    // rows of padding go through the kernels too; what they hold does not matter, but it should be something
    if (n != stride_) std::memset(codes_.data(), 0, trees.columns.size() * stride_ * sizeof(Code));
    trees.columns.encode(rows, first, n, stride_, codes_.data(), columns_.data());
    if (!trees.any_deep) return;
    const std::size_t n_columns = trees.columns.size();
    for (std::size_t c = 0; c < n_columns; ++c) {
        const Code* column = columns_[c];
        for (std::size_t r = 0; r < n; ++r) row_codes_[r * n_columns + c] = column[r];
    }
}

template <class Code>
void Block<Code>::select(const CodedTree& tree) {
    const SelectNode* nodes = trees_.select_nodes.data() + tree.node;
    const std::uint8_t* sets = trees_.sets.data() + tree.set;
    const bool oblivious = tree.kind == CodedTree::Kind::oblivious;
    if constexpr (sizeof(Code) == 1) {
        const auto kernel = oblivious ? kernels_.oblivious8 : kernels_.select8;
        kernel(nodes, tree.n_nodes, sets, columns_.data(), n_, exits_.data());
    } else {
        const auto kernel = oblivious ? kernels_.oblivious16 : kernels_.select16;
        kernel(nodes, tree.n_nodes, sets, columns_.data(), n_, exits_.data());
    }
}

template <class Code>
void Block<Code>::sort_by_exit(const CodedTree& tree) {
    std::uint32_t next[max_exits + 1] = {};
    for (std::size_t r = 0; r < n_; ++r) ++next[exits_[r] + std::size_t{1}];
    for (std::size_t e = 0; e < tree.n_exits; ++e) next[e + 1] += next[e];
    for (std::size_t r = 0; r < n_; ++r) order_[next[exits_[r]]++] = static_cast<std::uint32_t>(r);
    for (std::size_t i = n_; i < stride_; ++i) order_[i] = order_[n_ - 1];
}

template <class Code>
void Block<Code>::walk(const CodedTree& tree) {
    select(tree);
    sort_by_exit(tree);
    const DeepNode<Code>* nodes = trees_.deep_nodes.data() + tree.deep;
    const std::int32_t* exits = trees_.exits.data() + tree.exit;
    const std::size_t n_columns = trees_.columns.size();
    for (std::size_t i = 0; i < n_; i += in_flight) {
        const Code* row[in_flight];
        std::uint32_t at[in_flight];
        for (std::size_t k = 0; k < in_flight; ++k) {
            const std::size_t r = order_[i + k];
            row[k] = row_codes_.data() + r * n_columns;
            at[k] = static_cast<std::uint32_t>(exits[exits_[r]]);
        }
        std::uint32_t moved = 1;
        while (moved != 0) {
            moved = 0;
            for (std::size_t k = 0; k < in_flight; ++k) {
                const DeepNode<Code>& first = nodes[at[k]];
                const DeepNode<Code>& second = nodes[first.left + (row[k][first.column] > first.cut ? 1U : 0U)];
                const std::uint32_t next = second.left + (row[k][second.column] > second.cut ? 1U : 0U);
                moved |= next ^ at[k];
                at[k] = next;
            }
        }
        for (std::size_t k = 0; k < in_flight; ++k) reached_[i + k] = at[k];
    }
}

template <class Code>
void Block<Code>::add_exits(const CodedTree& tree, std::size_t width, double* sums, std::size_t stride) {
    const double* table = trees_.values.data() + tree.value;
    if (width == 1) {
        AddKernel<Exit>* kernel;
        if constexpr (sizeof(Code) == 1) {
            kernel = kernels_.add8;
        } else {
            kernel = kernels_.add16;
        }
        if (kernel != nullptr && tree.n_exits <= 64) {
            kernel(table, tree.n_exits, exits_.data(), n_, sums);
        } else {
            add_values(table, exits_.data(), n_, sums);
        }
        return;
    }
    for (std::size_t r = 0; r < n_; ++r) {
        const double* value = table + exits_[r] * width;
        for (std::size_t k = 0; k < width; ++k) sums[k * stride + r] += value[k];
    }
}

template <class Code>
void Block<Code>::add_deep(const CodedTree& tree, std::size_t width, double* sums, std::size_t stride) {
    const double* table = trees_.values.data() + tree.value;
    if (width == 1) {
        for (std::size_t i = 0; i < n_; ++i) sums[order_[i]] += table[reached_[i]];
        return;
    }
    for (std::size_t i = 0; i < n_; ++i) {
        const double* value = table + reached_[i] * width;
        for (std::size_t k = 0; k < width; ++k) sums[k * stride + order_[i]] += value[k];
    }
}

template <class Code>
void Block<Code>::add(const model::Ensemble& ensemble, double* sums, std::size_t stride) {
    for (std::size_t t = 0; t < trees_.trees.size(); ++t) {
        const CodedTree& tree = trees_.trees[t];
        double* out = sums + static_cast<std::size_t>(ensemble.tree_output[trees_.first_tree + t]) * stride;
        if (tree.kind == CodedTree::Kind::deep) {
            walk(tree);
            add_deep(tree, ensemble.width, out, stride);
        } else {
            select(tree);
            add_exits(tree, ensemble.width, out, stride);
        }
    }
}

template <class Code>
void Block<Code>::apply(const model::Ensemble& ensemble, std::int32_t* out) {
    const std::size_t n_trees = ensemble.n_trees();
    for (std::size_t t = 0; t < trees_.trees.size(); ++t) {
        const CodedTree& tree = trees_.trees[t];
        std::int32_t* column = out + trees_.first_tree + t;
        if (tree.kind == CodedTree::Kind::deep) {
            walk(tree);
            const std::int32_t* leaf_ids = trees_.deep_leaf_ids.data() + tree.deep;
            for (std::size_t i = 0; i < n_; ++i) column[order_[i] * n_trees] = leaf_ids[reached_[i]];
        } else {
            select(tree);
            const std::int32_t* origins = trees_.exits.data() + tree.exit;
            for (std::size_t r = 0; r < n_; ++r) column[r * n_trees] = ensemble.leaf_id[origins[exits_[r]]];
        }
    }
}

template class Block<std::int8_t>;
template class Block<std::int16_t>;

}  // namespace glasswood::predict

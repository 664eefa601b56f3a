#include "glasswood/boosting/joined_trees.hpp"

#include <algorithm>
#include <limits>

namespace glasswood::boosting {
namespace {

template <class T>
void append(std::vector<T>& all, const std::vector<T>& own) {
    all.insert(all.end(), own.begin(), own.end());
}

void append_children(std::vector<std::int64_t>& all, const std::vector<std::int32_t>& own) {
    const auto root = static_cast<std::int64_t>(all.size());
    for (const std::int32_t child : own) all.push_back(child < 0 ? -1 : root + child);
}

void append_wide(JoinedTrees& all, const GrownTree& tree) {
    const std::int64_t root = all.tree_start.back();
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
        if (tree.wide[node] < 0) continue;
        const WideSet& set = tree.wide_sets[tree.wide[node]];
        append(all.wide_set, set.bits);
        all.wide_column.push_back(set.column);
        all.wide_node.push_back(root + static_cast<std::int64_t>(node));
        all.wide_start.push_back(static_cast<std::int64_t>(all.wide_set.size()));
    }
}

template <class T>
std::vector<T> slice(const std::vector<T>& all, std::int64_t begin, std::int64_t end) {
    return {all.begin() + begin, all.begin() + end};
}

std::vector<std::int32_t> slice_children(const std::vector<std::int64_t>& all, std::int64_t begin, std::int64_t end) {
    std::vector<std::int32_t> own;
    for (std::int64_t node = begin; node < end; ++node) {
        own.push_back(all[node] < 0 ? -1 : static_cast<std::int32_t>(all[node] - begin));
    }
    return own;
}

GrownTree one_of(const JoinedTrees& all, std::int64_t begin, std::int64_t end) {
    const auto n = static_cast<std::size_t>(end - begin);
    GrownTree tree;
    tree.feature = slice(all.feature, begin, end);
    tree.bin = slice(all.bin, begin, end);
    for (std::int64_t node = begin; node < end; ++node) {
        const std::uint64_t* words = all.left_set.data() + 4 * node;
        tree.left_set.push_back({words[0], words[1], words[2], words[3]});
    }
    tree.wide.assign(n, -1);
    const auto place = [&](std::int64_t node) {
        return static_cast<std::size_t>(std::ranges::lower_bound(all.wide_node, node) - all.wide_node.begin());
    };
    for (std::size_t k = place(begin); k < place(end); ++k) {
        tree.wide[all.wide_node[k] - begin] = static_cast<std::int32_t>(tree.wide_sets.size());
        tree.wide_sets.push_back({all.wide_column[k], slice(all.wide_set, all.wide_start[k], all.wide_start[k + 1])});
    }
    tree.left = slice_children(all.left, begin, end);
    tree.right = slice_children(all.right, begin, end);
    tree.missing_left = slice(all.missing_left, begin, end);
    tree.unseen_left = slice(all.unseen_left, begin, end);
    tree.value = slice(all.value, begin, end);
    tree.weight = slice(all.weight, begin, end);
    tree.gain = slice(all.gain, begin, end);
    tree.lower.assign(n, -std::numeric_limits<double>::infinity());
    tree.upper.assign(n, std::numeric_limits<double>::infinity());
    tree.begin.assign(n, 0);
    tree.end.assign(n, 0);
    return tree;
}

}  // namespace

bool ends_every_walk(const JoinedTrees& all) {
    for (std::size_t k = 0; k + 1 < all.tree_start.size(); ++k) {
        const std::int64_t begin = all.tree_start[k], end = all.tree_start[k + 1];
        if (begin == end) return false;
        for (std::int64_t node = begin; node < end; ++node) {
            if (all.feature[node] < 0) continue;
            if (std::min(all.left[node], all.right[node]) <= node) return false;
            if (std::max(all.left[node], all.right[node]) >= end) return false;
        }
    }
    return true;
}

std::vector<GrownTree> part(const JoinedTrees& all) {
    std::vector<GrownTree> trees;
    for (std::size_t k = 0; k + 1 < all.tree_start.size(); ++k) {
        trees.push_back(one_of(all, all.tree_start[k], all.tree_start[k + 1]));
    }
    return trees;
}

JoinedTrees join(std::span<const GrownTree* const> trees) {
    JoinedTrees all;
    for (const GrownTree* tree : trees) {
        append_wide(all, *tree);
        all.tree_start.push_back(all.tree_start.back() + static_cast<std::int64_t>(tree->n_nodes()));
        append(all.feature, tree->feature);
        append(all.bin, tree->bin);
        for (const BinSet& set : tree->left_set) all.left_set.insert(all.left_set.end(), set.begin(), set.end());
        append_children(all.left, tree->left);
        append_children(all.right, tree->right);
        append(all.missing_left, tree->missing_left);
        append(all.unseen_left, tree->unseen_left);
        append(all.value, tree->value);
        append(all.weight, tree->weight);
        append(all.gain, tree->gain);
    }
    return all;
}

}  // namespace glasswood::boosting

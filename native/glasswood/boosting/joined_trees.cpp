#include "glasswood/boosting/joined_trees.hpp"

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
        append(all.wide_set, tree.wide_sets[tree.wide[node]].bits);
        all.wide_node.push_back(root + static_cast<std::int64_t>(node));
        all.wide_start.push_back(static_cast<std::int64_t>(all.wide_set.size()));
    }
}

}  // namespace

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

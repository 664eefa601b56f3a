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

}  // namespace

JoinedTrees join(std::span<const GrownTree* const> trees) {
    JoinedTrees all;
    for (const GrownTree* tree : trees) {
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

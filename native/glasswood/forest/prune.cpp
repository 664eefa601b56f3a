#include "glasswood/forest/prune.hpp"

namespace glasswood::forest {
namespace {

// Copies node `from` to the end of `out`, as a leaf unless it stays split.
void copy_node(const TreeNodes& tree, std::size_t from, bool split, std::size_t width, TreeNodes& out) {
    out.feature.push_back(split ? tree.feature[from] : -1);
    out.left.push_back(-1);
    out.right.push_back(-1);
    out.category_set.push_back(-1);
    out.threshold.push_back(split ? tree.threshold[from] : std::numeric_limits<double>::quiet_NaN());
    out.shown.push_back(split ? tree.shown[from] : std::numeric_limits<double>::quiet_NaN());
    out.weight.push_back(tree.weight[from]);
    out.gain.push_back(split ? tree.gain[from] : std::numeric_limits<double>::quiet_NaN());
    out.mass.push_back(tree.mass[from]);
    out.missing_left.push_back(split ? tree.missing_left[from] : 0);
    out.unseen_left.push_back(split ? tree.unseen_left[from] : 0);
    const auto value = tree.value.begin() + static_cast<std::ptrdiff_t>(from * width);
    out.value.insert(out.value.end(), value, value + static_cast<std::ptrdiff_t>(width));
    if (!split || tree.category_set[from] < 0) return;
    const auto set = static_cast<std::size_t>(tree.category_set[from]);
    out.category_set.back() = static_cast<std::int32_t>(out.set_start.size() - 1);
    out.set_bits.insert(out.set_bits.end(), tree.set_bits.begin() + tree.set_start[set],
                        tree.set_bits.begin() + tree.set_start[set + 1]);
    out.set_start.push_back(static_cast<std::int64_t>(out.set_bits.size()));
}

}  // namespace

TreeNodes prune(const TreeNodes& tree, double alpha, std::size_t width) {
    // Children stand after their parents: one backward pass finds the cost of the best subtree below every node.
    std::vector<double> cost(tree.size());
    std::vector<std::uint8_t> split(tree.size());
    for (std::size_t node = tree.size(); node-- > 0;) {
        const double as_leaf = tree.mass[node] / tree.weight[0] + alpha;
        const double as_split = tree.left[node] < 0 ? as_leaf : cost[tree.left[node]] + cost[tree.right[node]];
        split[node] = as_split < as_leaf ? 1 : 0;
        cost[node] = split[node] != 0 ? as_split : as_leaf;
    }
    struct Waiting {
        std::size_t node;
        std::int64_t parent;
        bool is_left;
    };
    TreeNodes out;
    std::vector<Waiting> stack{{0, -1, false}};
    while (!stack.empty()) {
        const Waiting now = stack.back();
        stack.pop_back();
        const std::size_t node = out.size();
        if (now.parent >= 0) (now.is_left ? out.left : out.right)[now.parent] = static_cast<std::int32_t>(node);
        copy_node(tree, now.node, split[now.node] != 0, width, out);
        if (split[now.node] == 0) continue;
        stack.push_back({static_cast<std::size_t>(tree.right[now.node]), static_cast<std::int64_t>(node), false});
        stack.push_back({static_cast<std::size_t>(tree.left[now.node]), static_cast<std::int64_t>(node), true});
    }
    return out;
}

}  // namespace glasswood::forest

#include "glasswood/model/node_order.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace glasswood::model {

Preorder preorder(std::span<const std::int64_t> roots, std::span<const std::int64_t> left,
                  std::span<const std::int64_t> right) {
    const auto n_nodes = static_cast<std::int64_t>(left.size());
    if (n_nodes > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("more than 2^31 nodes");
    Preorder result;
    result.order.reserve(left.size());
    result.tree_start.reserve(roots.size() + 1);
    std::vector<bool> reached(left.size(), false);
    std::vector<std::int64_t> stack;
    for (const std::int64_t root : roots) {
        result.tree_start.push_back(static_cast<std::int32_t>(result.order.size()));
        stack.push_back(root);
        while (!stack.empty()) {
            const std::int64_t node = stack.back();
            stack.pop_back();
            if (node < 0 || node >= n_nodes)
                throw std::invalid_argument("child " + std::to_string(node) + " does not exist");
            if (reached[node]) throw std::invalid_argument("node " + std::to_string(node) + " is reached twice");
            reached[node] = true;
            result.order.push_back(static_cast<std::int32_t>(node));
            if ((left[node] < 0) != (right[node] < 0))
                throw std::invalid_argument("node " + std::to_string(node) + " has one child");
            if (left[node] >= 0) {
                stack.push_back(right[node]);
                stack.push_back(left[node]);
            }
        }
    }
    result.tree_start.push_back(static_cast<std::int32_t>(result.order.size()));
    return result;
}

void node_depths(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                 std::span<std::int32_t> depth) {
    for (std::size_t node = 0; node < left.size(); ++node) depth[node] = 0;
    for (std::size_t node = 0; node < left.size(); ++node) {
        if (left[node] < 0) continue;
        depth[left[node]] = depth[node] + 1;
        depth[right[node]] = depth[node] + 1;
    }
}

void fill_inner_values(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                       std::span<const double> weight, std::size_t width, std::span<double> value) {
    for (std::size_t node = left.size(); node-- > 0;) {
        if (left[node] < 0) continue;
        const std::size_t l = left[node], r = right[node];
        const double total = weight[l] + weight[r];
        const double share = total == 0.0 ? 0.5 : weight[l] / total;
        for (std::size_t k = 0; k < width; ++k)
            value[node * width + k] = share * value[l * width + k] + (1.0 - share) * value[r * width + k];
    }
}

}  // namespace glasswood::model

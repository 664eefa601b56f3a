#include "glasswood/predict/category_tests.hpp"

#include <algorithm>
#include <unordered_map>

namespace glasswood::predict {
namespace {

struct Hash {
    std::size_t operator()(const CategoryTest& test) const {
        const auto set = static_cast<std::uint64_t>(test.set);
        const auto feature = static_cast<std::uint64_t>(test.feature);
        const std::uint64_t sides = (test.missing_left ? 2U : 0U) + (test.unseen_left ? 1U : 0U);
        return std::hash<std::uint64_t>()((feature << 34U) ^ (set << 2U) ^ sides);
    }
};

}  // namespace

CategoryTests make_category_tests(const model::Ensemble& ensemble) {
    CategoryTests all;
    const auto by_set = [](std::int32_t set) { return set >= 0; };
    if (std::none_of(ensemble.category_set.begin(), ensemble.category_set.end(), by_set)) return all;
    all.of_node.assign(ensemble.n_nodes(), -1);
    std::unordered_map<CategoryTest, std::int32_t, Hash> known;
    for (std::size_t node = 0; node < ensemble.n_nodes(); ++node) {
        if (ensemble.is_leaf(node) || !ensemble.is_category_split(node)) continue;
        const CategoryTest test{ensemble.feature[node], ensemble.category_set[node], ensemble.missing_left[node] != 0,
                                ensemble.unseen_left[node] != 0};
        const auto [found, is_new] = known.try_emplace(test, static_cast<std::int32_t>(all.tests.size()));
        if (is_new) all.tests.push_back(test);
        all.of_node[node] = found->second;
    }
    return all;
}

}  // namespace glasswood::predict

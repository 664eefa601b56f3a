// CategoryTests: the distinct questions that category splits ask. Many nodes ask the same one, so its answer
// is worked out once per row.
#pragma once

#include <cstdint>
#include <vector>

#include "glasswood/model/ensemble.hpp"

namespace glasswood::predict {

struct CategoryTest {
    std::int32_t feature;
    std::int32_t set;  // its members go left
    bool missing_left;
    bool unseen_left;

    bool operator==(const CategoryTest&) const = default;
};

struct CategoryTests {
    std::vector<CategoryTest> tests;
    std::vector<std::int32_t> of_node;  // (n_nodes) index into tests or -1; empty if no node splits by category
};

CategoryTests make_category_tests(const model::Ensemble& ensemble);

// Does a row with this code (negative: missing; n_levels or more: unseen) go right?
inline bool goes_right(const model::Ensemble& ensemble, const CategoryTest& test, std::int32_t code) {
    if (code < 0) return !test.missing_left;
    if (code >= ensemble.n_levels[test.feature]) return !test.unseen_left;
    return !ensemble.in_set(test.set, code);
}

}  // namespace glasswood::predict

// RuleSums: sums over the rows inside rules and inside two rules at once, fold by fold, of whole numbers: neither the
// order of the rows nor the number of threads matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::rules {

// What to add up: masks (n_rows, n_rules) of 0 and 1, values (n_values, n_rows), and the fold of each row.
struct RuleRows {
    std::span<const std::uint8_t> masks;
    std::span<const std::int64_t> values;
    std::span<const std::int64_t> fold;
    std::size_t n_rules;
    std::size_t n_values;
    std::size_t n_folds;
};

struct RuleSums {
    std::vector<std::int64_t> total;   // (n_values, n_folds)
    std::vector<std::int64_t> inside;  // (n_values, n_folds, n_rules)
    std::vector<std::int64_t> both;    // (n_folds, n_rules, n_rules) of the first value; empty unless asked for
};

RuleSums rule_sums(const RuleRows& rows, bool with_pairs, int n_threads);

}  // namespace glasswood::rules

#include "glasswood/rules/rule_sums.hpp"

#include <algorithm>
#include <mutex>

#include "glasswood/base/parallel.hpp"

namespace glasswood::rules {
namespace {

constexpr std::size_t chunk_rows = 8192;

RuleSums nothing(const RuleRows& rows, bool with_pairs) {
    return {std::vector<std::int64_t>(rows.n_values * rows.n_folds, 0),
            std::vector<std::int64_t>(rows.n_values * rows.n_folds * rows.n_rules, 0),
            std::vector<std::int64_t>(with_pairs ? rows.n_folds * rows.n_rules * rows.n_rules : 0, 0)};
}

void add_row(const RuleRows& rows, std::size_t row, std::vector<std::uint32_t>& fired, RuleSums& sums) {
    const std::size_t n = rows.fold.size(), m = rows.n_rules;
    const auto fold = static_cast<std::size_t>(rows.fold[row]);
    fired.clear();
    for (std::size_t r = 0; r < m; ++r) {
        if (rows.masks[row * m + r] != 0) fired.push_back(static_cast<std::uint32_t>(r));
    }
    for (std::size_t v = 0; v < rows.n_values; ++v) {
        const std::int64_t value = rows.values[v * n + row];
        sums.total[v * rows.n_folds + fold] += value;
        std::int64_t* inside = sums.inside.data() + (v * rows.n_folds + fold) * m;
        for (const std::uint32_t r : fired) inside[r] += value;
    }
    if (sums.both.empty()) return;
    for (const std::uint32_t r : fired) {
        std::int64_t* both = sums.both.data() + (fold * m + r) * m;
        for (const std::uint32_t s : fired) both[s] += rows.values[row];
    }
}

void merge(std::vector<std::int64_t>& into, const std::vector<std::int64_t>& other) {
    std::ranges::transform(into, other, into.begin(), std::plus<>());
}

}  // namespace

RuleSums rule_sums(const RuleRows& rows, bool with_pairs, int n_threads) {
    RuleSums all = nothing(rows, with_pairs);
    std::mutex guard;
    const std::size_t n = rows.fold.size();
    base::parallel_for((n + chunk_rows - 1) / chunk_rows, n_threads, base::work_of(n, 50.0), [&](std::size_t c) {
        RuleSums own = nothing(rows, with_pairs);
        std::vector<std::uint32_t> fired;
        for (std::size_t row = c * chunk_rows; row < std::min(n, (c + 1) * chunk_rows); ++row)
            add_row(rows, row, fired, own);
        const std::lock_guard lock(guard);
        merge(all.total, own.total);
        merge(all.inside, own.inside);
        merge(all.both, own.both);
    });
    return all;
}

}  // namespace glasswood::rules

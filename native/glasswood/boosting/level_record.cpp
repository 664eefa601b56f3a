#include "glasswood/boosting/level_record.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace glasswood::boosting {

namespace {

LevelRecord record_of(std::size_t level, std::int64_t n_rows, const Sums& own) {
    return {static_cast<std::uint32_t>(level),
            static_cast<std::uint32_t>(n_rows),
            {own.grad, own.square, own.hess, own.weight}};
}

}  // namespace

void append_records(const LevelList& list, std::vector<LevelRecord>& out) {
    const std::size_t n = list.level.size();
    out.push_back(record_of(n, list.n_rows[n], list.missing));
    for (std::size_t k = 0; k < n; ++k) out.push_back(record_of(list.level[k], list.n_rows[k], list.sums[k]));
}

SentLevels take_list(SentLevels& records, std::size_t n_levels) {
    if (records.empty() || records.front().level > n_levels || records.front().level >= records.size()) return {};
    const SentLevels list = records.first(records.front().level + std::size_t{1});
    const SentLevels levels = list.subspan(1);
    const bool ascend = std::ranges::adjacent_find(levels, std::greater_equal{}, &LevelRecord::level) == levels.end();
    if (!ascend || (!levels.empty() && levels.back().level >= n_levels)) return {};
    records = records.subspan(list.size());
    return list;
}

}  // namespace glasswood::boosting

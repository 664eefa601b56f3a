// The part of LevelTree that lists the levels of wide categories: every rank those of its rows, the owner those of all.
#include <algorithm>
#include <utility>

#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/level_tree.hpp"

namespace glasswood::boosting {
namespace {

constexpr double per_row = 4.0;  // ns

}  // namespace

// The wide columns that a rank owns.
std::span<const std::size_t> LevelTree::wide_of(std::size_t rank) const {
    const auto begin = std::ranges::lower_bound(wide_at_, first_column_[rank]);
    const auto end = std::ranges::lower_bound(wide_at_, first_column_[rank + 1]);
    return {begin, end};
}

// Which list of a candidacy is that of a column.
std::size_t LevelTree::place_of_levels(std::size_t column) const {
    const std::span own = wide_of(rank_);
    return static_cast<std::size_t>(std::ranges::lower_bound(own, column) - own.begin());
}

// Nodes whose levels are listed, in the order of their candidacies. Nothing is subtracted: both children are.
std::vector<std::size_t> LevelTree::listed_nodes() const {
    std::vector<std::size_t> listed;
    for (const Family& family : families_) {
        listed.push_back(family.light);
        if (!family.is_root()) listed.push_back(family.heavy);
    }
    return listed;
}

std::vector<std::vector<LevelRecord>> LevelTree::levels(int n_threads) {
    if (wide_at_.empty()) return {};
    const std::vector<std::size_t> listed = listed_nodes();
    std::vector<LevelList> lists(listed.size() * wide_at_.size());
    std::vector<std::size_t> small;
    std::size_t n_values = 0;
    const auto list = [&](std::size_t i, int threads) {
        const GrownNode& node = nodes_[listed[i / wide_at_.size()]];
        const std::size_t feature = histograms_.feature(wide_at_[i % wide_at_.size()]);
        const bool is_asked = is_symmetric() || rules_.is_allowed(node, feature);
        const bool is_open = families_.front().is_root() || rules_.has_weight_to_split(node);
        lists[i] =
            wide_.list(feature, is_asked && is_open ? rows_of(node) : rows_of(node).first(0), data_.stats, threads);
    };
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const std::size_t n = nodes_[listed[i / wide_at_.size()]].n_rows();
        if (n > min_shared()) {
            list(i, n_threads);
        } else {
            small.push_back(i);
            n_values += n;
        }
    }
    base::parallel_for(small.size(), n_threads, base::work_of(n_values, per_row),
                       [&](std::size_t i) { list(small[i], 1); });
    std::vector<std::vector<LevelRecord>> records(n_ranks_);
    for (std::size_t rank = 0; rank < n_ranks_; ++rank) {
        for (std::size_t at = 0; at < listed.size(); ++at) {
            for (const std::size_t column : wide_of(rank)) {
                const auto place = std::ranges::lower_bound(wide_at_, column) - wide_at_.begin();
                append_records(lists[at * wide_at_.size() + static_cast<std::size_t>(place)], records[rank]);
            }
        }
    }
    return records;
}

std::string LevelTree::fault_of(std::span<const SentLevels> levels) const {
    if (levels.size() != (wide_at_.empty() ? 0 : n_ranks_)) {
        return "levels of " + std::to_string(levels.size()) + " ranks, expected " +
               std::to_string(wide_at_.empty() ? 0 : n_ranks_);
    }
    const std::size_t n_nodes = listed_nodes().size();
    for (SentLevels rest : levels) {
        for (std::size_t at = 0; at < n_nodes; ++at) {
            for (const std::size_t column : wide_of(rank_)) {
                if (take_list(rest, rules_.features().n_wide[histograms_.feature(column)]).empty()) {
                    return "a list of levels that is damaged";
                }
            }
        }
        if (!rest.empty()) return "more lists of levels than open nodes";
    }
    return "";
}

// The levels that all ranks found in the nodes that may be split.
void LevelTree::merge_levels(std::span<const SentLevels> levels, int n_threads) {
    const std::span own = wide_of(rank_);
    if (own.empty()) return;
    const std::size_t n_lists = listed_nodes().size() * own.size();
    std::vector<std::vector<SentLevels>> parts(n_lists);
    std::size_t n_records = 0;
    for (SentLevels rest : levels) {
        n_records += rest.size();
        for (std::size_t i = 0; i < n_lists; ++i) {
            parts[i].push_back(take_list(rest, rules_.features().n_wide[histograms_.feature(own[i % own.size()])]));
        }
    }
    for (Candidacy& candidacy : candidacies_) candidacy.levels.resize(candidacy.cells ? own.size() : 0);
    base::parallel_for(n_lists, n_threads, base::work_of(n_records, per_row), [&](std::size_t i) {
        Candidacy& candidacy = candidacies_[i / own.size()];
        if (!candidacy.cells) return;
        const std::size_t feature = histograms_.feature(own[i % own.size()]);
        candidacy.levels[i % own.size()] = wide_.merge(feature, parts[i]);
    });
}

}  // namespace glasswood::boosting

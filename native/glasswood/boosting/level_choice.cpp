// The part of LevelTree that chooses: among the splits of every node, or one question per level for symmetric trees.
#include <algorithm>
#include <map>
#include <utility>

#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/level_tree.hpp"

namespace glasswood::boosting {

// The open nodes of a level in their order, with those that the question before did not divide.
void LevelTree::join_waiting() {
    std::vector<Candidacy> open = std::exchange(waiting_, {});
    for (Candidacy& candidacy : candidacies_) {
        if (candidacy.cells) open.push_back(std::move(candidacy));
    }
    std::ranges::sort(open, {}, &Candidacy::node);
    candidacies_ = std::move(open);
}

// The k-th of the features that this rank owns, in every open node.
std::vector<OpenCells> LevelTree::open_cells(std::size_t k) const {
    const std::size_t first = first_column_[rank_];
    const std::size_t at = histograms_.first_cell(first + k) - histograms_.first_cell(first);
    std::vector<OpenCells> open;
    for (const Candidacy& candidacy : candidacies_) {
        open.push_back({.node = &nodes_[candidacy.node],
                        .n_rows = n_rows_[candidacy.node],
                        .cells = column_cells(candidacy, first + k, {}),
                        .rows = rules_.counts_rows() ? candidacy.counts.data() + at : nullptr});
    }
    return open;
}

// The parts of every question of this rank that ties with its best: the best of all ranks is at least as good.
std::vector<SplitRecord> LevelTree::scan_level(int n_threads) const {
    const std::size_t first = first_column_[rank_], n_columns = first_column_[rank_ + 1] - first;
    std::vector<Candidate> found(n_columns);
    const auto feature = [&](std::size_t k) { return histograms_.feature(first + k); };
    base::parallel_for(
        n_columns, n_threads, base::work_of(candidacies_.size() * n_cells(rank_), 4.0),
        [&](std::size_t k) { found[k] = symmetric_candidate(rules_, feature(k), open_cells(k), *kernels_); });
    std::vector<SplitRecord> records;
    const double min_gain = rules_.options().min_gain;
    double most = min_gain;
    for (const Candidate& c : found) most = c.gain > most ? c.gain : most;
    for (std::size_t k = 0; k < n_columns; ++k) {
        if (!(found[k].gain > min_gain && found[k].gain >= most - tie * most)) continue;
        for (const NodeSplit& own : symmetric_splits(rules_, feature(k), found[k], open_cells(k), *kernels_)) {
            records.push_back(record_of(own.split, candidacies_[own.at].node));
        }
    }
    return records;
}

// The parts of the best question, by node. What a question gains is added up again, in the order in which its owner
// added it up.
std::vector<const SplitRecord*> LevelTree::choose_symmetric(std::span<const SplitRecord> all) const {
    std::map<std::uint32_t, std::vector<const SplitRecord*>> parts;  // by feature, ascending
    for (const SplitRecord& record : all) parts[record.feature].push_back(&record);
    double best = rules_.options().min_gain;
    std::map<std::uint32_t, double> gains;
    for (auto& [feature, own] : parts) {
        std::ranges::sort(own, {}, &SplitRecord::node);
        for (const SplitRecord* part : own) gains[feature] += part->gain;
        best = std::max(best, gains[feature]);
    }
    std::vector<const SplitRecord*> chosen(nodes_.size(), nullptr);
    for (const auto& [feature, own] : parts) {
        if (!(gains[feature] > rules_.options().min_gain && gains[feature] >= best - tie * best)) continue;
        for (const SplitRecord* part : own) chosen[part->node] = part;
        break;
    }
    return chosen;
}

// The best split of every node, of the first feature among those that tie.
std::vector<const SplitRecord*> LevelTree::choose_each(std::span<const SplitRecord> all) const {
    std::vector<double> best(nodes_.size(), rules_.options().min_gain);
    for (const SplitRecord& record : all) best[record.node] = std::max(best[record.node], record.gain);
    std::vector<const SplitRecord*> chosen(nodes_.size(), nullptr);
    for (const SplitRecord& record : all) {
        const SplitRecord*& own = chosen[record.node];
        const bool ties = record.gain >= best[record.node] - tie * best[record.node];
        if (ties && (own == nullptr || record.feature < own->feature)) own = &record;
    }
    return chosen;
}

}  // namespace glasswood::boosting

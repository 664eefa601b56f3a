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

OpenLevel LevelTree::open_level(std::span<LevelTree* const> trees) {
    OpenLevel open;
    for (const LevelTree* tree : trees) {
        open.rules.push_back(&tree->rules_);
        open.nodes.emplace_back();
        for (const Candidacy& own : tree->candidacies_) open.nodes.back().push_back(&tree->nodes_[own.node]);
    }
    const LevelTree& any = *trees.front();
    for (const Candidacy& candidacy : any.candidacies_) open.n_rows.push_back(any.n_rows_[candidacy.node]);
    return open;
}

// The k-th of the features that this rank owns, in every open node.
LevelCells LevelTree::cells_of_level(std::span<LevelTree* const> trees, std::size_t k) {
    const LevelTree& any = *trees.front();
    const std::size_t first = any.first_column_[any.rank_];
    const std::size_t begin = any.histograms_.first_cell(first + k);
    const std::size_t n = any.histograms_.first_cell(first + k + 1) - begin;
    LevelCells level(trees.size());
    if (any.is_wide(first + k)) {
        const std::size_t place = any.place_of_levels(first + k);
        for (std::size_t at = 0; at < any.candidacies_.size(); ++at) {
            for (std::size_t t = 0; t < trees.size(); ++t) level.add(trees[t]->candidacies_[at].levels[place], t);
        }
        return level;
    }
    std::vector<const Sums*> cells(trees.size());
    for (std::size_t at = 0; at < any.candidacies_.size(); ++at) {
        for (std::size_t t = 0; t < trees.size(); ++t) {
            cells[t] = trees[t]->column_cells(trees[t]->candidacies_[at], first + k, {});
        }
        const std::span counts = any.candidacies_[at].counts;
        level.add(
            cells, n,
            counts.subspan(counts.empty() ? 0 : begin - any.histograms_.first_cell(first), counts.empty() ? 0 : n));
    }
    return level;
}

// The parts of every question of this rank that ties with its best: the best of all ranks is at least as good.
std::vector<std::vector<SentSplit>> LevelTree::scan_shared(std::span<LevelTree* const> trees, int n_threads) {
    for (LevelTree* tree : trees) tree->stage_ = Stage::begin;  // until all went well
    const LevelTree& any = *trees.front();
    const std::size_t first = any.first_column_[any.rank_], n_columns = any.first_column_[any.rank_ + 1] - first;
    const OpenLevel open = open_level(trees);
    std::vector<Candidate> found(n_columns);
    const auto feature = [&](std::size_t k) { return any.histograms_.feature(first + k); };
    base::parallel_for(n_columns, n_threads, base::work_of(trees.size() * open.n_nodes() * any.n_cells(any.rank_), 4.0),
                       [&](std::size_t k) {
                           found[k] = symmetric_candidate(open, feature(k), cells_of_level(trees, k), *any.kernels_);
                       });
    std::vector<std::vector<SentSplit>> records(trees.size());
    const double min_gain = any.rules_.options().min_gain;
    double most = min_gain;
    for (const Candidate& c : found) most = c.gain > most ? c.gain : most;
    for (std::size_t k = 0; k < n_columns; ++k) {
        if (!(found[k].gain > min_gain && found[k].gain >= most - tie * most)) continue;
        const auto splits = symmetric_splits(open, feature(k), found[k], cells_of_level(trees, k), *any.kernels_,
                                             any.wide_.place(feature(k)));
        for (std::size_t t = 0; t < trees.size(); ++t) {
            for (const NodeSplit& own : splits[t]) {
                records[t].push_back(record_of(own.split, any.candidacies_[own.at].node));
            }
        }
    }
    for (LevelTree* tree : trees) tree->stage_ = Stage::choose;
    return records;
}

// The parts of the best question, by tree and node. What a question gains is added up again, in the order in which its
// owner added it up.
std::vector<LevelTree::Chosen> LevelTree::choose_symmetric(std::span<LevelTree* const> trees,
                                                           std::span<const std::span<const SentSplit>> all) {
    const double min_gain = trees.front()->rules_.options().min_gain;
    std::map<std::uint32_t, std::vector<Chosen>> parts;  // by feature, ascending, and tree
    for (std::size_t t = 0; t < trees.size(); ++t) {
        for (const SentSplit& record : all[t]) {
            std::vector<Chosen>& own = parts[record.feature];
            own.resize(trees.size());
            own[t].push_back(&record);
        }
    }
    double best = min_gain;
    std::map<std::uint32_t, double> gains;
    for (auto& [feature, by_tree] : parts) {
        for (Chosen& own : by_tree) {
            std::ranges::sort(own, {}, &SentSplit::node);
            double of_tree = 0.0;
            for (const SentSplit* part : own) of_tree += part->gain;
            gains[feature] += of_tree;
        }
        best = std::max(best, gains[feature]);
    }
    std::vector<Chosen> chosen(trees.size(), Chosen(trees.front()->nodes_.size(), nullptr));
    for (const auto& [feature, by_tree] : parts) {
        if (!(gains[feature] > min_gain && gains[feature] >= best - tie * best)) continue;
        for (std::size_t t = 0; t < trees.size(); ++t) {
            for (const SentSplit* part : by_tree[t]) chosen[t][part->node] = part;
        }
        break;
    }
    return chosen;
}

std::size_t LevelTree::choose_shared(std::span<LevelTree* const> trees, std::span<const std::vector<SentSplit>> all,
                                     int n_threads) {
    const std::vector<std::span<const SentSplit>> records(all.begin(), all.end());
    const std::vector<Chosen> chosen = choose_symmetric(trees, records);
    std::size_t n_open = 0;
    for (std::size_t t = 0; t < trees.size(); ++t) n_open = trees[t]->split_nodes(chosen[t], n_threads);
    return n_open;
}

// The best split of every node, of the first feature among those that tie.
LevelTree::Chosen LevelTree::choose_each(std::span<const SentSplit> all) const {
    std::vector<double> best(nodes_.size(), rules_.options().min_gain);
    for (const SentSplit& record : all) best[record.node] = std::max(best[record.node], record.gain);
    Chosen chosen(nodes_.size(), nullptr);
    for (const SentSplit& record : all) {
        const SentSplit*& own = chosen[record.node];
        const bool ties = record.gain >= best[record.node] - tie * best[record.node];
        if (ties && (own == nullptr || record.feature < own->feature)) own = &record;
    }
    return chosen;
}

}  // namespace glasswood::boosting

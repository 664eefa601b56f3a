#include "glasswood/boosting/symmetric_split.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace glasswood::boosting {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

// The level as one node: the sums of all its nodes, and of the cells of a feature; of a number, those of missing
// values alone.
struct WholeLevel {
    GrownNode node;
    std::size_t n_rows = 0;
    std::vector<Sums> cells;  // missing values last
};

WholeLevel whole_of(const NodeRules& rules, std::size_t feature, std::span<const OpenCells> open) {
    const BinnedFeatures& features = rules.features();
    WholeLevel level;
    const std::size_t n = features.is_wide(feature) ? features.n_wide[feature] : features.n_bins[feature];
    level.cells.resize(n + 1);
    for (const OpenCells& own : open) {
        level.node.sums = plus(level.node.sums, own.node->sums);
        level.n_rows += own.n_rows;
        if (own.levels == nullptr) {
            // numbers are not put in an order: only whether values are missing counts
            const std::size_t first = features.is_category[feature] != 0 ? 0 : n;
            for (std::size_t b = first; b <= n; ++b) level.cells[b] = plus(level.cells[b], own.cells[b]);
            continue;
        }
        for (std::size_t k = 0; k < own.levels->level.size(); ++k) {
            Sums& cell = level.cells[own.levels->level[k]];
            cell = plus(cell, own.levels->sums[k]);
        }
        level.cells[n] = plus(level.cells[n], own.levels->missing);
    }
    return level;
}

LevelList list_of(const WholeLevel& level) {
    LevelList list;
    for (std::uint32_t b = 0; b + 1 < level.cells.size(); ++b) {
        list.level.push_back(b);
        list.sums.push_back(level.cells[b]);
    }
    list.n_rows.resize(list.level.size() + 1);
    list.missing = level.cells.back();
    return list;
}

// The order in which a question may cut: places of bins or levels. Numbers keep their own.
class SymmetricOrder {
 public:
    SymmetricOrder(const NodeRules& rules, std::size_t feature, const WholeLevel& level) : n_(level.cells.size() - 1) {
        if (rules.features().is_category[feature] == 0) return;
        const ScanTask task = rules.task_of(level.node, level.n_rows, feature);
        if (rules.features().is_wide(feature)) {
            LevelList list = list_of(level);
            put_in_order(list, task);
            order_ = std::move(list.level);
        } else {
            order_ = bins_in_order(level.cells.data(), n_, task);
        }
        place_.resize(n_);
        for (std::uint32_t k = 0; k < order_.size(); ++k) place_[order_[k]] = k;
        n_ = order_.size();
    }

    std::size_t n_places() const { return n_; }

    // The cells of a node that hold rows, with their places instead of levels.
    void list(const OpenCells& own, LevelList& out) const {
        out.level.clear();
        out.sums.clear();
        out.n_rows.clear();
        if (own.levels != nullptr) {
            list_levels(*own.levels, out);
            return;
        }
        const std::size_t n_bins = place_.empty() ? n_ : place_.size();
        for (std::uint32_t k = 0; k < n_; ++k) {
            const std::size_t bin = order_.empty() ? k : order_[k];
            if (own.cells[bin].weight == 0) continue;
            out.level.push_back(k);
            out.sums.push_back(own.cells[bin]);
            if (own.rows != nullptr) out.n_rows.push_back(own.rows[bin]);
        }
        if (own.rows != nullptr) out.n_rows.push_back(own.rows[n_bins]);
        out.missing = own.cells[n_bins];
    }

 private:
    void list_levels(const LevelList& levels, LevelList& out) const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // and where the level stands in the list
        for (std::uint32_t k = 0; k < levels.level.size(); ++k) {
            if (levels.sums[k].weight != 0) places.emplace_back(place_[levels.level[k]], k);
        }
        std::ranges::sort(places);
        for (const auto& [place, k] : places) {
            out.level.push_back(place);
            out.sums.push_back(levels.sums[k]);
            out.n_rows.push_back(levels.n_rows[k]);
        }
        out.n_rows.push_back(levels.n_rows.back());
        out.missing = levels.missing;
    }

    std::size_t n_;
    std::vector<std::uint32_t> order_;  // bins or levels by their places; empty: a number
    std::vector<std::uint32_t> place_;
};

ScanTask task_in(const NodeRules& rules, const OpenCells& own, std::size_t feature, const LevelList& list) {
    ScanTask task = rules.task_of(*own.node, own.n_rows, feature);
    if (rules.counts_rows()) task.rows = list.n_rows.data();
    return task;
}

// Adds a node's gains to those of the level: between two of its cells the node is divided as by the first of them.
void add_gains(const LevelList& list, std::span<const double> gains, std::span<double> total) {
    for (std::size_t k = 0; k < gains.size(); ++k) {
        const std::size_t last = k + 1 < gains.size() ? list.level[k + 1] : total.size();
        if (gains[k] == none) continue;
        for (std::size_t place = list.level[k]; place < last; ++place) total[place] += gains[k];
    }
}

// Cuts that divide no node stay 0 and are none.
void drop_unused(std::span<double> total, std::span<const std::uint8_t> is_used) {
    for (std::size_t place = 0; place < total.size(); ++place) total[place] = is_used[place] != 0 ? total[place] : none;
}

void mark_used(const LevelList& list, std::span<const double> gains, std::span<std::uint8_t> is_used) {
    for (std::size_t k = 0; k < gains.size(); ++k) {
        const std::size_t last = k + 1 < gains.size() ? list.level[k + 1] : is_used.size();
        if (gains[k] != none) std::fill(is_used.begin() + list.level[k], is_used.begin() + last, std::uint8_t{1});
    }
}

// What a cut does in one node: its gain, -inf if it does not divide the node, and the sums of the left child.
Candidate part_of(const LevelList& list, const Candidate& shared, const ScanTask& task, const BoostKernels& kernels,
                  std::vector<double>& gains) {
    set_gains(list, shared.missing_left, task, kernels, gains);
    Candidate own{none, shared.bin, shared.missing_left, shared.missing_left ? list.missing : Sums{}};
    for (std::size_t k = 0; k < list.level.size() && list.level[k] <= static_cast<std::uint32_t>(shared.bin); ++k) {
        own.left = plus(own.left, list.sums[k]);
        own.gain = gains[k];
    }
    return own;
}

}  // namespace

Candidate symmetric_candidate(const NodeRules& rules, std::size_t feature, std::span<const OpenCells> open,
                              const BoostKernels& kernels) {
    const WholeLevel level = whole_of(rules, feature, open);
    const SymmetricOrder order(rules, feature, level);
    const bool any_missing = level.cells.back().weight != 0;
    std::vector<double> right(order.n_places()), left(any_missing ? order.n_places() : 0), gains;
    std::vector<std::uint8_t> used_right(right.size()), used_left(left.size());
    LevelList list;
    for (const OpenCells& own : open) {
        if (!rules.is_allowed(*own.node, feature)) continue;
        order.list(own, list);
        const ScanTask task = task_in(rules, own, feature, list);
        set_gains(list, false, task, kernels, gains);
        add_gains(list, gains, right);
        mark_used(list, gains, used_right);
        if (!any_missing) continue;
        if (list.missing.weight != 0) set_gains(list, true, task, kernels, gains);
        add_gains(list, gains, left);
        mark_used(list, gains, used_left);
    }
    drop_unused(right, used_right);
    drop_unused(left, used_left);
    Candidate found{none, -1, false, {}};
    take_best(right, false, found);
    take_best(left, true, found);
    return found;
}

std::vector<NodeSplit> symmetric_splits(const NodeRules& rules, std::size_t feature, const Candidate& candidate,
                                        std::span<const OpenCells> open, const BoostKernels& kernels,
                                        std::uint32_t column) {
    const WholeLevel level = whole_of(rules, feature, open);
    const SymmetricOrder order(rules, feature, level);
    const ScanTask of_level = rules.task_of(level.node, level.n_rows, feature);
    std::vector<NodeSplit> splits;
    Candidate whole = candidate;
    LevelList list;
    std::vector<double> gains;
    for (std::size_t at = 0; at < open.size(); ++at) {
        order.list(open[at], list);
        const Candidate own = part_of(list, candidate, task_in(rules, open[at], feature, list), kernels, gains);
        whole.left = plus(whole.left, own.left);
        if (own.gain == none || !rules.is_allowed(*open[at].node, feature)) continue;
        splits.push_back({at, {}});
        splits.back().split.gain = own.gain;
        splits.back().split.left = own.left;
    }
    Split question;
    if (rules.features().is_wide(feature)) {
        LevelList all = list_of(level);
        put_in_order(all, of_level);
        question = make_wide_split(feature, column, rules.features().n_wide[feature], whole, all, of_level);
    } else {
        question = make_split(rules.features(), feature, whole, level.cells.data(), of_level);
    }
    for (NodeSplit& own : splits) {
        question.gain = own.split.gain;
        question.left = own.split.left;
        own.split = question;
    }
    return splits;
}

}  // namespace glasswood::boosting

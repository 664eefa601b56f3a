#include "glasswood/boosting/symmetric_split.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace glasswood::boosting {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

// The level as one node of one output: the sums of all its nodes, and of the cells of a feature; of a number, those of
// missing values alone.
struct WholeLevel {
    GrownNode node;
    std::size_t n_rows = 0;
    std::vector<Sums> cells;  // missing values last
};

WholeLevel whole_of(const OpenLevel& open, std::size_t output, std::size_t feature, const LevelCells& cells) {
    const BinnedFeatures& features = open.rules[output]->features();
    WholeLevel level;
    const std::size_t n = features.is_wide(feature) ? features.n_wide[feature] : features.n_bins[feature];
    level.cells.resize(n + 1);
    for (std::size_t at = 0; at < open.n_nodes(); ++at) {
        level.node.sums = plus(level.node.sums, open.nodes[output][at]->sums);
        level.n_rows += open.n_rows[at];
        level.cells[n] = plus(level.cells[n], cells.missing(at, output));
        if (features.is_category[feature] == 0) continue;  // numbers are not put in an order
        for (std::size_t cell = cells.first(at); cell < cells.last(at); ++cell) {
            Sums& sums = level.cells[cells.level(cell)];
            sums = plus(sums, cells.sums(cell, output));
        }
    }
    return level;
}

// What it gains the tree of an output to give every level a child of its own.
double gain_of_levels(const WholeLevel& level, const NodeRules& rules) {
    const double l2 = rules.options().step.l2;
    const auto term = [&](const Sums& sums) {
        const NodeSums own = in_numbers(sums, rules.unit());
        return own.hess > 0.0 ? own.grad * own.grad / (own.hess + l2) : 0.0;
    };
    double gain = -term(level.node.sums);
    for (const Sums& cell : level.cells) gain += term(cell);
    return gain;
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

// The order in which a question may cut: places of bins or levels. Numbers keep their own. Levels have the order of
// their means, in the output that gains most by telling them apart.
class SymmetricOrder {
 public:
    SymmetricOrder(const OpenLevel& open, std::size_t feature, const LevelCells& cells) {
        const BinnedFeatures& features = open.rules.front()->features();
        level_ = whole_of(open, 0, feature, cells);
        n_ = level_.cells.size() - 1;
        if (features.is_category[feature] == 0) return;
        double most = open.n_outputs() > 1 ? gain_of_levels(level_, *open.rules.front()) : 0.0;
        for (std::size_t output = 1; output < open.n_outputs(); ++output) {
            WholeLevel other = whole_of(open, output, feature, cells);
            const double gain = gain_of_levels(other, *open.rules[output]);
            if (!(gain > most)) continue;
            most = gain;
            level_ = std::move(other);
            output_ = output;
        }
        const ScanTask task = open.rules[output_]->task_of(level_.node, level_.n_rows, feature);
        if (features.is_wide(feature)) {
            LevelList list = list_of(level_);
            put_in_order(list, task);
            order_ = std::move(list.level);
        } else {
            order_ = bins_in_order(level_.cells.data(), n_, task);
        }
        place_.resize(n_);
        for (std::uint32_t k = 0; k < order_.size(); ++k) place_[order_[k]] = k;
        n_ = order_.size();
    }

    std::size_t n_places() const { return n_; }
    bool any_missing() const { return level_.cells.back().weight != 0; }

    // The output whose means order the levels, and its level as a whole.
    std::size_t output() const { return output_; }
    const WholeLevel& level() const { return level_; }

    // The cells of a node that hold rows, with their places instead of levels.
    void list(const LevelCells& cells, std::size_t node, std::size_t output, LevelList& out) const {
        const std::size_t first = cells.first(node), n = cells.last(node) - first;
        out.level.resize(n);
        out.sums.resize(n);
        out.n_rows.resize(n + 1);
        const auto set = [&](std::size_t k, std::uint32_t place, std::size_t cell) {
            out.level[k] = place;
            out.sums[k] = cells.sums(cell, output);
            out.n_rows[k] = cells.n_rows(cell);
        };
        if (order_.empty()) {
            for (std::size_t k = 0; k < n; ++k) set(k, cells.level(first + k), first + k);
        } else {
            std::vector<std::pair<std::uint32_t, std::size_t>> places;  // and the cell
            for (std::size_t k = 0; k < n; ++k) places.emplace_back(place_[cells.level(first + k)], first + k);
            std::ranges::sort(places);
            for (std::size_t k = 0; k < n; ++k) set(k, places[k].first, places[k].second);
        }
        out.n_rows[n] = cells.n_missing(node);
        out.missing = cells.missing(node, output);
    }

 private:
    WholeLevel level_;
    std::size_t output_ = 0;
    std::size_t n_;
    std::vector<std::uint32_t> order_;  // bins or levels by their places; empty: a number
    std::vector<std::uint32_t> place_;
};

ScanTask task_in(const OpenLevel& open, std::size_t output, std::size_t at, std::size_t feature,
                 const LevelList& list) {
    const NodeRules& rules = *open.rules[output];
    ScanTask task = rules.task_of(*open.nodes[output][at], open.n_rows[at], feature);
    if (rules.counts_rows()) task.rows = list.n_rows.data();
    return task;
}

// What cuts gain, by their places, where missing values go to one side.
class CutGains {
 public:
    explicit CutGains(std::size_t n_places) : total_(n_places), of_output_(n_places), is_used_(n_places) {}

    // Adds a node's gains to those of its output: between two of its cells the node is divided as by the first of them.
    void add(const LevelList& list, std::span<const double> gains) {
        for (std::size_t k = 0; k < gains.size(); ++k) {
            if (gains[k] == none) continue;
            const std::size_t last = k + 1 < gains.size() ? list.level[k + 1] : of_output_.size();
            for (std::size_t place = list.level[k]; place < last; ++place) {
                of_output_[place] += gains[k];
                is_used_[place] = 1;
            }
        }
    }

    void end_output() {
        for (std::size_t place = 0; place < total_.size(); ++place) total_[place] += of_output_[place];
        std::ranges::fill(of_output_, 0.0);
    }

    // Cuts that divide no node are none.
    std::span<const double> total() {
        for (std::size_t place = 0; place < total_.size(); ++place) {
            if (is_used_[place] == 0) total_[place] = none;
        }
        return total_;
    }

 private:
    std::vector<double> total_, of_output_;
    std::vector<std::uint8_t> is_used_;
};

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

Candidate symmetric_candidate(const OpenLevel& open, std::size_t feature, const LevelCells& cells,
                              const BoostKernels& kernels) {
    const SymmetricOrder order(open, feature, cells);
    CutGains right(order.n_places()), left(order.any_missing() ? order.n_places() : 0);
    std::vector<double> gains;
    LevelList list;
    for (std::size_t output = 0; output < open.n_outputs(); ++output) {
        for (std::size_t at = 0; at < open.n_nodes(); ++at) {
            if (!open.is_allowed(at, feature)) continue;
            order.list(cells, at, output, list);
            const ScanTask task = task_in(open, output, at, feature, list);
            set_gains(list, false, task, kernels, gains);
            right.add(list, gains);
            if (!order.any_missing()) continue;
            if (list.missing.weight != 0) set_gains(list, true, task, kernels, gains);
            left.add(list, gains);
        }
        right.end_output();
        left.end_output();
    }
    Candidate found = no_candidate;
    take_best(right.total(), false, found);
    take_best(left.total(), true, found);
    return found;
}

std::vector<std::vector<NodeSplit>> symmetric_splits(const OpenLevel& open, std::size_t feature,
                                                     const Candidate& candidate, const LevelCells& cells,
                                                     const BoostKernels& kernels, std::uint32_t column) {
    const SymmetricOrder order(open, feature, cells);
    std::vector<std::vector<Candidate>> parts(open.n_outputs());
    std::vector<bool> is_divided(open.n_nodes());
    Candidate whole = candidate;
    LevelList list;
    std::vector<double> gains;
    for (std::size_t output = 0; output < open.n_outputs(); ++output) {
        for (std::size_t at = 0; at < open.n_nodes(); ++at) {
            order.list(cells, at, output, list);
            const ScanTask task = task_in(open, output, at, feature, list);
            parts[output].push_back(part_of(list, candidate, task, kernels, gains));
            if (output == order.output()) whole.left = plus(whole.left, parts[output].back().left);
            if (parts[output].back().gain != none && open.is_allowed(at, feature)) is_divided[at] = true;
        }
    }
    const NodeRules& rules = *open.rules[order.output()];
    const WholeLevel& level = order.level();
    const ScanTask of_level = rules.task_of(level.node, level.n_rows, feature);
    Split question;
    if (rules.features().is_wide(feature)) {
        LevelList all = list_of(level);
        put_in_order(all, of_level);
        question = make_wide_split(feature, column, rules.features().n_wide[feature], whole, all, of_level);
    } else {
        question = make_split(rules.features(), feature, whole, level.cells.data(), of_level);
    }
    std::vector<std::vector<NodeSplit>> splits(open.n_outputs());
    for (std::size_t output = 0; output < open.n_outputs(); ++output) {
        for (std::size_t at = 0; at < open.n_nodes(); ++at) {
            if (!is_divided[at]) continue;
            const Candidate& own = parts[output][at];
            question.gain = own.gain == none ? 0.0 : own.gain;
            question.left = own.left;
            splits[output].push_back({at, question});
        }
    }
    return splits;
}

}  // namespace glasswood::boosting

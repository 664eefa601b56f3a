#include "glasswood/explain/intervals/single_features.hpp"

#include <algorithm>

#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/intervals/leaf_moments.hpp"
#include "glasswood/explain/intervals/tree_means.hpp"

namespace glasswood::explain::intervals {
namespace {

constexpr std::size_t trees_of_a_task = 64;

// Sums the leaves of one tree for all its features at once. A leaf that asks for a feature counts in the own cells on
// its side, any other in all of them.
class TreeSums {
 public:
    TreeSums(const model::Ensemble& e, const Paths& paths, const TreeBreaks& own, Formula formula,
             std::span<const std::uint8_t> wanted)
        : e_(e),
          paths_(paths),
          own_(own),
          formula_(formula),
          wanted_(wanted),
          leaf_(e, paths),
          used_of_(e.n_features(), -1) {}

    void add(std::size_t tree, std::span<const std::int64_t> start, double* planes) {
        const std::size_t s = n_moments(e_);
        prepare(tree);
        for (std::int32_t leaf = paths_.tree_leaf[tree]; leaf < paths_.tree_leaf[tree + 1]; ++leaf) {
            if (paths_.reachable[leaf] != 0) add_leaf(leaf);
        }
        for (std::size_t i = 0; i < used_.size(); ++i) {
            const std::size_t n_cells = own_.of(used_[i]).size();
            double* plane = planes + start[used_[i]];
            const double* neither = neither_.data() + i * s;
            for (std::size_t cell = 0; cell < n_cells; ++cell) {
                double* sum = sums_.data() + (first_[i] + cell) * s;
                for (std::size_t q = 0; q < s; ++q) sum[q] += neither[q];
                describe(e_, formula_, tree, sum, n_cells, plane + cell);
            }
            for (std::size_t p = 0; p < n_planes(e_); ++p, plane += n_cells) {
                for (std::size_t cell = n_cells; cell-- > 1;) plane[cell] -= plane[cell - 1];
            }
        }
        for (const std::int64_t own : used_) used_of_[own_.feature(own)] = -1;
    }

 private:
    void prepare(std::size_t tree) {
        used_.clear();
        first_.clear();
        std::size_t n_cells = 0;
        for (std::int64_t own = own_.first(tree); own < own_.first(tree + 1); ++own) {
            if (wanted_[own_.feature(own)] == 0) continue;
            used_of_[own_.feature(own)] = static_cast<std::int32_t>(used_.size());
            used_.push_back(own);
            first_.push_back(n_cells);
            n_cells += own_.of(own).size();
        }
        sums_.assign(n_cells * n_moments(e_), 0.0);
        neither_.assign(used_.size() * n_moments(e_), 0.0);
        asked_.assign(used_.size(), 0);
    }

    void add_leaf(std::size_t leaf) {
        const std::size_t s = n_moments(e_);
        const bool shared = formula_ == Formula::shared;
        if (!shared) leaf_.set(leaf, paths_.weight[leaf]);
        for (std::int64_t side = paths_.start[leaf]; side < paths_.start[leaf + 1]; ++side) {
            const std::int32_t i = used_of_[paths_.feature[side]];
            if (i < 0) continue;
            asked_[i] = 1;
            if (shared) leaf_.set(leaf, paths_.weight[leaf] / std::max(1, paths_.n_regular[side]));
            double* sums = sums_.data() + first_[i] * s;
            for_each_cell(paths_.edges(side), own_.of(used_[i]),
                          [&](std::int32_t cell) { leaf_.add_to(sums + static_cast<std::size_t>(cell) * s); });
        }
        for (std::size_t i = 0; i < used_.size(); ++i) {
            if (asked_[i] == 0) {
                if (shared)
                    leaf_.set(leaf, paths_.weight[leaf] / std::max(1, paths_.axes.regular[own_.feature(used_[i])]));
                leaf_.add_to(neither_.data() + i * s);
            }
            asked_[i] = 0;
        }
    }

    const model::Ensemble& e_;
    const Paths& paths_;
    const TreeBreaks& own_;
    const Formula formula_;
    const std::span<const std::uint8_t> wanted_;
    LeafMoments leaf_;
    std::vector<std::int32_t> used_of_;  // (n_features) index in used_, -1 where the tree does not split it
    std::vector<std::int64_t> used_;     // own indices of the tree
    std::vector<std::size_t> first_;     // first cell of each in sums_
    std::vector<double> sums_, neither_;
    std::vector<std::uint8_t> asked_;
};

}  // namespace

SinglePlanes::SinglePlanes(const model::Ensemble& e, const Paths& paths, const TreeBreaks& own, Formula formula,
                           std::span<const std::int32_t> features, int n_threads)
    : start_(own.size() + 1, 0) {
    std::vector<std::uint8_t> wanted(e.n_features(), 0);
    for (const std::int32_t f : features) wanted[f] = 1;
    for (std::size_t at = 0; at < own.size(); ++at) {
        const std::size_t size = wanted[own.feature(at)] != 0 ? own.of(at).size() * n_planes(e) : 0;
        start_[at + 1] = start_[at] + static_cast<std::int64_t>(size);
    }
    planes_.resize(start_.back());
    const std::size_t n_tasks = (e.n_trees() + trees_of_a_task - 1) / trees_of_a_task;
    base::parallel_for(n_tasks, n_threads, base::work_of(paths.n_leaves() * (1 + features.size()), 20.0),
                       [&](std::size_t task) {
                           TreeSums sums(e, paths, own, formula, wanted);
                           const std::size_t last = std::min(e.n_trees(), (task + 1) * trees_of_a_task);
                           for (std::size_t tree = task * trees_of_a_task; tree < last; ++tree)
                               sums.add(tree, start_, planes_.data());
                       });
}

}  // namespace glasswood::explain::intervals

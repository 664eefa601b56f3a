#include "glasswood/explain/pair_records.hpp"

#include <algorithm>

#include "glasswood/base/parallel.hpp"

namespace glasswood::explain {
namespace {

constexpr std::size_t max_chunks = 16;

struct Run {
    std::int32_t begin, end;  // ranks
};

// A feature that a leaf asks for.
struct Asked {
    std::int32_t feature, compact, position;
    std::size_t first_run, n_runs;
};

// Walks over the leaves of some trees and, for each, over the pairs on its path.
class LeafPairs {
 public:
    LeafPairs(const Paths& paths, const LeafShares& shares, const PairLookup& lookup, std::span<const RowRanks> ranks)
        : paths_(paths), shares_(shares), lookup_(lookup), ranks_(ranks) {}

    // Calls visit(leaf, pair, one, two) with the pair's first and second feature.
    template <class Visit>
    void walk(std::int32_t first_leaf, std::int32_t last_leaf, Visit&& visit) {
        for (std::int32_t leaf = first_leaf; leaf < last_leaf; ++leaf) {
            prepare(leaf);
            for (std::size_t i = 0; i < asked_.size(); ++i) {
                const std::int32_t* pairs = lookup_.pair_of.data() + asked_[i].compact * lookup_.n_compact;
                for (std::size_t j = 0; j < asked_.size(); ++j) {
                    const std::int32_t pair = pairs[asked_[j].compact];
                    if (pair >= 0) visit(leaf, pair, asked_[i], asked_[j]);
                }
            }
        }
    }
    std::span<const Run> runs(const Asked& asked) const {
        return std::span(runs_).subspan(asked.first_run, asked.n_runs);
    }

 private:
    void prepare(std::int32_t leaf) {
        asked_.clear();
        runs_.clear();
        std::int32_t position = 0;
        for (std::int64_t side = paths_.start[leaf]; side < paths_.start[leaf + 1]; ++side) {
            const std::int32_t f = paths_.feature[side];
            if (shares_.role[f] != Role::free) continue;
            ++position;
            if (lookup_.compact[f] < 0) continue;
            const std::size_t first = runs_.size();
            const auto edges = paths_.edges(side);
            for (std::size_t e = 0; e < edges.size(); e += 2) {
                const std::int32_t end = e + 1 < edges.size() ? ranks_[f].below[edges[e + 1]] : ranks_[f].n;
                runs_.push_back({ranks_[f].below[edges[e]], end});
            }
            if (runs_.size() == first) runs_.push_back({0, 0});  // a side that accepts nothing
            asked_.push_back({f, lookup_.compact[f], position, first, runs_.size() - first});
        }
    }

    const Paths& paths_;
    const LeafShares& shares_;
    const PairLookup& lookup_;
    const std::span<const RowRanks> ranks_;
    std::vector<Asked> asked_;
    std::vector<Run> runs_;
};

}  // namespace

PairRecords::PairRecords(const model::Ensemble& e, const Paths& paths, const LeafShares& shares,
                         std::span<const std::int32_t> pairs, std::span<const RowRanks> ranks, std::size_t output,
                         int n_threads) {
    const PairLookup lookup(paths.axes.size.size(), pairs);
    const std::size_t n_pairs = pairs.size() / 2, n_trees = shares.last_tree - shares.first_tree;
    const std::size_t n_chunks = std::min(n_trees, max_chunks);
    const auto tree_of = [&](std::size_t chunk) { return shares.first_tree + chunk * n_trees / n_chunks; };
    const auto adds = [&](std::size_t tree) {
        const auto first = static_cast<std::size_t>(e.tree_output[tree]);
        return output >= first && output < first + e.width;
    };
    const base::Work work = base::work_of(paths.n_sides(), 20.0);
    start_.assign(n_chunks, std::vector<std::int64_t>(n_pairs, 0));
    base::parallel_for(n_chunks, n_threads, work, [&](std::size_t c) {
        LeafPairs leaves(paths, shares, lookup, ranks);
        std::vector<std::int64_t>& n = start_[c];
        for (std::size_t t = tree_of(c); t < tree_of(c + 1); ++t) {
            base::check_interrupt();
            if (!adds(t)) continue;
            leaves.walk(paths.tree_leaf[t], paths.tree_leaf[t + 1],
                        [&](std::int32_t, std::int32_t pair, const Asked& one, const Asked& two) {
                            n[pair] += static_cast<std::int64_t>(one.n_runs * two.n_runs);
                        });
        }
    });
    std::int64_t total = 0;
    for (std::size_t p = 0; p < n_pairs; ++p) {
        for (std::vector<std::int64_t>& n : start_) {
            const std::int64_t here = n[p];
            n[p] = total;
            total += here;
        }
    }
    end_ = start_;
    records_ = std::make_unique_for_overwrite<PairRecord[]>(static_cast<std::size_t>(total));
    base::parallel_for(n_chunks, n_threads, work, [&](std::size_t c) {
        LeafPairs leaves(paths, shares, lookup, ranks);
        std::vector<std::int64_t>& next = end_[c];
        for (std::size_t t = tree_of(c); t < tree_of(c + 1); ++t) {
            base::check_interrupt();
            if (!adds(t)) continue;
            const std::size_t k = output - static_cast<std::size_t>(e.tree_output[t]);
            leaves.walk(paths.tree_leaf[t], paths.tree_leaf[t + 1],
                        [&](std::int32_t leaf, std::int32_t pair, const Asked& one, const Asked& two) {
                            const double both = shares.two(leaf, one.position, two.position);
                            if (both == 0.0) return;  // the largest of the four
                            const double v = e.value[paths.leaf[leaf] * e.width + k];
                            // what depends on one side only is said with the first run of the other
                            double none = v * shares.none(leaf);
                            const double second = v * shares.one(leaf, two.position);
                            double first = v * shares.one(leaf, one.position);
                            for (const Run b : leaves.runs(two)) {
                                double column = second;
                                for (const Run a : leaves.runs(one)) {
                                    records_[next[pair]++] = {v * both, first, column,  none,
                                                              a.begin,  a.end, b.begin, b.end};
                                    column = none = 0.0;
                                }
                                first = 0.0;
                            }
                        });
        }
    });
}

}  // namespace glasswood::explain

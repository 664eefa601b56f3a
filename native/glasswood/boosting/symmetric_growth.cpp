// Symmetric trees: the part of Grower that asks one question per level.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/tree_grower.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t min_shared = 65536;  // rows of a node that threads share; smaller nodes go to one thread each
constexpr Candidate no_candidate{-std::numeric_limits<double>::infinity(), -1, false, {}};

}  // namespace

Candidate Grower::scan_symmetric(const Nodes& nodes, std::span<const std::size_t> open, std::size_t k,
                                 ColumnBundles::Spare* spare) const {
    const std::size_t feature = histograms_.feature(k), n_cells = rules_.features().n_cells(feature);
    std::vector<OpenCells> level;
    std::vector<std::int64_t> counts(rules_.counts_rows() ? open.size() * n_cells : 0);
    for (std::size_t i = 0; i < open.size(); ++i) {
        const GrownNode& node = nodes[open[i]];
        level.push_back({&node, node.n_rows(), histograms_.all_cells_of(k, node.cells.get(), node.sums, spare[i])});
        if (!rules_.counts_rows()) continue;
        const std::span own = std::span(counts).subspan(i * n_cells, n_cells);
        histograms_.count(std::span(rows_).subspan(node.begin, node.n_rows()), k, own);
        level.back().rows = own.data();
    }
    return symmetric_candidate(rules_, feature, level, *kernels_);
}

// The levels of a wide category in every open node.
std::vector<LevelList> Grower::lists_of(const Nodes& nodes, std::span<const std::size_t> open, std::size_t k,
                                        int n_threads) {
    std::vector<LevelList> lists;
    for (const std::size_t at : open) {
        const std::span rows = std::span(rows_).subspan(nodes[at].begin, nodes[at].n_rows());
        lists.push_back(wide_.list(histograms_.feature(k), rows, data_.stats, n_threads));
    }
    return lists;
}

Candidate Grower::scan_symmetric_wide(const Nodes& nodes, std::span<const std::size_t> open, std::size_t k,
                                      int n_threads) {
    const std::vector<LevelList> lists = lists_of(nodes, open, k, n_threads);
    std::vector<OpenCells> level;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const GrownNode& node = nodes[open[i]];
        level.push_back({.node = &node, .n_rows = node.n_rows(), .levels = &lists[i]});
    }
    return symmetric_candidate(rules_, histograms_.feature(k), level, *kernels_);
}

std::vector<Candidate> Grower::scan_level(const Nodes& nodes, std::span<const std::size_t> open, int n_threads) {
    std::vector<Candidate> found(histograms_.n_features(), no_candidate);
    const base::Work work = base::work_of(open.size() * histograms_.n_cells(), 4.0);
    const std::size_t n = histograms_.n_features();
    const auto threads = static_cast<std::size_t>(base::usable_threads(n_threads));
    const std::size_t n_parts = threads > 1 ? std::min(n, 4 * threads) : 1;
    base::parallel_for(n_parts, n_threads, work, [&](std::size_t part) {
        const auto spare = std::make_unique_for_overwrite<ColumnBundles::Spare[]>(open.size());
        for (std::size_t at = part * n / n_parts; at < (part + 1) * n / n_parts; ++at) {
            const std::size_t k = histograms_.stored(at);
            if (!rules_.features().is_wide(histograms_.feature(k)))
                found[k] = scan_symmetric(nodes, open, k, spare.get());
        }
    });
    for (const std::size_t k : wide_at_) found[k] = scan_symmetric_wide(nodes, open, k, n_threads);
    return found;
}

std::vector<NodeSplit> Grower::splits_of_level(const Nodes& nodes, std::span<const std::size_t> open, std::size_t k,
                                               const Candidate& candidate, int n_threads) {
    const std::size_t feature = histograms_.feature(k), n_cells = rules_.features().n_cells(feature);
    const bool is_wide = rules_.features().is_wide(feature);
    const std::vector<LevelList> lists = is_wide ? lists_of(nodes, open, k, n_threads) : std::vector<LevelList>{};
    const auto spare = std::make_unique_for_overwrite<ColumnBundles::Spare[]>(open.size());
    std::vector<std::int64_t> counts(rules_.counts_rows() ? open.size() * n_cells : 0);
    std::vector<OpenCells> level;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const GrownNode& node = nodes[open[i]];
        OpenCells own{.node = &node, .n_rows = node.n_rows()};
        if (is_wide) {
            own.levels = &lists[i];
        } else {
            own.cells = histograms_.all_cells_of(k, node.cells.get(), node.sums, spare[i]);
        }
        if (!counts.empty() && !is_wide) {
            const std::span rows = std::span(counts).subspan(i * n_cells, n_cells);
            histograms_.count(std::span(rows_).subspan(node.begin, node.n_rows()), k, rows);
            own.rows = rows.data();
        }
        level.push_back(own);
    }
    return symmetric_splits(rules_, feature, candidate, level, *kernels_, is_wide ? wide_.place(feature) : 0);
}

// Histograms of children that may be split; `cells` is that of their parent and becomes the larger child's.
void Grower::give_cells(GrownNode& small, GrownNode& large, Histograms::Cells cells, int n_threads) {
    const bool of_small = may_split(small), of_large = may_split(large);
    if (!of_small && !of_large) return histograms_.give(std::move(cells));
    Histograms::Cells own = histograms_.take();
    histograms_.fill(std::span(rows_).subspan(small.begin, small.n_rows()), own.get(), n_threads,
                     [](std::size_t, std::size_t) {});
    if (of_large) {
        kernels_->subtract(cells.get(), own.get(), histograms_.n_cells());
        large.cells = std::move(cells);
    } else {
        histograms_.give(std::move(cells));
    }
    if (of_small) {
        small.cells = std::move(own);
    } else {
        histograms_.give(std::move(own));
    }
}

void Grower::grow_by_level(Nodes& nodes, int n_threads) {
    std::vector<std::size_t> open;  // nodes with a histogram, ascending
    if (nodes.front().cells) open.push_back(0);
    for (std::uint32_t level = 0; level < rules_.options().max_depth && !open.empty(); ++level) {
        interrupt_->check();
        const std::vector<Candidate> found = scan_level(nodes, open, n_threads);
        const std::ptrdiff_t best = best_of(found, rules_.options().min_gain);
        if (best < 0) return;
        const auto splits = splits_of_level(nodes, open, static_cast<std::size_t>(best), found[best], n_threads);
        std::vector<Children> children(splits.size());
        const auto divide = [&](std::size_t i, int threads) {
            GrownNode& node = nodes[open[splits[i].at]];
            node.split = splits[i].split;
            children[i] = rules_.children_of(node, send_rows(node, threads));
            auto& [left, right] = children[i];
            const bool left_smaller = left.n_rows() <= right.n_rows();
            give_cells(left_smaller ? left : right, left_smaller ? right : left, std::move(node.cells), threads);
        };
        std::vector<std::size_t> small;
        std::size_t n_values = 0;
        for (std::size_t i = 0; i < splits.size(); ++i) {
            const std::size_t n = nodes[open[splits[i].at]].n_rows();
            if (n > min_shared) {
                divide(i, n_threads);
            } else {
                small.push_back(i);
                n_values += n / 2 * histograms_.n_columns() + histograms_.n_cells();
            }
        }
        base::parallel_for(small.size(), n_threads, base::work_of(n_values, 1.0),
                           [&](std::size_t i) { divide(small[i], 1); });
        std::vector<bool> is_split(open.size());
        for (const NodeSplit& own : splits) is_split[own.at] = true;
        std::vector<std::size_t> next;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (!is_split[i]) next.push_back(open[i]);  // it waits for the next question
        }
        for (std::size_t i = 0; i < splits.size(); ++i) {
            GrownNode& node = nodes[open[splits[i].at]];
            node.left = static_cast<std::int32_t>(nodes.size());
            node.right = node.left + 1;
            for (GrownNode* child : {&children[i].left, &children[i].right}) {
                if (child->cells) next.push_back(nodes.size());
                nodes.push_back(std::move(*child));
            }
        }
        open = std::move(next);
    }
}

}  // namespace glasswood::boosting

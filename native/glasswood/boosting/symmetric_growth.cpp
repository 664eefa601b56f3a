// Symmetric trees: the part of Grower that asks one question per level.
#include <algorithm>
#include <memory>
#include <utility>

#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/tree_grower.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t min_shared = 65536;  // rows of a node that threads share; smaller nodes go to one thread each

}  // namespace

// The k-th feature in every open node.
LevelCells Grower::cells_of_level(const OpenLevel& open, std::size_t k, ColumnBundles::Spare* spare, int n_threads) {
    const std::size_t feature = histograms_.feature(k), n_cells = rules_.features().n_cells(feature);
    LevelCells level;
    std::vector<std::int64_t> counts(rules_.counts_rows() ? n_cells : 0);
    for (std::size_t at = 0; at < open.n_nodes(); ++at) {
        const GrownNode& node = *open.nodes.front()[at];
        const std::span rows = std::span(rows_).subspan(node.begin, node.n_rows());
        if (rules_.features().is_wide(feature)) {
            level.add(wide_.list(feature, rows, data_.stats, n_threads));
            continue;
        }
        if (rules_.counts_rows()) histograms_.count(rows, k, counts);
        const Sums* cells = histograms_.all_cells_of(k, node.cells.get(), node.sums, spare[at]);
        level.add({&cells, 1}, n_cells, counts);
    }
    return level;
}

std::vector<Candidate> Grower::scan_level(const OpenLevel& open, int n_threads) {
    std::vector<Candidate> found(histograms_.n_features(), no_candidate);
    const base::Work work = base::work_of(open.n_nodes() * histograms_.n_cells(), 4.0);
    const std::size_t n = histograms_.n_features();
    const auto threads = static_cast<std::size_t>(base::usable_threads(n_threads));
    const std::size_t n_parts = threads > 1 ? std::min(n, 4 * threads) : 1;
    const auto scan = [&](std::size_t k, ColumnBundles::Spare* spare, int own_threads) {
        const LevelCells cells = cells_of_level(open, k, spare, own_threads);
        found[k] = symmetric_candidate(open, histograms_.feature(k), cells, *kernels_);
    };
    base::parallel_for(n_parts, n_threads, work, [&](std::size_t part) {
        const auto spare = std::make_unique_for_overwrite<ColumnBundles::Spare[]>(open.n_nodes());
        for (std::size_t at = part * n / n_parts; at < (part + 1) * n / n_parts; ++at) {
            const std::size_t k = histograms_.stored(at);
            if (!rules_.features().is_wide(histograms_.feature(k))) scan(k, spare.get(), 1);
        }
    });
    for (const std::size_t k : wide_at_) scan(k, nullptr, n_threads);
    return found;
}

std::vector<NodeSplit> Grower::splits_of_level(const OpenLevel& open, std::size_t k, const Candidate& candidate,
                                               int n_threads) {
    const std::size_t feature = histograms_.feature(k);
    const auto spare = std::make_unique_for_overwrite<ColumnBundles::Spare[]>(open.n_nodes());
    const LevelCells cells = cells_of_level(open, k, spare.get(), n_threads);
    const std::uint32_t column = rules_.features().is_wide(feature) ? wide_.place(feature) : 0;
    return std::move(symmetric_splits(open, feature, candidate, cells, *kernels_, column).front());
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
        OpenLevel all{{&rules_}, {{}}, {}};
        for (const std::size_t at : open) {
            all.nodes.front().push_back(&nodes[at]);
            all.n_rows.push_back(nodes[at].n_rows());
        }
        const std::vector<Candidate> found = scan_level(all, n_threads);
        const std::ptrdiff_t best = best_of(found, rules_.options().min_gain);
        if (best < 0) return;
        const auto splits = splits_of_level(all, static_cast<std::size_t>(best), found[best], n_threads);
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

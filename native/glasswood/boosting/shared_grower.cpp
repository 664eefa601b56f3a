#include "glasswood/boosting/shared_grower.hpp"

#include <algorithm>
#include <utility>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/bundle_route.hpp"

namespace glasswood::boosting {

SharedGrower::SharedGrower(const Grower& like, std::size_t n_outputs)
    : bins_(like.bins()),
      bundles_(like.bundles()),
      wide_(like.wide(), like.rules().features().n_wide),
      rules_(n_outputs, like.rules()),
      stats_(n_outputs) {}

std::vector<std::deque<GrownNode>> SharedGrower::grow(std::span<const TreeRows> outputs,
                                                      std::span<const std::uint32_t> columns, int n_threads,
                                                      const base::Interrupt& interrupt) {
    const BoostKernels& kernels = boost_kernels(base::cpu_level());
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        stats_[k] = outputs[k].stats;
        rules_[k].begin(stats_[k].unit);
    }
    start(outputs.front().rows, n_threads);
    std::vector<std::size_t> open;  // places of nodes, ascending, the same in all trees
    if (may_split(nodes_.front().front())) open.push_back(0);
    const GrowOptions& options = rules_.front().options();
    for (std::uint32_t level = 0; level < options.max_depth && !open.empty() && !columns.empty(); ++level) {
        interrupt.check();
        const OpenLevel all = open_level(open);
        std::vector<Candidate> found(columns.size());
        const base::Work work = base::work_of(rows_.size() * columns.size() * outputs.size(), 2.0);
        base::parallel_for(columns.size(), n_threads, work, [&](std::size_t k) {
            found[k] = symmetric_candidate(all, columns[k], cells_of(all, columns[k]), kernels);
        });
        const std::ptrdiff_t best = best_of(found, options.min_gain);
        if (best < 0) break;
        const std::uint32_t feature = columns[static_cast<std::size_t>(best)];
        const bool is_wide = rules_.front().features().is_wide(feature);
        divide(open,
               symmetric_splits(all, feature, found[best], cells_of(all, feature), kernels,
                                is_wide ? wide_.place(feature) : 0),
               n_threads);
        open.clear();
        const Nodes& nodes = nodes_.front();
        for (std::size_t at = 0; at < nodes.size(); ++at) {
            if (nodes[at].is_leaf() && may_split(nodes[at])) open.push_back(at);
        }
        if (level + 1 < options.max_depth) gather_sums(n_threads);
    }
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        for (GrownNode& node : nodes_[k]) rules_[k].set_value(node);
    }
    return std::exchange(nodes_, {});
}

void SharedGrower::start(std::span<const std::uint32_t> rows, int n_threads) {
    rows_.assign(rows.begin(), rows.end());
    spare_.resize(2 * rows_.size());
    gather_sums(n_threads);
    nodes_.clear();
    for (std::size_t k = 0; k < n_outputs(); ++k) {
        GrownNode root = rules_[k].root(rows_.size());
        for (const std::uint32_t row : rows_) root.sums = plus(root.sums, stats_[k].wide[row]);
        nodes_.emplace_back();
        nodes_.back().push_back(std::move(root));
    }
}

// The sums of a row's outputs side by side, and rows of a node one after the other: features add them up again and
// again.
void SharedGrower::gather_sums(int n_threads) {
    sums_.resize(rows_.size() * n_outputs());
    constexpr std::size_t block = 1024;
    base::parallel_for((rows_.size() + block - 1) / block, n_threads, base::work_of(sums_.size(), 1.0),
                       [&](std::size_t part) {
                           const std::size_t last = std::min(rows_.size(), (part + 1) * block);
                           for (std::size_t i = part * block; i < last; ++i) {
                               Sums* to = sums_.data() + i * n_outputs();
                               for (const RowStats& stats : stats_) *to++ = stats.wide[rows_[i]];
                           }
                       });
}

OpenLevel SharedGrower::open_level(std::span<const std::size_t> open) const {
    OpenLevel level;
    for (std::size_t k = 0; k < n_outputs(); ++k) {
        level.rules.push_back(&rules_[k]);
        level.nodes.emplace_back();
        for (const std::size_t at : open) level.nodes.back().push_back(&nodes_[k][at]);
    }
    for (const std::size_t at : open) level.n_rows.push_back(nodes_.front()[at].n_rows());
    return level;
}

// No node has more cells than rows.
LevelCells SharedGrower::room_for(const OpenLevel& open, std::size_t n_cells) const {
    LevelCells cells(n_outputs());
    std::size_t n = 0;
    for (const std::size_t n_rows : open.n_rows) n += std::min(n_rows, n_cells);
    cells.reserve(n);
    return cells;
}

LevelCells SharedGrower::cells_of(const OpenLevel& open, std::size_t feature) {
    const BinnedFeatures& features = rules_.front().features();
    if (features.is_wide(feature)) {
        LevelCells cells = room_for(open, features.n_wide[feature]);
        for (const GrownNode* node : open.nodes.front()) {
            for (std::size_t k = 0; k < n_outputs(); ++k) {
                cells.add(wide_.list(feature, rows_of(*node), stats_[k], 1), k);
            }
        }
        return cells;
    }
    if (bins_.columns == nullptr) {
        return cells_by(open, features.n_cells(feature),
                        [&](std::span<const std::uint32_t> rows, std::vector<std::uint8_t>& out) {
                            bundles_->set_bins(feature, rows, out);
                        });
    }
    const std::uint8_t* column = bins_.columns + feature * bins_.n_rows;
    return cells_by(open, features.n_cells(feature),
                    [column](std::span<const std::uint32_t> rows, std::vector<std::uint8_t>& out) {
                        out.resize(rows.size());
                        for (std::size_t i = 0; i < rows.size(); ++i) out[i] = column[rows[i]];
                    });
}

template <class SetBins>
LevelCells SharedGrower::cells_by(const OpenLevel& open, std::size_t n_cells, const SetBins& set_bins) const {
    const std::size_t n = n_outputs();
    LevelCells cells = room_for(open, n_cells - 1);
    std::vector<Sums> sums(n_cells * n);
    std::vector<std::uint32_t> n_rows(n_cells), met;
    std::vector<std::uint8_t> bins;
    for (const GrownNode* node : open.nodes.front()) {
        const Sums* of_row = sums_.data() + node->begin * n;
        set_bins(rows_of(*node), bins);
        for (const std::uint8_t bin : bins) {
            if (n_rows[bin]++ == 0) met.push_back(bin);
            Sums* to = sums.data() + bin * n;
            for (std::size_t k = 0; k < n; ++k) to[k] = plus(to[k], *of_row++);
        }
        cells.add(met, sums, n_rows);
        for (const std::uint32_t bin : met) {
            n_rows[bin] = 0;
            std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(bin * n), n, Sums{});
        }
        met.clear();
    }
    return cells;
}

// Sends the rows of every divided node left and right, and gives it children in every tree.
void SharedGrower::divide(std::span<const std::size_t> open, std::span<const std::vector<NodeSplit>> splits,
                          int n_threads) {
    const std::vector<NodeSplit>& any = splits.front();
    std::vector<std::size_t> n_left(any.size());
    base::parallel_for(any.size(), n_threads, base::work_of(rows_.size(), 2.0), [&](std::size_t i) {
        const GrownNode& node = nodes_.front()[open[any[i].at]];
        n_left[i] = send_rows(any[i].split, bins_, *bundles_, wide_.columns(),
                              std::span(rows_).subspan(node.begin, node.n_rows()),
                              std::span(spare_).subspan(2 * node.begin, 2 * node.n_rows()), 1);
    });
    for (std::size_t k = 0; k < n_outputs(); ++k) {
        for (std::size_t i = 0; i < any.size(); ++i) {
            GrownNode& node = nodes_[k][open[any[i].at]];
            node.split = splits[k][i].split;
            auto [left, right] = rules_[k].children_of(node, n_left[i]);
            node.left = static_cast<std::int32_t>(nodes_[k].size());
            node.right = node.left + 1;
            nodes_[k].push_back(std::move(left));
            nodes_[k].push_back(std::move(right));
        }
    }
}

}  // namespace glasswood::boosting

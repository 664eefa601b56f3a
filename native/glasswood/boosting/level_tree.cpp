#include "glasswood/boosting/level_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/bundle_route.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t n_fields = 4;       // of sums
constexpr std::size_t n_pair_fields = 2;  // of pairs
constexpr std::size_t n_leaf_fields = 3;  // grad, hess, weight

// Assigns consecutive features to the ranks, with about equal numbers of cells; returns each rank's first feature.
std::vector<std::size_t> assign_features(std::span<const std::uint32_t> n_cells, std::size_t n_ranks) {
    const std::size_t all = std::accumulate(n_cells.begin(), n_cells.end(), std::size_t{0});
    std::vector<std::size_t> first{0};
    std::size_t k = 0, dealt = 0;
    for (std::size_t rank = 1; rank <= n_ranks; ++rank) {
        while (k < n_cells.size() && dealt + n_cells[k] / 2 < rank * all / n_ranks) dealt += n_cells[k++];
        first.push_back(rank == n_ranks ? n_cells.size() : k);
    }
    return first;
}

}  // namespace

LevelTree::LevelTree(const BinnedRows& bins, const WideColumns& wide, NodeRules rules, std::size_t rank,
                     std::size_t n_ranks)
    : bins_(bins),
      rules_(std::move(rules)),
      rank_(rank),
      n_ranks_(n_ranks),
      histograms_(bins, std::make_shared<const ColumnBundles>(bins, rules_.features().n_bins)),
      wide_(wide, rules_.features().n_wide) {}

void LevelTree::begin(const TreeRows& data, std::span<const std::uint32_t> columns) {
    data_ = data;
    rules_.begin(data.stats.unit);
    kernels_ = &boost_kernels(base::cpu_level());
    rows_.assign(data.rows.begin(), data.rows.end());
    spare_.resize(2 * rows_.size());
    std::vector<std::uint32_t> cells = cells_of(rules_.features(), columns);
    wide_at_.clear();
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (!rules_.features().is_wide(columns[k])) continue;
        wide_at_.push_back(k);
        cells[k] = rules_.features().n_wide[columns[k]];  // as many as its lists may have
    }
    histograms_.begin(data.stats, columns);
    first_column_ = assign_features(cells, n_ranks_);
    candidacies_.clear();
    waiting_.clear();
    families_.clear();
    n_levels_ = 0;
    n_fields_ = are_pairs() ? n_pair_fields : n_fields;
    if (n_cells(rank_) * n_fields_ > pool_numbers_) {
        pool_.clear();
        pool_numbers_ = n_cells(rank_) * n_fields_;
    }
    nodes_.clear();
    nodes_.push_back(rules_.root(rows_.size()));
    n_rows_.assign(1, 0);
    families_.push_back({.light = 0, .heavy = 0});
    stage_ = columns.empty() ? Stage::finish : Stage::fill;
}

std::span<const std::uint32_t> LevelTree::rows_of(const GrownNode& node) const {
    return std::span(rows_).subspan(node.begin, node.n_rows());
}

std::size_t LevelTree::n_cells(std::size_t rank) const {
    return histograms_.first_cell(first_column_[rank + 1]) - histograms_.first_cell(first_column_[rank]);
}

std::size_t LevelTree::n_head() const {
    if (families_.empty()) return 1;  // a block is never empty, though only waiting nodes are open
    return families_.front().is_root() ? 1 + n_fields : n_head_of_family() * families_.size();
}

std::vector<std::size_t> LevelTree::segments() const {
    std::vector<std::size_t> sizes;
    for (std::size_t rank = 0; rank < n_ranks_; ++rank) {
        sizes.push_back(n_head() + families_.size() * n_cells(rank) * n_per_cell());
    }
    return sizes;
}

void LevelTree::fill(std::span<std::int64_t> out, int n_threads) {
    stage_ = Stage::begin;  // until all went well
    std::vector<std::size_t> starts{0};
    for (const std::size_t size : segments()) starts.push_back(starts.back() + size);
    std::vector<std::int64_t> head;
    for (const Family& family : families_) {
        head.push_back(static_cast<std::int64_t>(nodes_[family.light].n_rows()));
        if (family.is_root()) continue;
        head.push_back(static_cast<std::int64_t>(nodes_[family.heavy].n_rows()));
        if (are_pairs()) head.push_back(square_of_rows(rows_of(nodes_[family.light])));
    }
    head.resize(n_head());  // the sums of the root follow with its histogram
    for (std::size_t rank = 0; rank < n_ranks_; ++rank) std::ranges::copy(head, out.begin() + starts[rank]);
    std::vector<std::size_t> small;
    std::size_t n_values = 0;
    for (std::size_t at = 0; at < families_.size(); ++at) {
        const std::size_t n = nodes_[families_[at].light].n_rows();
        if (n > min_shared()) {
            fill_family(at, starts, out, n_threads);
        } else {
            small.push_back(at);
            n_values += n * histograms_.n_features() + histograms_.first_cell(histograms_.n_features());
        }
    }
    base::parallel_for(small.size(), n_threads, base::work_of(n_values, 1.0),
                       [&](std::size_t i) { fill_family(small[i], starts, out, 1); });
    stage_ = Stage::scan;
}

void LevelTree::fill_family(std::size_t at, std::span<const std::size_t> starts, std::span<std::int64_t> out,
                            int n_threads) {
    const Family& family = families_[at];
    const std::span rows = rows_of(nodes_[family.light]);
    Histograms::Cells cells = histograms_.take();
    if (are_pairs()) {
        histograms_.fill(rows, reinterpret_cast<Pair*>(cells.get()), n_threads);
    } else {
        histograms_.fill(rows, cells.get(), n_threads, [](std::size_t, std::size_t) {});
    }
    const auto* numbers = reinterpret_cast<const std::byte*>(cells.get());
    const std::size_t cell_bytes = n_fields_ * sizeof(std::int64_t);
    const Sums root = family.is_root() ? sums_of_rows(rows, cells.get()) : Sums{};
    for (std::size_t rank = 0; rank < n_ranks_; ++rank) {
        const std::size_t n = n_cells(rank), first = histograms_.first_cell(first_column_[rank]);
        if (family.is_root()) std::memcpy(out.data() + starts[rank] + 1, &root, sizeof root);
        std::int64_t* to = out.data() + starts[rank] + n_head() + at * n * n_per_cell();
        if (n > 0) std::memcpy(to, numbers + first * cell_bytes, n * cell_bytes);
        to += n * n_fields_;
        for (std::size_t k = first_column_[rank]; rules_.counts_rows() && k < first_column_[rank + 1]; ++k) {
            const std::size_t start = histograms_.first_cell(k), n_own = histograms_.first_cell(k + 1) - start;
            histograms_.count(rows, k, {to + (start - first), n_own});
        }
    }
    histograms_.give(std::move(cells));
}

// Every row is in one bin of each feature, so the bins of any feature add up to the node.
Sums LevelTree::sums_of_rows(std::span<const std::uint32_t> rows, const Sums* cells) const {
    Sums all{};
    if (are_pairs()) {
        const auto* pairs = reinterpret_cast<const Pair*>(cells);
        Pair sum{};
        for (std::size_t i = 0; i < histograms_.first_cell(1); ++i) sum = plus(sum, pairs[i]);
        return {sum.grad, square_of_rows(rows), sum.weight, sum.weight};
    }
    for (std::size_t i = 0; i < histograms_.first_cell(1); ++i) all = plus(all, cells[i]);
    return all;
}

std::int64_t LevelTree::square_of_rows(std::span<const std::uint32_t> rows) const {
    std::int64_t sum = 0;
    for (const std::uint32_t row : rows) sum += data_.stats.square[row];
    return sum;
}

LevelTree::Cells LevelTree::take() {
    if (pool_.empty()) return base::make_pages<std::int64_t>(std::max<std::size_t>(pool_numbers_, 1));
    Cells cells = std::move(pool_.back());
    pool_.pop_back();
    return cells;
}

void LevelTree::give(Cells cells) {
    if (cells) pool_.push_back(std::move(cells));
}

std::string LevelTree::fault_of(std::span<const SentSplit> records) const {
    std::vector<bool> is_open(nodes_.size()), is_used(rules_.features().n_bins.size());
    for (const Candidacy& candidacy : candidacies_) {
        is_open[candidacy.node] = rules_.may_split(nodes_[candidacy.node], n_rows_[candidacy.node]);
    }
    for (std::size_t k = 0; k < histograms_.n_features(); ++k) is_used[histograms_.feature(k)] = true;
    for (const SplitRecord& record : records) {
        if (record.version != split_record_version) {
            return "a split record of version " + std::to_string(record.version) + ", expected " +
                   std::to_string(split_record_version);
        }
        if (record.node >= is_open.size() || !is_open[record.node]) {
            return "a split record of node " + std::to_string(record.node) + ", which is not open";
        }
        if (record.feature >= is_used.size() || !is_used[record.feature]) {
            return "a split record of feature " + std::to_string(record.feature) + ", which this tree does not use";
        }
        const bool flags = record.missing_left <= 1 && record.unseen_left <= 1 && record.unused == 0;
        const BinnedFeatures& features = rules_.features();
        const bool wide = features.is_wide(record.feature);
        const bool bin = record.bin >= 0 && record.bin < (wide ? features.n_wide : features.n_bins)[record.feature];
        // the question of the level may gain less in one node than it gains in all
        const bool gain = is_symmetric() ? std::isfinite(record.gain) : record.gain > rules_.options().min_gain;
        if (!flags || !bin || !gain) return "a split record that is damaged";
    }
    return "";
}

std::size_t LevelTree::choose(std::span<const SentSplit> all, int n_threads) {
    if (is_best_first()) return split_best(choose_each(all), n_threads);
    if (!is_symmetric()) return split_nodes(choose_each(all), n_threads);
    LevelTree* const self = this;
    return split_nodes(choose_symmetric({&self, 1}, {&all, 1}).front(), n_threads);
}

std::size_t LevelTree::split_nodes(const Chosen& chosen, int n_threads) {
    stage_ = Stage::begin;  // until all went well
    ++n_levels_;
    std::vector<std::size_t> split;  // candidacies
    for (std::size_t at = 0; at < candidacies_.size(); ++at) {
        Candidacy& candidacy = candidacies_[at];
        if (chosen[candidacy.node] == nullptr) {
            if (is_symmetric() && candidacy.cells) {
                waiting_.push_back(std::move(candidacy));
            } else {
                give(std::move(candidacy.cells));
            }
        } else if (split.empty() || candidacies_[split.back()].node != candidacy.node) {
            const SentSplit& own = *chosen[candidacy.node];
            nodes_[candidacy.node].split = boosting::split_of(own, wide_.place(own.feature));
            split.push_back(at);
        }
    }
    divide(split, n_threads);
    candidacies_.clear();
    const bool ends = split.empty() || n_levels_ >= rules_.options().max_depth;
    const std::size_t n_open = ends ? 0 : families_.size() + waiting_.size();
    stage_ = n_open == 0 ? Stage::finish : Stage::fill;
    return n_open;
}

// Best first: the node that gains most is split, the older one among equals. The others wait for their turn; what they
// gain does not change. It goes on with the next where no child may be split. Those of the last split are leaves.
std::size_t LevelTree::split_best(const Chosen& chosen, int n_threads) {
    stage_ = Stage::begin;  // until all went well
    for (Candidacy& candidacy : candidacies_) {
        const SentSplit* own = chosen[candidacy.node];
        if (own == nullptr || !candidacy.cells) {
            give(std::move(candidacy.cells));
            continue;
        }
        nodes_[candidacy.node].split = boosting::split_of(*own, wide_.place(own->feature));
        candidacy.levels.clear();
        waiting_.push_back(std::move(candidacy));
    }
    const auto gain = [&](const Candidacy& candidacy) { return nodes_[candidacy.node].split.gain; };
    while (families_.empty() && !waiting_.empty() && !is_full()) {
        const auto best = std::ranges::max_element(waiting_, {}, gain);  // they stand in the order of their age
        candidacies_.clear();
        candidacies_.push_back(std::move(*best));
        waiting_.erase(best);
        divide(std::array{std::size_t{0}}, n_threads);
    }
    candidacies_.clear();
    stage_ = families_.empty() ? Stage::finish : Stage::fill;
    return families_.size();
}

// Gives the nodes of these candidacies, which have chosen their splits, children.
void LevelTree::divide(std::span<const std::size_t> split, int n_threads) {
    const std::vector<std::size_t> n_left = send_rows(split, n_threads);
    for (std::size_t i = 0; i < split.size(); ++i) {
        Candidacy& candidacy = candidacies_[split[i]];
        GrownNode& node = nodes_[candidacy.node];
        Children children = rules_.children_of(node, n_left[i]);
        const auto left = nodes_.size();
        const bool any = n_levels_ < rules_.options().max_depth &&
                         (rules_.has_weight_to_split(children.left) || rules_.has_weight_to_split(children.right));
        const bool left_light = 2 * node.split.left.weight <= node.sums.weight;
        node.left = static_cast<std::int32_t>(left);
        node.right = node.left + 1;
        nodes_.push_back(std::move(children.left));
        nodes_.push_back(std::move(children.right));
        if (any && !is_full()) {
            families_.push_back({left_light ? left : left + 1, left_light ? left + 1 : left, std::move(candidacy.cells),
                                 std::move(candidacy.counts)});
        } else {
            give(std::move(candidacy.cells));
        }
    }
    n_rows_.resize(nodes_.size());
}

// Rows of a node that threads share; smaller nodes go to one thread each.
std::size_t LevelTree::min_shared() const { return is_best_first() ? 12288 : 65536; }

// The rows of each node to be split; how many go left.
std::vector<std::size_t> LevelTree::send_rows(std::span<const std::size_t> split, int n_threads) {
    std::vector<std::size_t> n_left(split.size()), small;
    std::size_t n_rows = 0;
    const auto send = [&](std::size_t i, int threads) {
        const GrownNode& node = nodes_[candidacies_[split[i]].node];
        n_left[i] = boosting::send_rows(node.split, bins_, *histograms_.bundles(), wide_.columns(),
                                        std::span(rows_).subspan(node.begin, node.n_rows()),
                                        std::span(spare_).subspan(2 * node.begin, 2 * node.n_rows()), threads);
    };
    for (std::size_t i = 0; i < split.size(); ++i) {
        const std::size_t n = nodes_[candidacies_[split[i]].node].n_rows();
        if (n > min_shared()) {
            send(i, n_threads);
        } else {
            small.push_back(i);
            n_rows += n;
        }
    }
    base::parallel_for(small.size(), n_threads, base::work_of(n_rows, 1.5), [&](std::size_t i) { send(small[i], 1); });
    return n_left;
}

std::size_t LevelTree::n_leaf_sums() const {
    const auto is_leaf = [](const GrownNode& node) { return node.is_leaf(); };
    return is_quantised() ? n_leaf_fields * std::ranges::count_if(nodes_, is_leaf) : 0;
}

std::vector<std::int64_t> LevelTree::leaf_sums(int n_threads) const {
    if (!is_quantised()) return {};
    const NodeSums unit = leaf_units(rules_.unit(), data_.n_table);
    std::vector<const GrownNode*> leaves;
    for (const GrownNode& node : nodes_) {
        if (node.is_leaf()) leaves.push_back(&node);
    }
    std::vector<std::int64_t> sums(n_leaf_fields * leaves.size());
    base::parallel_for(leaves.size(), n_threads, base::work_of(rows_.size(), 4.0), [&](std::size_t i) {
        const Sums own = sums_of(data_, rows_of(*leaves[i]), unit);
        sums[n_leaf_fields * i] = own.grad;
        sums[n_leaf_fields * i + 1] = own.hess;
        sums[n_leaf_fields * i + 2] = own.weight;
    });
    return sums;
}

std::deque<GrownNode> LevelTree::finish(std::span<const std::int64_t> leaf_sums) {
    stage_ = Stage::begin;
    for (Candidacy& candidacy : waiting_) give(std::move(candidacy.cells));
    waiting_.clear();
    if (!is_quantised()) {
        for (GrownNode& node : nodes_) rules_.set_value(node);
        return std::exchange(nodes_, {});
    }
    const NodeSums unit = leaf_units(rules_.unit(), data_.n_table);
    std::size_t at = 0;
    for (GrownNode& node : nodes_) {
        if (!node.is_leaf()) continue;
        rules_.set_value(node, {leaf_sums[at], 0, leaf_sums[at + 1], leaf_sums[at + 2]}, unit);
        at += n_leaf_fields;
    }
    add_weights_of_leaves(nodes_);
    return std::exchange(nodes_, {});
}

}  // namespace glasswood::boosting

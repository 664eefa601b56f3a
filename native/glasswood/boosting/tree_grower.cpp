#include "glasswood/boosting/tree_grower.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/bundle_route.hpp"
#include "glasswood/boosting/frontier.hpp"

namespace glasswood::boosting {
namespace {

constexpr double least_tree = 5e5;         // ns: smaller trees lose more by moving between caches than they gain
constexpr std::size_t min_shared = 65536;  // rows of a node that threads share
constexpr std::size_t min_shared_best_first = 12288;
constexpr std::size_t per_wide = 8;  // a wide category costs about as much as so many other columns

}  // namespace

Grower::Grower(const BinnedRows& bins, const WideColumns& wide, NodeRules rules, bool bundles, std::size_t least_rows)
    : bins_(bins),
      rules_(std::move(rules)),
      histograms_(bins, std::make_shared<const ColumnBundles>(
                            bundles ? ColumnBundles::find(bins, rules_.features().n_bins, least_rows)
                                    : ColumnBundles(bins, rules_.features().n_bins))),
      wide_(wide, rules_.features().n_wide) {}

Grower::Grower(std::shared_ptr<const ColumnBundles> bundles, const WideColumns& wide, NodeRules rules)
    : bins_{nullptr, bundles->rows().n_rows, rules.features().n_bins.size(), 0, nullptr},
      rules_(std::move(rules)),
      histograms_(bins_, std::move(bundles)),
      wide_(wide, rules_.features().n_wide) {}

Grower::Grower(const Grower* twin)
    : bins_(twin->bins_),
      rules_(twin->rules_),
      histograms_(twin->bins_, twin->histograms_.bundles()),
      wide_(twin->wide_.columns(), rules_.features().n_wide) {}

std::deque<GrownNode> Grower::grow(const TreeRows& data, std::span<const std::uint32_t> columns, int n_threads,
                                   const base::Interrupt& interrupt) {
    kernels_ = &boost_kernels(base::cpu_level());
    interrupt_ = &interrupt;
    data_ = data;
    rules_.begin(data.stats.unit);
    rows_.assign(data.rows.begin(), data.rows.end());
    spare_.resize(2 * rows_.size());
    if (histograms_.begin(data.stats, columns)) batches_.lay_out(histograms_, rules_);
    wide_at_.clear();
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (rules_.features().is_wide(columns[k])) wide_at_.push_back(k);
    }
    Nodes nodes;
    nodes.push_back(make_root(n_threads));
    if (rules_.options().is_symmetric) {
        grow_by_level(nodes, n_threads);
    } else {
        choose_root(nodes.front(), n_threads);
        grow_below_root(nodes, n_threads);
    }
    for (GrownNode& node : nodes) give_back(node.cells);
    set_values(nodes, n_threads);
    return nodes;
}

// Values of leaves and weights of all nodes. Quantised sums chose the splits; values come from the numbers themselves,
// in fixed point, so that the order of rows in a leaf does not matter.
void Grower::set_values(Nodes& nodes, int n_threads) const {
    if (data_.stats.narrow.empty()) {
        for (GrownNode& node : nodes) rules_.set_value(node);
        return;
    }
    const NodeSums unit = leaf_units(rules_.unit(), data_.n_table);
    base::parallel_for(nodes.size(), n_threads, base::work_of(rows_.size(), 4.0), [&](std::size_t at) {
        GrownNode& node = nodes[at];
        if (!node.is_leaf()) return;
        rules_.set_value(node, sums_of(data_, std::span(rows_).subspan(node.begin, node.n_rows()), unit), unit);
    });
    add_weights_of_leaves(nodes);
}

// A root with its sums, and with its histogram if it may be split.
GrownNode Grower::make_root(int n_threads) {
    GrownNode root = rules_.root(rows_.size());
    if (histograms_.n_features() == 0) return root;
    auto cells = histograms_.take();
    histograms_.fill(rows_, cells.get(), n_threads, [](std::size_t, std::size_t) {});
    if (histograms_.n_unlisted() == 0) {
        root.sums = histograms_.sums_of(rows_);
    } else {  // every row is in one cell of each column, so the cells of any column add up to the node
        for (std::size_t i = 0; i < histograms_.n_first(); ++i) root.sums = plus(root.sums, cells[i]);
    }
    if (may_split(root)) {
        root.cells = std::move(cells);
    } else {
        histograms_.give(std::move(cells));
    }
    return root;
}

void Grower::choose_root(GrownNode& root, int n_threads) {
    if (!root.cells) return;
    Contest contest(rules_.options().min_gain);
    histograms_.for_features(
        n_threads, [&](std::size_t first, std::size_t last) { scan(root, root.cells.get(), first, last, contest); });
    choose(root, std::move(root.cells), contest, n_threads);
}

// The scan of a node's features in a histogram.
class Grower::Scan {
 public:
    Scan(const Grower& grower, const GrownNode& node, const Sums* cells)
        : grower_(grower),
          node_(node),
          cells_(cells),
          task_(grower.rules_.task_of(node, node.n_rows())),
          contest_(grower.rules_.options().min_gain) {}

    const Contest& contest() const { return contest_; }

    // Looks at a stored feature by itself.
    void look_at(std::size_t at) {
        const NodeRules& rules = grower_.rules_;
        const Histograms& histograms = grower_.histograms_;
        const std::size_t k = histograms.stored(at), feature = histograms.feature(k);
        if (rules.features().is_wide(feature)) return;
        const Sums* own = histograms.cells_of(k, cells_, node_.sums, spare_);
        if (own == nullptr) return;
        ScanTask task = task_;
        if (rules.counts_rows()) {
            counts_.resize(rules.features().n_cells(feature));
            histograms.count(std::span(grower_.rows_).subspan(node_.begin, node_.n_rows()), k, counts_);
            task.rows = counts_.data();
        }
        contest_.offer(k, rules.candidate_of(node_, feature, own, task));
    }

    // Looks at several together; `place_of` gives the stored feature of each.
    template <class PlaceOf>
    void look_at(std::span<const OtherCells> features, const PlaceOf& place_of) {
        const std::size_t n =
            grower_.kernels_->contend(cells_, features.data(), features.size(), contest_.least(), task_, found_.data());
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t at = place_of(found_[i].at);
            if (std::isnan(found_[i].gain)) {
                look_at(at);
            } else {
                contest_.offer(grower_.histograms_.stored(at), found_[i].gain);
            }
        }
    }

 private:
    const Grower& grower_;
    const GrownNode& node_;
    const Sums* cells_;
    ScanTask task_;
    Contest contest_;
    ColumnBundles::Spare spare_;
    std::vector<std::int64_t> counts_;
    std::array<Contender, max_bins> found_;
};

// Features of few cells are looked at together, the others one by one.
void Grower::scan(const GrownNode& node, const Sums* cells, std::size_t first, std::size_t last,
                  Contest& contest) const {
    Scan scan(*this, node, cells);
    for (std::size_t at = first; at < last;) {
        const std::size_t end = std::min(batches_.end(at), last);
        if (end == at) {
            scan.look_at(at++);
        } else {
            scan.look_at(batches_.cells(at, end), [at](std::uint32_t i) { return at + i; });
            at = end;
        }
    }
    contest.take(scan.contest());
}

// The same for some stored features.
void Grower::scan(const GrownNode& node, const Sums* cells, std::span<const std::uint32_t> places,
                  Contest& contest) const {
    Scan scan(*this, node, cells);
    std::array<OtherCells, max_bins> batch;
    std::array<std::uint32_t, max_bins> place;
    std::size_t n = 0, n_cells = 0;
    const auto look_at_batch = [&] {
        scan.look_at(std::span(batch).first(n), [&](std::uint32_t i) { return place[i]; });
        n = n_cells = 0;
    };
    for (const std::uint32_t at : places) {
        const OtherCells& own = batches_.cells(at, at + 1)[0];
        if (own.n == 0) {
            scan.look_at(at);
            continue;
        }
        if (n_cells + own.n > max_bins) look_at_batch();
        batch[n] = own;
        place[n++] = at;
        n_cells += own.n;
    }
    if (n > 0) look_at_batch();
    contest.take(scan.contest());
}

// Wide categories have no histogram; their levels are listed from the rows of the node. One list per wide category.
std::vector<LevelList> Grower::scan_wide(const GrownNode& node, int n_threads, Contest& contest) {
    std::vector<LevelList> lists;
    if (wide_at_.empty()) return lists;
    const std::span rows = std::span(rows_).subspan(node.begin, node.n_rows());
    const ScanTask task = rules_.task_of(node, node.n_rows());
    for (const std::size_t k : wide_at_) {
        const std::size_t feature = histograms_.feature(k);
        lists.push_back(wide_.list(feature, rows, data_.stats, n_threads));
        contest.offer(k, rules_.candidate_of(node, feature, lists.back(), task));
    }
    return lists;
}

// The candidate of the k-th feature as a split. `cells`: those of the feature, unless it is wide.
Split Grower::split_of(const GrownNode& node, std::size_t k, const Candidate& candidate, const Sums* cells,
                       std::span<const LevelList> wide) const {
    const std::size_t feature = histograms_.feature(k);
    const ScanTask task = rules_.task_of(node, node.n_rows());
    if (!rules_.features().is_wide(feature)) return make_split(rules_.features(), feature, candidate, cells, task);
    const auto own = std::ranges::find(wide_at_, k) - wide_at_.begin();
    return make_wide_split(feature, wide_.place(feature), rules_.features().n_wide[feature], candidate, wide[own],
                           task);
}

// The candidate of the winner. `cells`: those of its feature.
Candidate Grower::candidate_of(const GrownNode& node, const Contest::Entry& winner, const Sums* cells) const {
    if (winner.is_known) return winner.candidate;
    return rules_.candidate_of(node, histograms_.feature(winner.k), cells, rules_.task_of(node, node.n_rows()));
}

// Keeps the best split and the histogram it will need; without a split the histogram goes back.
void Grower::choose(GrownNode& node, Histograms::Cells cells, Contest& contest, int n_threads) {
    const std::vector<LevelList> wide = scan_wide(node, n_threads, contest);
    const Contest::Entry* best = contest.winner();
    if (best == nullptr) return histograms_.give(std::move(cells));
    ColumnBundles::Spare spare;
    const Sums* own = histograms_.cells_of(best->k, cells.get(), node.sums, spare);
    node.split = split_of(node, best->k, candidate_of(node, *best, own), own, wide);
    node.is_open = true;
    // the children of a small node need no histogram of their parent
    if (is_small(node)) return histograms_.give(std::move(cells));
    node.cells = std::move(cells);
}

// Whether the node looks for its split without a histogram.
bool Grower::is_small(const GrownNode& node) const {
    return !rules_.counts_rows() && histograms_.are_listed(node.n_rows());
}

void Grower::choose_small(GrownNode& node) {
    const std::span rows = std::span(rows_).subspan(node.begin, node.n_rows());
    const ScanTask task = rules_.task_of(node, node.n_rows());
    Contest contest(rules_.options().min_gain);
    std::vector<std::int64_t> missing(histograms_.n_features(), -1);  // weights, -1 where not listed
    histograms_.for_lists(rows, node.sums, [&](std::size_t k, const CellList& list) {
        const std::size_t feature = histograms_.feature(k);
        if (!rules_.features().is_wide(feature)) contest.offer(k, rules_.candidate_of(node, feature, list, task));
        missing[k] = list.missing.weight;
    });
    histograms_.for_values(
        rows, [&](const Sums* cells, std::span<const std::uint32_t> places) { scan(node, cells, places, contest); });
    const std::vector<LevelList> wide = scan_wide(node, 1, contest);
    const Contest::Entry* best = contest.winner();
    if (best == nullptr) return;
    std::array<Sums, max_bins> cells;
    const std::size_t feature = histograms_.feature(best->k);
    if (rules_.features().is_category[feature] == 0 && missing[best->k] >= 0) {
        cells[rules_.features().n_bins[feature]].weight = missing[best->k];  // all that is asked about a number
    } else {
        histograms_.fill_feature(rows, best->k, cells);
    }
    node.split = split_of(node, best->k, candidate_of(node, *best, cells.data()), cells.data(), wide);
    node.is_open = true;
}

void Grower::give_back(Histograms::Cells& cells) {
    if (cells) histograms_.give(std::move(cells));
}

std::size_t Grower::send_rows(const GrownNode& node, int n_threads) {
    return boosting::send_rows(node.split, bins_, *histograms_.bundles(), wide_.columns(),
                               std::span(rows_).subspan(node.begin, node.n_rows()),
                               std::span(spare_).subspan(2 * node.begin, 2 * node.n_rows()), n_threads);
}

// Children of a node that has chosen its split; they choose theirs, unless they are leaves anyway.
Children Grower::divide(GrownNode& node, bool are_leaves, int n_threads) {
    interrupt_->check();
    Children children = rules_.children_of(node, send_rows(node, n_threads));
    auto& [left, right] = children;
    if (are_leaves) {
        give_back(node.cells);
        return children;
    }
    const bool left_smaller = left.n_rows() <= right.n_rows();
    give_histograms(left_smaller ? left : right, left_smaller ? right : left, std::move(node.cells), n_threads);
    return children;
}

// Makes a node a leaf again after it was divided. Rows of a node ascend.
void Grower::unite(const GrownNode& node, Children& children) {
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(node.begin);
    std::inplace_merge(first, first + static_cast<std::ptrdiff_t>(children.left.n_rows()),
                       first + static_cast<std::ptrdiff_t>(node.n_rows()));
    give_back(children.left.cells);
    give_back(children.right.cells);
}

// `cells` is the histogram of the parent, if it has one, and becomes that of the larger child.
void Grower::give_histograms(GrownNode& small, GrownNode& large, Histograms::Cells cells, int n_threads) {
    const bool scan_small = may_split(small);
    const bool scan_large = may_split(large);
    if ((!scan_small || is_small(small)) && (!scan_large || is_small(large))) {
        give_back(cells);
        if (scan_small) choose_small(small);
        if (scan_large) choose_small(large);
        return;
    }
    auto own = histograms_.take();
    Contest of_small(rules_.options().min_gain), of_large(rules_.options().min_gain);
    const std::span rows = std::span(rows_).subspan(small.begin, small.n_rows());
    histograms_.fill(rows, own.get(), n_threads, [&](std::size_t first, std::size_t last) {
        if (scan_small) scan(small, own.get(), first, last, of_small);
        if (!scan_large) return;
        const std::size_t at = histograms_.first_cell(first);
        kernels_->subtract(cells.get() + at, own.get() + at, histograms_.first_cell(last) - at);
        scan(large, cells.get(), first, last, of_large);
    });
    if (scan_small) {
        choose(small, std::move(own), of_small, n_threads);
    } else {
        histograms_.give(std::move(own));
    }
    if (scan_large) {
        choose(large, std::move(cells), of_large, n_threads);
    } else {
        histograms_.give(std::move(cells));
    }
}

// A tree halves its rows about as often as its number of leaves doubles.
base::Work Grower::work_below_root() const {
    constexpr int max_levels = 20;
    const GrowOptions& options = rules_.options();
    const double n_rows = static_cast<double>(rows_.size());
    int levels = std::min({static_cast<int>(std::min<std::uint32_t>(options.max_depth, max_levels)),
                           static_cast<int>(std::bit_width(rows_.size()))});
    if (options.max_leaf_nodes > 0) levels = std::min(levels, static_cast<int>(std::bit_width(options.max_leaf_nodes)));
    const double n_splits =
        std::min(static_cast<double>(1U << levels), n_rows / (2 * std::max(1.0, options.min_weight_leaf)));
    const std::size_t n_values = histograms_.n_values(rows_.size()) + rows_.size() * per_wide * wide_at_.size();
    return {levels * base::work_of(n_values, 0.5).nanoseconds +
            n_splits * base::work_of(histograms_.n_cells(), 4.0).nanoseconds};
}

// Nodes of more rows are shared by all threads. Best first, few nodes can be split in advance, so that threads share
// smaller nodes too; otherwise those with more than a thread's share of the rows: then there are enough nodes for
// everyone, but where the root divides its rows unevenly a thread would be idle. Measured with two threads.
std::size_t Grower::least_shared(std::size_t n_threads) const {
    return rules_.options().max_leaf_nodes > 0 ? min_shared_best_first : std::max(min_shared, rows_.size() / n_threads);
}

// Large nodes are shared by all threads; then each thread splits one node at a time.
void Grower::grow_below_root(Nodes& nodes, int n_threads) {
    const base::Work work = work_below_root();
    const auto threads = static_cast<std::size_t>(work.nanoseconds < least_tree ? 1 : base::usable_threads(n_threads));
    Frontier frontier(nodes, rules_.options().max_leaf_nodes);
    frontier.offer(nodes.front());
    const std::size_t large = threads > 1 ? least_shared(threads) : std::numeric_limits<std::size_t>::max();
    while (!frontier.finished()) {
        frontier.split_larger(large,
                              [&](GrownNode& node, bool are_leaves) { return divide(node, are_leaves, n_threads); });
        base::parallel_for(threads, n_threads, work, [&](std::size_t thread) {
            frontier.work(thread, threads, large,
                          [&](GrownNode& node, bool are_leaves) { return divide(node, are_leaves, 1); });
        });
    }
    frontier.undo([&](GrownNode& node, Children& children) { unite(node, children); });
}

}  // namespace glasswood::boosting

// The part of LevelTree that scans the sums of all ranks: the splits of this rank's features that may be the best.
#include <algorithm>
#include <array>
#include <utility>

#include "glasswood/base/parallel.hpp"
#include "glasswood/boosting/level_tree.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t max_slices = 16;  // of the columns of a node

Sums sums_at(std::span<const std::int64_t> numbers, std::size_t at) {
    return {numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]};
}

}  // namespace

// What every rank must know of the open nodes.
void LevelTree::read_head(std::span<const std::int64_t> own) {
    if (!families_.empty() && families_.front().is_root()) {
        n_rows_[0] = static_cast<std::size_t>(own[0]);
        nodes_[0].sums = sums_at(own, 1);
        return;
    }
    for (std::size_t at = 0; at < families_.size(); ++at) {
        const auto head = own.subspan(n_head_of_family() * at, n_head_of_family());
        const auto [light, heavy] = std::pair(families_[at].light, families_[at].heavy);
        n_rows_[light] = static_cast<std::size_t>(head[0]);
        n_rows_[heavy] = static_cast<std::size_t>(head[1]);
        if (!are_pairs()) continue;
        // splits of pairs do not know the squares of the children, which together are that of the node
        const std::int64_t both = nodes_[light].sums.square + nodes_[heavy].sums.square;
        nodes_[light].sums.square = head[2];
        nodes_[heavy].sums.square = both - head[2];
    }
}

std::vector<SentSplit> LevelTree::scan(std::span<const std::int64_t> own, std::span<const SentLevels> levels,
                                       int n_threads) {
    read(own, levels, n_threads);
    if (is_symmetric()) {
        LevelTree* const self = this;
        return std::move(scan_shared({&self, 1}, n_threads).front());
    }
    std::vector<SentSplit> records;
    for (const Candidacy& candidacy : candidacies_) add_records(candidacy, records);
    return records;
}

void LevelTree::read(std::span<const std::int64_t> own, std::span<const SentLevels> levels, int n_threads) {
    stage_ = Stage::begin;  // until all went well
    read_head(own);
    const std::size_t n = n_cells(rank_), n_columns = first_column_[rank_ + 1] - first_column_[rank_];
    const auto open = [&](std::size_t node, Cells cells, std::vector<std::int64_t> counts) {
        Candidacy candidacy{.node = node};
        if (rules_.may_split(nodes_[node], n_rows_[node])) {
            candidacy.cells = std::move(cells);
            candidacy.counts = std::move(counts);
            candidacy.found.resize(n_columns);
        } else {
            give(std::move(cells));
        }
        candidacies_.push_back(std::move(candidacy));
    };
    candidacies_.clear();
    for (Family& family : families_) {
        open(family.light, take(), std::vector<std::int64_t>(rules_.counts_rows() ? n : 0));
        open(family.heavy, std::move(family.cells), std::move(family.counts));
    }
    merge_levels(levels, n_threads);
    const std::size_t n_slices = std::clamp<std::size_t>(n_columns, 1, max_slices);
    const std::size_t per_family = n * n_per_cell();
    base::parallel_for(families_.size() * n_slices, n_threads, base::work_of(families_.size() * n, 8.0),
                       [&](std::size_t task) {
                           const std::size_t family = task / n_slices, slice = task % n_slices;
                           scan_columns(family, slice * n_columns / n_slices, (slice + 1) * n_columns / n_slices,
                                        own.subspan(n_head() + family * per_family, per_family));
                       });
    if (is_symmetric()) join_waiting();
    families_.clear();
    stage_ = Stage::choose;
}

// The owner's columns [first, last) of a family: the lighter child from the block, the heavier one by subtraction.
void LevelTree::scan_columns(std::size_t family, std::size_t first, std::size_t last,
                             std::span<const std::int64_t> block) {
    Candidacy& light = candidacies_[2 * family];
    Candidacy& heavy = candidacies_[2 * family + 1];
    const std::size_t zero = histograms_.first_cell(first_column_[rank_]);
    const std::size_t begin = histograms_.first_cell(first_column_[rank_] + first) - zero;
    const std::size_t n = histograms_.first_cell(first_column_[rank_] + last) - zero - begin;
    const std::size_t n_own = n_cells(rank_);
    if (n == 0) return;
    const auto cells = block.subspan(begin * n_fields_, n * n_fields_);
    const auto counts = rules_.counts_rows() ? block.subspan(n_own * n_fields_ + begin, n) : block.first(0);
    if (light.cells) {
        std::ranges::copy(cells, light.cells.get() + begin * n_fields_);
        std::ranges::copy(counts, light.counts.begin() + static_cast<std::ptrdiff_t>(counts.empty() ? 0 : begin));
        scan_node(light, first, last);
    }
    if (!heavy.cells) return;
    std::int64_t* own = heavy.cells.get() + begin * n_fields_;
    for (std::size_t i = 0; i < cells.size(); ++i) own[i] -= cells[i];
    for (std::size_t i = 0; i < counts.size(); ++i) heavy.counts[begin + i] -= counts[i];
    scan_node(heavy, first, last);
}

void LevelTree::scan_node(Candidacy& candidacy, std::size_t first, std::size_t last) const {
    if (is_symmetric()) return;
    const GrownNode& node = nodes_[candidacy.node];
    const std::size_t zero = histograms_.first_cell(first_column_[rank_]);
    std::array<Sums, max_bins> space;
    ScanTask task = rules_.task_of(node, n_rows_[candidacy.node]);
    for (std::size_t k = first; k < last; ++k) {
        const std::size_t column = first_column_[rank_] + k, at = histograms_.first_cell(column) - zero;
        task.rows = rules_.counts_rows() ? candidacy.counts.data() + at : nullptr;
        const std::size_t feature = histograms_.feature(column);
        if (is_wide(column)) {
            candidacy.found[k] = rules_.candidate_of(node, feature, candidacy.levels[place_of_levels(column)], task);
            continue;
        }
        const Sums* cells = column_cells(candidacy, column, space);
        candidacy.found[k] = rules_.candidate_of(node, feature, cells, task);
    }
}

// The cells of a column that this rank owns; those of pairs become sums in `space`, with squares of 0.
const Sums* LevelTree::column_cells(const Candidacy& candidacy, std::size_t column, std::span<Sums> space) const {
    const std::size_t first = histograms_.first_cell(column), n = histograms_.first_cell(column + 1) - first;
    const std::size_t at = first - histograms_.first_cell(first_column_[rank_]);
    const std::int64_t* numbers = candidacy.cells.get() + at * n_fields_;
    if (!are_pairs()) return reinterpret_cast<const Sums*>(numbers);
    for (std::size_t i = 0; i < n; ++i) space[i] = {numbers[2 * i], 0, numbers[2 * i + 1], numbers[2 * i + 1]};
    return space.data();
}

Split LevelTree::split_of(const Candidacy& candidacy, std::size_t column, const Candidate& found) const {
    const std::size_t feature = histograms_.feature(column);
    const ScanTask task = rules_.task_of(nodes_[candidacy.node], n_rows_[candidacy.node]);
    if (is_wide(column)) {
        return make_wide_split(feature, wide_.place(feature), rules_.features().n_wide[feature], found,
                               candidacy.levels[place_of_levels(column)], task);
    }
    std::array<Sums, max_bins> space;
    return make_split(rules_.features(), feature, found, column_cells(candidacy, column, space), task);
}

// Those that tie with the best of this rank: the best of all ranks is at least as good, so the others cannot win.
void LevelTree::add_records(const Candidacy& candidacy, std::vector<SentSplit>& out) const {
    const double min_gain = rules_.options().min_gain;
    const std::ptrdiff_t best = best_of(candidacy.found, min_gain);
    if (best < 0) return;
    double most = min_gain;
    for (const Candidate& c : candidacy.found) most = c.gain > most ? c.gain : most;
    for (std::size_t k = static_cast<std::size_t>(best); k < candidacy.found.size(); ++k) {
        const Candidate& found = candidacy.found[k];
        if (!(found.gain > min_gain && found.gain >= most - tie * most)) continue;
        out.push_back(record_of(split_of(candidacy, first_column_[rank_] + k, found), candidacy.node));
    }
}

}  // namespace glasswood::boosting

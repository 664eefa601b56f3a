#include "glasswood/forest/quantile_splitter.hpp"

#include <array>
#include <limits>
#include <type_traits>

#include "glasswood/base/bitset.hpp"
#include "glasswood/forest/cell_scan.hpp"
#include "glasswood/forest/counted_rows.hpp"
#include "glasswood/forest/partition.hpp"

namespace glasswood::forest {
namespace {

template <class Criterion>
class QuantileSplitter final : public NodeSplitter<Criterion> {
 public:
    QuantileSplitter(const CutTable& table, Criterion criterion, std::span<const std::int32_t> label)
        : NodeSplitter<Criterion>(std::move(criterion)), table_(table), counted_(label) {}

    void begin(std::span<const double> weight) override {
        NodeSplitter<Criterion>::begin(weight);
        counted_.begin(weight);
    }
    bool takes_counts() const override { return counted_.has_two_classes(); }
    bool begin_counts(std::span<const std::uint8_t> count) override {
        counted_.begin(count);
        counts_ = count;
        weight_ = {};
        return counted_.usable();
    }
    void prepare(std::span<const std::uint32_t> rows) override;
    std::size_t search(std::span<const std::int32_t> features, const SplitLimits& limits, Split& best) override;
    std::size_t partition(std::span<std::uint32_t> rows, std::span<std::uint32_t> scratch,
                          const Split& split) const override;

 private:
    // Features whose cells are added up together: the row is loaded once, and neighbouring rows of one cell do not wait
    // for each other.
    static constexpr std::size_t batch = 4;

    void clear(std::size_t slot, std::int32_t feature);
    void add_up(std::span<const std::int32_t> features, bool counts_matter);
    template <std::size_t n>
    void tally(std::span<const std::int32_t> features);
    void count_rows(std::size_t slot, std::int32_t feature, bool counts_matter);
    void scan(std::size_t slot, std::int32_t feature, const SplitLimits& limits, Split& best) const;

    using NodeSplitter<Criterion>::criterion_;
    using NodeSplitter<Criterion>::rows_;
    using NodeSplitter<Criterion>::weight_;

    const CutTable& table_;
    CountedRows counted_;
    std::span<const std::uint8_t> counts_;  // of the tree's rows, where they came as such
    std::vector<double> doubles_;
    bool has_parts_ = false;  // the criterion knows the part of every row of the open node
    std::array<NodeCells, batch> cells_;
    std::array<std::vector<std::uint8_t>, batch> spare_;  // cells of all rows, where a feature is sparse
};

template <class Criterion>
void QuantileSplitter<Criterion>::prepare(std::span<const std::uint32_t> rows) {
    if constexpr (std::is_same_v<Criterion, Moments>) {
        if (counted_.usable()) {
            rows_ = rows;
            const auto [weight, second] = counted_.prepare(rows);
            criterion_.open_counts(rows[0], weight, second);
            has_parts_ = false;
            return;
        }
    }
    NodeSplitter<Criterion>::prepare(rows);
    has_parts_ = true;
}

template <class Criterion>
void QuantileSplitter<Criterion>::clear(std::size_t slot, std::int32_t feature) {
    cells_[slot].sums.assign((table_.features[feature].n_cells + 1) * criterion_.cell_width(), 0.0);
}

// Sums of the cells of up to `batch` features.
template <class Criterion>
void QuantileSplitter<Criterion>::add_up(std::span<const std::int32_t> features, bool counts_matter) {
    if constexpr (std::is_same_v<Criterion, Moments>) {
        const auto is_faster = [&](std::int32_t f) { return counted_.tally_is_faster(table_.features[f].n_cells + 1); };
        if (!counts_matter && std::ranges::all_of(features, is_faster)) {
            for (std::size_t slot = 0; slot < features.size(); ++slot) {
                clear(slot, features[slot]);
                counted_.tally(table_.of(features[slot], spare_[slot]), table_.features[features[slot]].n_cells + 1,
                               cells_[slot].sums.data());
            }
            return;
        }
    }
    if (!has_parts_) {
        if (weight_.empty()) {  // the tree's first node in which counting is slower
            doubles_.assign(counts_.begin(), counts_.end());
            weight_ = doubles_;
        }
        criterion_.prepare(rows_, weight_, true);  // counts are whole
        has_parts_ = true;
    }
    switch (features.size()) {
        case 4:
            return tally<4>(features);
        case 3:
            return tally<3>(features);
        case 2:
            return tally<2>(features);
        default:
            return tally<1>(features);
    }
}

template <class Criterion>
template <std::size_t n>
void QuantileSplitter<Criterion>::tally(std::span<const std::int32_t> features) {
    std::array<const std::uint8_t*, n> cell;
    std::array<double*, n> sums;
    for (std::size_t slot = 0; slot < n; ++slot) {
        clear(slot, features[slot]);
        cell[slot] = table_.of(features[slot], spare_[slot]);
        sums[slot] = cells_[slot].sums.data();
    }
    const std::size_t width = criterion_.cell_width();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::uint32_t row = rows_[i];
        const auto part = criterion_.part(i);
        for (std::size_t slot = 0; slot < n; ++slot) criterion_.add_to(sums[slot] + cell[slot][row] * width, part);
    }
}

// Numbers of rows and the cells in use. Where any row will do, one stands for all rows of a cell.
template <class Criterion>
void QuantileSplitter<Criterion>::count_rows(std::size_t slot, std::int32_t feature, bool counts_matter) {
    NodeCells& cells = cells_[slot];
    const std::size_t n_cells = table_.features[feature].n_cells, width = criterion_.cell_width();
    cells.rows.assign(n_cells + 1, 0);
    if (counts_matter) {
        const std::uint8_t* cell = table_.of(feature, spare_[slot]);
        for (const std::uint32_t row : rows_) ++cells.rows[cell[row]];
    } else {
        for (std::size_t c = 0; c <= n_cells; ++c) cells.rows[c] = cells.sums[c * width] > 0 ? 1 : 0;
    }
    cells.order.clear();
    for (std::uint32_t c = 0; c < n_cells; ++c) {
        if (cells.rows[c] > 0) cells.order.push_back(c);
    }
    cells.missing_rows = cells.rows[n_cells];
    const double* missing = cells.sums.data() + n_cells * width;
    cells.missing_sums.assign(missing, missing + width);
}

template <class Criterion>
void QuantileSplitter<Criterion>::scan(std::size_t slot, std::int32_t feature, const SplitLimits& limits,
                                       Split& best) const {
    const NodeCells& cells = cells_[slot];
    const CutFeature& cut = table_.features[feature];
    std::size_t n_rows = cells.missing_rows;
    for (const std::uint32_t c : cells.order) n_rows += cells.rows[c];
    Contest contest(best, criterion_.mass());
    scan_cells(criterion_, cells, n_rows, limits, feature, contest,
               [&](std::size_t last, double left_weight, bool missing_left) {
                   const bool alone = last + 1 == cells.order.size();
                   best.is_category = cut.is_category;
                   best.last = alone ? cut.n_cells - 1 : cells.order[last];
                   best.heavier_left = left_weight > criterion_.weight() - left_weight;
                   best.missing_left = cells.missing_rows > 0 ? missing_left : best.heavier_left;
               });
}

template <class Criterion>
std::size_t QuantileSplitter<Criterion>::search(std::span<const std::int32_t> features, const SplitLimits& limits,
                                                Split& best) {
    std::size_t varying = 0;
    const bool counts_matter = limits.min_rows > 1;
    while (!features.empty()) {
        const std::size_t n = std::min(batch, features.size());
        add_up(features.first(n), counts_matter);
        for (std::size_t slot = 0; slot < n; ++slot) {
            count_rows(slot, features[slot], counts_matter);
            if (cells_[slot].order.empty() || cells_[slot].n_parts() < 2) continue;
            ++varying;
            scan(slot, features[slot], limits, best);
        }
        features = features.subspan(n);
    }
    if (!best.found()) return varying;
    const CutFeature& cut = table_.features[best.feature];
    best.threshold = !best.is_category && best.last < cut.cuts.size() ? cut.cuts[best.last]
                                                                      : std::numeric_limits<double>::infinity();
    best.left_value = best.threshold;  // a cut is a value of the table: nothing shorter says the same
    best.right_value = best.threshold;
    best.members.assign(base::words_for(cut.level_cell.size()), 0);
    for (std::size_t level = 0; level < cut.level_cell.size(); ++level) {
        const bool left =
            cut.level_cell[level] == absent_level ? best.heavier_left : cut.level_cell[level] <= best.last;
        base::set_bit(best.members, level, left);
    }
    return varying;
}

template <class Criterion>
std::size_t QuantileSplitter<Criterion>::partition(std::span<std::uint32_t> rows, std::span<std::uint32_t> scratch,
                                                   const Split& split) const {
    std::vector<std::uint8_t> spare;
    const std::uint8_t* cell = table_.of(split.feature, spare);
    // A table instead of comparisons, which the compiler would turn into branches.
    std::array<std::uint8_t, max_cells + 1> side{};
    std::fill_n(side.begin(), split.last + 1, std::uint8_t{1});
    side[table_.features[split.feature].n_cells] = split.missing_left ? 1 : 0;
    return partition_rows(rows, scratch, [&](std::uint32_t row) { return std::size_t{side[cell[row]]}; });
}

}  // namespace

template <class Criterion>
std::unique_ptr<Splitter> make_quantile_splitter(const CutTable& table, Criterion criterion,
                                                 std::span<const std::int32_t> label) {
    return std::make_unique<QuantileSplitter<Criterion>>(table, std::move(criterion), label);
}

template std::unique_ptr<Splitter> make_quantile_splitter(const CutTable&, Moments, std::span<const std::int32_t>);
template std::unique_ptr<Splitter> make_quantile_splitter(const CutTable&, Gini, std::span<const std::int32_t>);
template std::unique_ptr<Splitter> make_quantile_splitter(const CutTable&, Entropy, std::span<const std::int32_t>);

}  // namespace glasswood::forest

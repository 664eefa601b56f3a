#include "glasswood/forest/counted_rows.hpp"

#include <algorithm>

namespace glasswood::forest {

CountedRows::CountedRows(std::span<const std::int32_t> label) : is_second_(label.size()) {
    std::ranges::transform(label, is_second_.begin(), [](std::int32_t k) { return std::uint8_t(k == 1 ? 255 : 0); });
}

void CountedRows::begin(std::span<const double> weight) {
    largest_ = 0;
    if (is_second_.empty()) return;
    whole_.resize(weight.size());
    unsigned wrong = 0;
    for (std::size_t row = 0; row < weight.size(); ++row) {
        const double w = weight[row];
        whole_[row] = static_cast<std::uint8_t>(w >= 0 && w <= max_tallied ? w : 0);
        wrong |= whole_[row] != w ? 1U : 0U;
    }
    if (wrong == 0) begin(whole_);
}

void CountedRows::begin(std::span<const std::uint8_t> count) {
    largest_ = 0;
    if (is_second_.empty()) return;
    std::uint8_t largest = 0;
    second_.resize(count.size());
    for (std::size_t row = 0; row < count.size(); ++row) {
        largest = std::max(largest, count[row]);
        second_[row] = static_cast<std::uint8_t>(count[row] & is_second_[row]);
    }
    weight_ = count;
    n_counted_ = 0;
    if (largest <= max_tallied) largest_ = largest;
}

CountedRows::Totals CountedRows::prepare(std::span<const std::uint32_t> rows) {
    if (n_counted_ == 0) n_counted_ = rows.size();
    rows_ = rows;
    spread_ = false;
    std::uint64_t weight = 0, second = 0;
    for (const std::uint32_t row : rows) {
        weight += weight_[row];
        second += second_[row];
    }
    return {static_cast<double>(weight), static_cast<double>(second)};
}

// Writes the node's rows into arrays as long as the table, once per node.
void CountedRows::spread() {
    spread_ = true;
    if (rows_.size() == n_counted_) return;  // the root: the tree's own arrays
    node_weight_.assign(weight_.size(), 0);
    node_second_.assign(weight_.size(), 0);
    for (const std::uint32_t row : rows_) {
        node_weight_[row] = weight_[row];
        node_second_[row] = second_[row];
    }
}

void CountedRows::tally(const std::uint8_t* cell, std::size_t n_cells, double* out) {
    if (!spread_) spread();
    const bool root = rows_.size() == n_counted_;
    const TallyRows rows{root ? weight_.data() : node_weight_.data(), root ? second_.data() : node_second_.data(),
                         weight_.size(), largest_};
    sums_.resize(2 * n_cells);
    tally_kernels(base::cpu_level()).tally(cell, n_cells, rows, sums_.data());
    std::ranges::transform(sums_, out, [](std::uint64_t sum) { return static_cast<double>(sum); });
}

}  // namespace glasswood::forest

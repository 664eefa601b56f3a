#include "glasswood/boosting/level_cells.hpp"

#include <algorithm>

namespace glasswood::boosting {

void LevelCells::add(std::span<const Sums* const> cells, std::size_t n_cells, std::span<const std::int64_t> n_rows) {
    const std::size_t n_bins = n_cells - 1;
    for (std::size_t b = 0; b < n_bins; ++b) {
        if (cells.front()[b].weight == 0) continue;
        level_.push_back(static_cast<std::uint32_t>(b));
        n_rows_.push_back(n_rows.empty() ? 0 : n_rows[b]);
        for (const Sums* own : cells) sums_.push_back(own[b]);
    }
    start_.push_back(level_.size());
    n_missing_.push_back(n_rows.empty() ? 0 : n_rows[n_bins]);
    for (const Sums* own : cells) missing_.push_back(own[n_bins]);
}

void LevelCells::add(std::span<std::uint32_t> met, std::span<const Sums> sums, std::span<const std::uint32_t> n_rows) {
    std::ranges::sort(met);
    const std::size_t of_missing = n_rows.size() - 1;
    const auto of_cell = [&](std::size_t cell) { return sums.subspan(cell * n_outputs_, n_outputs_); };
    for (const std::uint32_t cell : met) {
        if (cell == of_missing || of_cell(cell).front().weight == 0) continue;
        level_.push_back(cell);
        n_rows_.push_back(n_rows[cell]);
        sums_.insert(sums_.end(), of_cell(cell).begin(), of_cell(cell).end());
    }
    start_.push_back(level_.size());
    n_missing_.push_back(n_rows[of_missing]);
    missing_.insert(missing_.end(), of_cell(of_missing).begin(), of_cell(of_missing).end());
}

void LevelCells::add(const LevelList& list, std::size_t output) {
    if (output == 0) {
        for (std::size_t k = 0; k < list.level.size(); ++k) {
            if (list.sums[k].weight == 0) continue;
            level_.push_back(list.level[k]);
            n_rows_.push_back(list.n_rows[k]);
        }
        start_.push_back(level_.size());
        sums_.resize(level_.size() * n_outputs_);
        n_missing_.push_back(list.n_rows.back());
        missing_.resize(n_missing_.size() * n_outputs_);
    }
    std::size_t cell = start_[start_.size() - 2];  // all outputs have the same levels
    for (const Sums& own : list.sums) {
        if (own.weight != 0) sums_[cell++ * n_outputs_ + output] = own;
    }
    missing_[(n_missing_.size() - 1) * n_outputs_ + output] = list.missing;
}

}  // namespace glasswood::boosting

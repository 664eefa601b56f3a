#include "glasswood/boosting/stored_values.hpp"

namespace glasswood::boosting {

void StoredValues::reserve(std::size_t n_values) {
    rows_.reserve(n_values);
    codes_.reserve(n_values);
}

// Features ascend, so the cells of a row do.
void StoredValues::finish(std::size_t n_rows) {
    row_start_.assign(n_rows + 2, 0);
    for (const std::uint32_t row : rows_) ++row_start_[row + 2];
    for (std::size_t row = 2; row < row_start_.size(); ++row) row_start_[row] += row_start_[row - 1];
    cells_.resize(rows_.size());
    for (std::size_t f = 0; f < n_features(); ++f) {
        for (std::size_t at = start_[f]; at < start_[f + 1]; ++at) {
            cells_[row_start_[rows_[at] + 1]++] = first_cell_[f] + codes_[at];
        }
    }
    row_start_.pop_back();
}

}  // namespace glasswood::boosting

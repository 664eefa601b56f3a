#include "glasswood/explain/cell_codes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "glasswood/base/parallel.hpp"

namespace glasswood::explain {
namespace {

std::size_t padded(std::size_t n_rows) { return (n_rows + 63) / 64 * 64; }

template <class Code>
void add_column(const Code* code, std::size_t n, std::int64_t stride, std::int64_t* index) {
    if (stride <= std::numeric_limits<std::uint32_t>::max()) {  // one instruction multiplies numbers of 32 bits
        const auto narrow = static_cast<std::uint32_t>(stride);
        for (std::size_t r = 0; r < n; ++r) index[r] += static_cast<std::int64_t>(std::uint64_t{narrow} * code[r]);
    } else {
        for (std::size_t r = 0; r < n; ++r) index[r] += stride * static_cast<std::int64_t>(code[r]);
    }
}

}  // namespace

Codes::Codes(const Axes& axes, const model::Ensemble& e)
    : encoder_(std::make_shared<const table::Encoder>(axes.grid, e.n_levels, e.zero_is_missing)),
      missing_(axes.missing),
      columns_(axes.size.size()) {
    for (std::size_t f = 0; f < axes.size.size(); ++f) {
        const std::int32_t size = axes.size[f];
        widths_.push_back(axes.kind[f] == table::FeatureKind::unused ? 0 : size <= 256 ? 1 : size <= 65536 ? 2 : 4);
    }
}

template <class Code>
void Codes::encode(std::size_t f, const table::Rows& rows, std::span<const double> weight) {
    auto* out = reinterpret_cast<Code*>(columns_[f].data()) + n_rows_;
    if (encoder_->encode(f, rows.columns[f], 0, rows.n_rows, out))
        encoder_->write_missing(f, rows.columns[f], 0, rows.n_rows, static_cast<Code>(missing_[f]), out);
    std::size_t kept = 0;
    for (std::size_t r = 0; r < weight.size(); ++r) {
        out[kept] = out[r];
        kept += weight[r] != 0.0 ? 1 : 0;
    }
}

void Codes::append(const table::Rows& rows, std::span<const double> weight, int n_threads) {
    const bool has_zero = std::ranges::find(weight, 0.0) != weight.end();
    const std::span<const double> filter = has_zero ? weight : std::span<const double>{};
    for (std::size_t f = 0; f < columns_.size(); ++f) columns_[f].resize(padded(n_rows_ + rows.n_rows) * widths_[f]);
    base::parallel_for(columns_.size(), n_threads, base::work_of(columns_.size() * rows.n_rows, 5.0),
                       [&](std::size_t f) {
                           if (widths_[f] == 1) encode<std::uint8_t>(f, rows, filter);
                           if (widths_[f] == 2) encode<std::uint16_t>(f, rows, filter);
                           if (widths_[f] == 4) encode<std::uint32_t>(f, rows, filter);
                       });
    if (weight.empty()) {
        n_rows_ += rows.n_rows;
    } else {
        std::ranges::copy_if(weight, std::back_inserter(weight_), [](double w) { return w != 0.0; });
        n_rows_ = weight_.size();
        if (unit_ > 0.0) fix(unit_);
    }
}

void Codes::fix(double unit) {
    unit_ = unit;
    const std::size_t first = whole_.size();
    whole_.resize(weight_.size());
    for (std::size_t r = first; r < weight_.size(); ++r) whole_[r] = std::llrint(weight_[r] / unit);
}

void Codes::drop(std::size_t n) {
    for (std::size_t f = 0; f < columns_.size(); ++f) {
        auto& column = columns_[f];
        column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(n * widths_[f]));
    }
    if (is_weighted()) {
        weight_.erase(weight_.begin(), weight_.begin() + static_cast<std::ptrdiff_t>(n));
        whole_.erase(whole_.begin(), whole_.begin() + static_cast<std::ptrdiff_t>(std::min(n, whole_.size())));
    }
    n_rows_ -= n;
}

std::size_t Codes::bytes_per_row() const { return std::reduce(widths_.begin(), widths_.end()); }

std::vector<std::uint8_t> Codes::bytes() const {
    std::vector<std::uint8_t> out;
    out.reserve(n_rows_ * bytes_per_row());
    for (std::size_t f = 0; f < columns_.size(); ++f) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(columns_[f].data());
        out.insert(out.end(), first, first + n_rows_ * widths_[f]);
    }
    return out;
}

void Codes::restore(std::span<const std::uint8_t> bytes, std::size_t n_rows, std::span<const double> weight) {
    n_rows_ = n_rows;
    weight_.assign(weight.begin(), weight.end());
    for (std::size_t f = 0; f < columns_.size(); ++f) {
        columns_[f].assign(padded(n_rows) * widths_[f], std::byte{0});
        if (n_rows * widths_[f] > 0) std::memcpy(columns_[f].data(), bytes.data(), n_rows * widths_[f]);
        bytes = bytes.subspan(n_rows * widths_[f]);
    }
}

void Codes::add_to_index(std::size_t f, std::size_t first, std::size_t n, std::int64_t stride,
                         std::int64_t* index) const {
    if (widths_[f] == 1) add_column(column<std::uint8_t>(f, first), n, stride, index);
    if (widths_[f] == 2) add_column(column<std::uint16_t>(f, first), n, stride, index);
    if (widths_[f] == 4) add_column(column<std::uint32_t>(f, first), n, stride, index);
}

}  // namespace glasswood::explain

#include "glasswood/boosting/column_bundles.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace glasswood::boosting {
namespace {

constexpr std::size_t n_looked_at = 4096;  // rows, to find the usual bin of a feature
constexpr std::size_t most_tried = 32;     // bundles a feature is tried with, the youngest first
constexpr std::size_t most_codes = 255;    // of a bundle, besides the one of usual bins
constexpr std::size_t tile = 1024;         // rows written at a time

using RowSet = std::vector<std::uint64_t>;  // one bit per row

// A feature that may share a column.
struct Member {
    std::uint32_t feature;
    std::uint8_t usual;
    std::size_t n_others;  // rows looked at that are away from the usual bin
};

struct Bundle {
    std::vector<Member> members;
    std::size_t n_codes = 0;  // besides that of usual bins
    RowSet taken;             // rows in which a member is away from its usual bin
};

const std::uint8_t* column_of(const BinnedRows& rows, std::size_t feature) {
    return rows.columns + feature * rows.n_rows;
}

// The bin of most of some rows all over the table.
Member look_at(const BinnedRows& rows, std::uint32_t feature, std::size_t& n_seen) {
    const std::uint8_t* column = column_of(rows, feature);
    const std::size_t step = rows.n_rows / n_looked_at + 1;
    std::array<std::size_t, 256> counts{};
    n_seen = 0;
    for (std::size_t row = 0; row < rows.n_rows; row += step, ++n_seen) ++counts[column[row]];
    const auto most = std::ranges::max_element(counts);
    return {feature, static_cast<std::uint8_t>(most - counts.begin()), n_seen - *most};
}

RowSet rows_away(const BinnedRows& rows, const Member& member) {
    const std::uint8_t* column = column_of(rows, member.feature);
    RowSet away((rows.n_rows + 63) / 64);
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
        away[row / 64] |= static_cast<std::uint64_t>(column[row] != member.usual ? 1 : 0) << (row % 64);
    }
    return away;
}

bool overlap(const RowSet& a, const RowSet& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if ((a[i] & b[i]) != 0) return true;
    }
    return false;
}

std::vector<Bundle> find_bundles(const BinnedRows& rows, std::span<const std::uint16_t> n_bins) {
    std::vector<Member> candidates;
    for (std::uint32_t f = 0; f < n_bins.size(); ++f) {
        std::size_t n_seen = 0;
        const Member member = look_at(rows, f, n_seen);
        if (2 * member.n_others <= n_seen && n_bins[f] <= most_codes) candidates.push_back(member);
    }
    std::vector<Bundle> bundles;
    if (candidates.size() < 2) return bundles;
    std::ranges::stable_sort(candidates, std::greater<>{}, &Member::n_others);
    for (const Member& member : candidates) {
        const RowSet away = rows_away(rows, member);
        const auto fits = [&](const Bundle& bundle) {
            return bundle.n_codes + n_bins[member.feature] <= most_codes && !overlap(bundle.taken, away);
        };
        const auto tried = bundles.size() > most_tried ? bundles.end() - most_tried : bundles.begin();
        const auto found = std::find_if(tried, bundles.end(), fits);
        Bundle& bundle = found == bundles.end() ? bundles.emplace_back() : *found;
        bundle.members.push_back(member);
        bundle.n_codes += n_bins[member.feature];  // its bins and missing, without the usual one
        bundle.taken.resize(away.size());
        for (std::size_t i = 0; i < away.size(); ++i) bundle.taken[i] |= away[i];
    }
    std::erase_if(bundles, [](const Bundle& bundle) { return bundle.members.size() < 2; });
    return bundles;
}

std::uint8_t code_of(const ColumnBundles::Place& place, std::uint8_t bin) {
    return static_cast<std::uint8_t>(place.first + (bin < place.usual ? bin : bin - 1));
}

}  // namespace

ColumnBundles::ColumnBundles(const BinnedRows& rows, std::span<const std::uint16_t> n_bins) : rows_(rows) {
    for (std::size_t f = 0; f < n_bins.size(); ++f) {
        const auto n_cells = static_cast<std::uint16_t>(n_bins[f] + 1);
        places_.push_back({static_cast<std::uint32_t>(f), false, 0, 0, n_cells});
        n_codes_.push_back(n_cells);
    }
}

ColumnBundles ColumnBundles::find(const BinnedRows& rows, std::span<const std::uint16_t> n_bins) {
    const std::vector<Bundle> bundles = find_bundles(rows, n_bins);
    ColumnBundles found(rows, n_bins);
    if (bundles.empty()) return found;
    for (Place& place : found.places_) place.column = static_cast<std::uint32_t>(n_bins.size());
    for (std::size_t b = 0; b < bundles.size(); ++b) {
        std::size_t first = 1;
        for (const Member& member : bundles[b].members) {
            Place& place = found.places_[member.feature];
            place = {static_cast<std::uint32_t>(b), true, member.usual, static_cast<std::uint8_t>(first), place.n_bins};
            first += n_bins[member.feature];
        }
    }
    // Bundles stand before the columns of single features.
    found.n_codes_.clear();
    for (const Bundle& bundle : bundles) found.n_codes_.push_back(static_cast<std::uint16_t>(bundle.n_codes + 1));
    for (Place& place : found.places_) {
        if (place.is_shared) continue;
        place.column = static_cast<std::uint32_t>(found.n_codes_.size());
        found.n_codes_.push_back(place.n_bins);
    }
    const std::size_t n_columns = found.n_codes_.size(), stride = stride_of(n_columns);
    found.data_ = base::make_pages<std::uint8_t>(rows.n_rows * stride);
    found.rows_ = {found.data_.get(), rows.n_rows, n_columns, stride, nullptr};
    std::uint8_t* data = found.data_.get();
    for (std::size_t begin = 0; begin < rows.n_rows; begin += tile) {
        const std::size_t end = std::min(rows.n_rows, begin + tile);
        std::fill(data + begin * stride, data + end * stride, std::uint8_t{0});
        for (std::size_t f = 0; f < n_bins.size(); ++f) {
            const Place& place = found.places_[f];
            const std::uint8_t* column = column_of(rows, f);
            std::uint8_t* to = data + place.column;
            if (place.is_shared) {
                for (std::size_t row = begin; row < end; ++row) {
                    if (column[row] != place.usual) to[row * stride] = code_of(place, column[row]);
                }
            } else {
                for (std::size_t row = begin; row < end; ++row) to[row * stride] = column[row];
            }
        }
    }
    return found;
}

void ColumnBundles::unbundle(std::size_t feature, const Sums* codes, const Sums& total, Sums* cells) const {
    const Place& place = places_[feature];
    Sums usual = total;
    const Sums* from = codes + place.first;
    for (std::size_t bin = 0; bin < place.n_bins; ++bin) {
        if (bin == place.usual) continue;
        cells[bin] = *from++;
        usual = minus(usual, cells[bin]);
    }
    cells[place.usual] = usual;
}

void ColumnBundles::unbundle(std::size_t feature, const CellList& codes, const Sums& total, CellList& bins) const {
    const Place& place = places_[feature];
    const std::uint8_t* last = codes.bin + codes.n;
    const std::uint8_t* from = std::lower_bound(codes.bin, last, place.first);
    const std::uint8_t* to = std::lower_bound(from, last, place.first + place.n_bins - 1);
    Sums usual = total;
    for (const std::uint8_t* code = from; code != to; ++code) usual = minus(usual, codes.sums[code - codes.bin]);
    bins.n = 0;
    const auto add = [&](std::size_t bin, const Sums& sums) {
        bins.sums[bins.n] = sums;
        bins.bin[bins.n++] = static_cast<std::uint8_t>(bin);
    };
    bool has_usual = usual.weight == 0;
    for (const std::uint8_t* code = from; code != to; ++code) {
        std::size_t bin = static_cast<std::size_t>(*code - place.first);
        if (bin >= place.usual) ++bin;
        if (!has_usual && bin > place.usual) add(place.usual, usual);
        has_usual = has_usual || bin > place.usual;
        add(bin, codes.sums[code - codes.bin]);
    }
    if (!has_usual) add(place.usual, usual);
    bins.missing = Sums{};
    if (bins.n > 0 && bins.bin[bins.n - 1] == place.n_bins - 1) bins.missing = bins.sums[--bins.n];
}

}  // namespace glasswood::boosting

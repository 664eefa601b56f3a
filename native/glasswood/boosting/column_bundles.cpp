#include "glasswood/boosting/column_bundles.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace glasswood::boosting {
namespace {

constexpr std::size_t n_looked_at = 4096;  // rows, to find the usual bin of a feature
constexpr std::size_t max_tried = 32;      // bundles a feature is tried with, the youngest first
constexpr std::size_t max_codes = 255;     // of a bundle, besides the one of usual bins
constexpr std::size_t tile = 1024;         // rows written at a time

using RowSet = std::vector<std::uint64_t>;  // one bit per row

using Member = ColumnBundles::Member;

struct Bundle {
    std::vector<Member> members;
    std::size_t n_codes = 0;  // besides that of usual bins
    RowSet taken;             // rows in which a member is away from its usual bin
};

const std::uint8_t* column_of(const BinnedRows& rows, std::size_t feature) {
    return rows.columns + feature * rows.n_rows;
}

// The bin of most of some rows all over the table.
Member look_at(const BinnedRows& rows, std::uint32_t feature, std::size_t n_bins, std::size_t& n_seen) {
    const std::uint8_t* column = column_of(rows, feature);
    const std::size_t step = rows.n_rows / n_looked_at + 1;
    std::array<std::size_t, 256> counts{};
    n_seen = 0;
    for (std::size_t row = 0; row < rows.n_rows; row += step, ++n_seen) ++counts[column[row]];
    const auto most = std::ranges::max_element(counts);
    return {feature, static_cast<std::uint8_t>(most - counts.begin()), n_seen - *most, n_bins};
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

void add(CellList& list, std::size_t bin, const Sums& sums) {
    list.sums[list.n] = sums;
    list.bin[list.n++] = static_cast<std::uint8_t>(bin);
}

// Missing values have the last bin.
void take_missing(CellList& list, std::size_t n_bins) {
    list.missing = Sums{};
    if (list.n > 0 && list.bin[list.n - 1] == n_bins - 1) list.missing = list.sums[--list.n];
}

std::vector<Bundle> find_bundles(const BinnedRows& rows, std::span<const std::uint16_t> n_bins) {
    std::vector<Member> candidates;
    for (std::uint32_t f = 0; f < n_bins.size(); ++f) {
        std::size_t n_seen = 0;
        const Member member = look_at(rows, f, n_bins[f], n_seen);
        if (2 * member.n_away <= n_seen && n_bins[f] <= max_codes) candidates.push_back(member);
    }
    std::vector<Bundle> bundles;
    if (candidates.size() < 2) return bundles;
    std::ranges::stable_sort(candidates, std::greater<>{}, &Member::n_away);
    for (const Member& member : candidates) {
        const RowSet away = rows_away(rows, member);
        const auto fits = [&](const Bundle& bundle) {
            return bundle.n_codes + member.n_others <= max_codes && !overlap(bundle.taken, away);
        };
        const auto tried = bundles.size() > max_tried ? bundles.end() - max_tried : bundles.begin();
        const auto found = std::find_if(tried, bundles.end(), fits);
        Bundle& bundle = found == bundles.end() ? bundles.emplace_back() : *found;
        bundle.members.push_back(member);
        bundle.n_codes += member.n_others;
        bundle.taken.resize(away.size());
        for (std::size_t i = 0; i < away.size(); ++i) bundle.taken[i] |= away[i];
    }
    std::erase_if(bundles, [](const Bundle& bundle) { return bundle.members.size() < 2; });
    return bundles;
}

// A part before it has a column: a bundle, or one feature.
struct LoosePart {
    std::vector<std::uint32_t> features;
    std::size_t n_codes;
};

bool has_missing(const BinnedRows& rows, std::size_t feature, std::uint8_t missing) {
    const std::uint8_t* column = column_of(rows, feature);
    return std::find(column, column + rows.n_rows, missing) != column + rows.n_rows;
}

// Parts that share a column, the product of their codes being at most a byte: the largest first, each into the first
// column that holds it.
std::vector<std::vector<std::size_t>> share_columns(std::span<const LoosePart> parts, bool share) {
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t p) { return parts[p].n_codes; });
    std::vector<std::vector<std::size_t>> columns;
    std::vector<std::size_t> products;
    for (const std::size_t p : order) {
        const auto fits = [&](std::size_t product) { return product * parts[p].n_codes <= max_bins; };
        const auto found = share ? std::ranges::find_if(products, fits) : products.end();
        if (found == products.end()) {
            products.push_back(parts[p].n_codes);
            columns.push_back({p});
        } else {
            *found *= parts[p].n_codes;
            columns[static_cast<std::size_t>(found - products.begin())].push_back(p);
        }
    }
    return columns;
}

}  // namespace

ColumnBundles::ColumnBundles(const BinnedRows& rows, std::span<const std::uint16_t> n_bins) : rows_(rows) {
    for (std::uint32_t f = 0; f < n_bins.size(); ++f) {
        const auto n_cells = static_cast<std::uint16_t>(n_bins[f] + 1);
        places_.push_back({f, f, false, 0, 0, n_cells});
        parts_.push_back({f, n_cells, 1, true});
        n_codes_.push_back(n_cells);
    }
}

std::size_t ColumnBundles::lay_out(std::span<const std::vector<Member>> bundles, std::span<const Member> listed,
                                   std::span<const std::uint16_t> n_cells,
                                   const std::function<bool(std::size_t)>& drops_missing, bool share) {
    std::vector<LoosePart> loose;
    places_.clear();
    for (const std::uint16_t n : n_cells) places_.push_back({0, 0, false, 0, 0, n});
    for (const std::vector<Member>& bundle : bundles) {
        loose.push_back({{}, 1});
        for (const Member& member : bundle) {
            Place& place = places_[member.feature];
            place = {0,
                     0,
                     true,
                     member.usual,
                     static_cast<std::uint8_t>(loose.back().n_codes),
                     place.n_bins,
                     static_cast<std::uint8_t>(member.n_others)};
            loose.back().features.push_back(member.feature);
            loose.back().n_codes += member.n_others;
        }
    }
    for (const Member& member : listed) {
        places_[member.feature] = {
            0, 0, true, member.usual, 0, n_cells[member.feature], static_cast<std::uint8_t>(member.n_others), true};
    }
    for (std::uint32_t f = 0; f < n_cells.size(); ++f) {
        if (places_[f].is_shared) continue;
        // a cell that no row can be in only makes the product larger
        const bool small = n_cells[f] <= max_bins / 2 && share;
        loose.push_back({{f}, n_cells[f] - (small && drops_missing(f) ? 1U : 0U)});
    }
    parts_.clear();
    n_codes_.clear();
    for (const std::vector<std::size_t>& column : share_columns(loose, share)) {
        std::size_t product = 1;
        for (const std::size_t p : column) {
            for (const std::uint32_t f : loose[p].features) {
                places_[f].column = static_cast<std::uint32_t>(n_codes_.size());
                places_[f].part = static_cast<std::uint32_t>(parts_.size());
            }
            // alone with all its bins, so that codes are bins
            const bool is_alone = column.size() == 1 && (loose[p].features.size() > 1 ||
                                                         loose[p].n_codes == places_[loose[p].features[0]].n_bins);
            parts_.push_back({static_cast<std::uint32_t>(n_codes_.size()), static_cast<std::uint16_t>(loose[p].n_codes),
                              static_cast<std::uint16_t>(product), is_alone});
            product *= loose[p].n_codes;
        }
        n_codes_.push_back(static_cast<std::uint16_t>(product));
    }
    const std::size_t n_columns = n_codes_.size();
    for (const Member& member : listed) {
        Place& place = places_[member.feature];
        place.column = static_cast<std::uint32_t>(n_codes_.size());
        place.part = static_cast<std::uint32_t>(parts_.size());
        parts_.push_back({place.column, static_cast<std::uint16_t>(member.n_others + 1), 1, true});
        n_codes_.push_back(place.n_others);
    }
    return n_columns;
}

void ColumnBundles::set_bins(std::size_t feature, std::span<const std::uint32_t> rows,
                             std::vector<std::uint8_t>& out) const {
    const Place& place = places_[feature];
    if (place.is_listed) {
        out.assign(rows.size(), place.usual);
        lists_.for_values(list_of_values(feature), rows, [&](std::size_t i, std::uint8_t code) {
            out[i] = static_cast<std::uint8_t>(bin_of_other(code, place.usual));
        });
        return;
    }
    const FeatureCodes own = codes_of(feature);
    out.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = own.bin[own.codes[rows[i]]];
}

std::array<std::uint8_t, 256> ColumnBundles::codes_by_bin(std::size_t feature) const {
    const Place& place = places_[feature];
    std::array<std::uint8_t, 256> code{};  // of each bin, as it is added to the column's
    for (std::size_t bin = 0; bin < place.n_bins; ++bin) {
        const std::size_t own = !place.is_shared     ? bin
                                : bin == place.usual ? 0
                                                     : place.first + other_of_bin(bin, place.usual);
        code[bin] = static_cast<std::uint8_t>(own * parts_[place.part].scale);
    }
    return code;
}

ColumnBundles::FeatureCodes ColumnBundles::codes_of(std::size_t feature) const {
    const Place& place = places_[feature];
    const Part& part = parts_[place.part];
    FeatureCodes found{rows_.columns + place.column * rows_.n_rows, {}};
    for (std::size_t code = 0; code < n_codes_[place.column]; ++code) {
        std::size_t own = code / part.scale % part.n_codes;
        if (place.is_shared) {
            const bool is_own = own >= place.first && own < std::size_t{place.first} + place.n_others;
            own = is_own ? bin_of_other(own - place.first, place.usual) : place.usual;
        }
        found.bin[code] = static_cast<std::uint8_t>(own);
    }
    return found;
}

ColumnBundles ColumnBundles::find(const BinnedRows& rows, std::span<const std::uint16_t> n_bins,
                                  std::size_t least_rows) {
    std::vector<std::vector<Member>> bundles;
    for (Bundle& bundle : find_bundles(rows, n_bins)) bundles.push_back(std::move(bundle.members));
    std::vector<std::uint16_t> n_cells(n_bins.begin(), n_bins.end());
    for (std::uint16_t& n : n_cells) ++n;
    ColumnBundles found;
    const auto drops_missing = [&](std::size_t f) {
        return !has_missing(rows, f, static_cast<std::uint8_t>(n_bins[f]));
    };
    const std::size_t n_columns = found.lay_out(bundles, {}, n_cells, drops_missing, rows.n_rows >= least_rows);
    if (n_columns == n_bins.size()) return ColumnBundles(rows, n_bins);
    const std::size_t stride = stride_of(n_columns);
    found.data_ = base::make_pages<std::uint8_t>(rows.n_rows * stride);
    found.rows_ = {found.data_.get(), rows.n_rows, n_columns, stride, nullptr};
    std::uint8_t* data = found.data_.get();
    for (std::size_t begin = 0; begin < rows.n_rows; begin += tile) {
        const std::size_t end = std::min(rows.n_rows, begin + tile);
        std::fill(data + begin * stride, data + end * stride, std::uint8_t{0});
        for (std::size_t f = 0; f < n_bins.size(); ++f) {
            const std::array<std::uint8_t, 256> code = found.codes_by_bin(f);
            const std::uint8_t* column = column_of(rows, f);
            std::uint8_t* to = data + found.places_[f].column;
            for (std::size_t row = begin; row < end; ++row) to[row * stride] += code[column[row]];
        }
    }
    return found;
}

OtherCells ColumnBundles::other_cells(std::size_t feature, std::size_t column) const {
    const Place& place = places_[feature];
    const std::size_t missing = place.n_bins - 1U;
    if (!place.is_shared || !parts_[place.part].is_alone || place.usual == missing) return {};
    const bool has_missing = place.n_others == missing;
    return {static_cast<std::uint32_t>(column + place.first), place.usual,
            static_cast<std::uint8_t>(place.n_others - (has_missing ? 1 : 0)), has_missing};
}

const Sums* ColumnBundles::cells_of(std::size_t feature, const Sums* codes, const Sums& total, Spare& spare) const {
    const Place& place = places_[feature];
    const Part& part = parts_[place.part];
    if (!part.is_alone) {
        if (spare.part != place.part) {
            spare.part = place.part;
            std::fill_n(spare.of_part.begin(), std::min<std::size_t>(part.n_codes + 1U, max_bins), Sums{});
            const std::size_t n = n_codes_[place.column], step = part.scale;
            for (std::size_t code = 0, own = 0; code < n; code += step, own = own + 1 == part.n_codes ? 0 : own + 1) {
                Sums sums = spare.of_part[own];
                for (std::size_t i = code; i < code + step; ++i) sums = plus(sums, codes[i]);
                spare.of_part[own] = sums;
            }
        }
        codes = spare.of_part.data();
    }
    if (!place.is_shared) return codes;
    const Sums* from = codes + place.first;
    const auto holds_rows = [](const Sums& sums) { return sums.weight != 0; };
    const Sums* last = from + place.n_others;
    if (std::none_of(from, last, holds_rows)) return nullptr;
    Sums usual = total;
    spare.of_feature[place.n_bins - 1U] = Sums{};  // where no row is missing
    for (std::size_t bin = 0; from != last; ++bin) {
        if (bin == place.usual) continue;
        spare.of_feature[bin] = *from++;
        usual = minus(usual, spare.of_feature[bin]);
    }
    spare.of_feature[place.usual] = usual;
    return spare.of_feature.data();
}

const Sums* ColumnBundles::all_cells_of(std::size_t feature, const Sums* codes, const Sums& total, Spare& spare) const {
    const Sums* found = cells_of(feature, codes, total, spare);
    if (found != nullptr) return found;
    std::fill_n(spare.of_feature.begin(), places_[feature].n_bins, Sums{});
    spare.of_feature[places_[feature].usual] = total;
    return spare.of_feature.data();
}

const CellList& ColumnBundles::list_of(std::size_t feature, const CellList& all, const Sums& total,
                                       Spare& spare) const {
    const Place& place = places_[feature];
    const Part& part = parts_[place.part];
    const CellList* list = &all;
    if (!part.is_alone) {
        if (spare.part != place.part) {
            spare.part = place.part;
            std::fill_n(spare.of_part.begin(), part.n_codes, Sums{});
            for (std::size_t i = 0; i < all.n; ++i) {
                Sums& own = spare.of_part[all.bin[i] / part.scale % part.n_codes];
                own = plus(own, all.sums[i]);
            }
            spare.part_list.n = 0;
            for (std::size_t code = 0; code < part.n_codes; ++code) {
                if (spare.of_part[code].weight != 0) add(spare.part_list, code, spare.of_part[code]);
            }
            if (!place.is_shared) take_missing(spare.part_list, place.n_bins);
        }
        list = &spare.part_list;
    }
    if (!place.is_shared) return *list;
    CellList& own = spare.feature_list;
    const std::uint8_t* last = list->bin + list->n;
    const std::uint8_t* from = std::lower_bound(list->bin, last, place.first);
    const std::uint8_t* to = std::lower_bound(from, last, place.first + place.n_others);
    Sums usual = total;
    for (const std::uint8_t* code = from; code != to; ++code) usual = minus(usual, list->sums[code - list->bin]);
    own.n = 0;
    bool has_usual = usual.weight == 0;
    for (const std::uint8_t* code = from; code != to; ++code) {
        const std::size_t bin = bin_of_other(static_cast<std::size_t>(*code - place.first), place.usual);
        if (!has_usual && bin > place.usual) add(own, place.usual, usual);
        has_usual = has_usual || bin > place.usual;
        add(own, bin, list->sums[code - list->bin]);
    }
    if (!has_usual) add(own, place.usual, usual);
    take_missing(own, place.n_bins);
    return own;
}

}  // namespace glasswood::boosting

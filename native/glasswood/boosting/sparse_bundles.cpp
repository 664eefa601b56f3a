// ColumnBundles of a table that stores few of its values: neither its bins nor a dense copy ever exist.
#include <algorithm>
#include <functional>

#include "glasswood/boosting/column_bundles.hpp"
#include "glasswood/boosting/table_binner.hpp"

namespace glasswood::boosting {
namespace {

constexpr std::size_t max_tried = 512;  // bundles a feature is tried with, the youngest first
constexpr std::size_t max_codes = 255;  // of a bundle, besides the one of usual bins
constexpr std::size_t tile = 1024;      // rows turned at a time
// A value in a list costs as much as so many in a column, where they stand side by side and are added in order.
constexpr std::size_t values_per_listed = 3;

using Member = ColumnBundles::Member;

// Bins of the stored values of sparse columns of numbers; those of other columns are worked out when they are needed.
class StoredBins {
 public:
    StoredBins(const table::Rows& table, const TableBinner& binner) : table_(table) {
        start_.push_back(0);
        for (const table::Column& column : table.columns) {
            start_.push_back(start_.back() + (is_kept(column) ? column.stored.size() : 0));
        }
        bins_.resize(start_.back());
        usual_.resize(table.columns.size());
        for (std::size_t f = 0; f < table.columns.size(); ++f) {
            if (!has(f)) continue;
            usual_[f] = binner.bin_of_others(f);
            binner.bin_stored(f, bins_.data() + start_[f]);
        }
    }

    bool has(std::size_t feature) const { return is_kept(table_.columns[feature]); }
    std::uint8_t usual(std::size_t feature) const { return usual_[feature]; }

    // Calls body(row, bin) for every stored value away from the usual bin until it returns false.
    template <class Body>
    void for_others(std::size_t feature, Body&& body) const {
        const std::span stored = table_.columns[feature].stored;
        const std::uint8_t* bins = bins_.data() + start_[feature];
        for (std::size_t i = 0; i < stored.size(); ++i) {
            if (bins[i] != usual_[feature] && !body(static_cast<std::size_t>(stored[i]), bins[i])) return;
        }
    }

    std::size_t n_away(std::size_t feature) const {
        std::size_t n = 0;
        for_others(feature, [&](std::size_t, std::uint8_t) { return ++n > 0; });
        return n;
    }

    // Whether a row has this bin.
    bool any_in(std::size_t feature, std::uint8_t bin) const {
        bool found = bin == usual_[feature] && table_.columns[feature].stored.size() < table_.n_rows;
        for (std::size_t i = start_[feature]; i < start_[feature + 1]; ++i) found = found || bins_[i] == bin;
        return found;
    }

 private:
    static bool is_kept(const table::Column& column) {
        return column.is_sparse && column.type != table::ColumnType::code;
    }

    table::Rows table_;
    std::vector<std::size_t> start_;
    std::vector<std::uint8_t> bins_;
    std::vector<std::uint8_t> usual_;
};

struct Bundle {
    std::vector<Member> members;
    std::size_t n_codes = 0;           // besides that of usual bins
    std::vector<std::uint64_t> taken;  // rows in which a member is away from its usual bin, one bit each
};

bool overlap(const Bundle& bundle, const StoredBins& bins, std::size_t feature) {
    bool meets = false;
    bins.for_others(feature, [&](std::size_t row, std::uint8_t) {
        meets = ((bundle.taken[row / 64] >> (row % 64)) & 1U) != 0;
        return !meets;
    });
    return meets;
}

std::vector<std::vector<Member>> find_bundles(const StoredBins& bins, std::span<const std::uint16_t> n_cells,
                                              std::size_t n_rows) {
    std::vector<Member> candidates;
    for (std::uint32_t f = 0; f < n_cells.size(); ++f) {
        if (!bins.has(f) || n_cells[f] > max_codes) continue;
        const std::size_t n_away = bins.n_away(f);
        if (2 * n_away > n_rows) continue;
        const auto missing = static_cast<std::uint8_t>(n_cells[f] - 1);
        candidates.push_back({f, bins.usual(f), n_away, missing - (bins.any_in(f, missing) ? std::size_t{0} : 1U)});
    }
    std::ranges::stable_sort(candidates, std::greater<>{}, &Member::n_away);
    std::vector<Bundle> bundles;
    for (const Member& member : candidates) {
        const auto fits = [&](const Bundle& bundle) {
            return bundle.n_codes + member.n_others <= max_codes && !overlap(bundle, bins, member.feature);
        };
        const auto tried = bundles.size() > max_tried ? bundles.end() - max_tried : bundles.begin();
        const auto found = std::find_if(tried, bundles.end(), fits);
        Bundle& bundle = found == bundles.end() ? bundles.emplace_back() : *found;
        bundle.taken.resize((n_rows + 63) / 64);
        bundle.members.push_back(member);
        bundle.n_codes += member.n_others;
        bins.for_others(member.feature, [&](std::size_t row, std::uint8_t) {
            bundle.taken[row / 64] |= std::uint64_t{1} << (row % 64);
            return true;
        });
    }
    std::vector<std::vector<Member>> found;
    for (Bundle& bundle : bundles) found.push_back(std::move(bundle.members));
    return found;
}

// Members of the bundles that are better listed: they fill little of a column. Without `lists` none are. Bundles of one
// are removed too.
std::vector<Member> take_listed(std::vector<std::vector<Member>>& bundles, std::size_t n_rows, bool lists) {
    std::vector<Member> listed;
    std::erase_if(bundles, [&](const std::vector<Member>& members) {
        std::size_t n_away = 0;
        for (const Member& member : members) n_away += member.n_away;
        const bool is_listed = lists && n_away * values_per_listed < n_rows;
        if (is_listed) listed.insert(listed.end(), members.begin(), members.end());
        return is_listed || members.size() < 2;
    });
    std::ranges::sort(listed, {}, &Member::feature);
    return listed;
}

StoredValues list_values(const StoredBins& bins, std::span<const Member> listed, std::size_t n_rows) {
    StoredValues values;
    std::size_t n = 0;
    for (const Member& member : listed) n += member.n_away;
    values.reserve(n);
    for (const Member& member : listed) {
        values.add_feature(member.n_others);
        bins.for_others(member.feature, [&](std::size_t row, std::uint8_t bin) {
            values.add({static_cast<std::uint32_t>(row), static_cast<std::uint8_t>(other_of_bin(bin, member.usual))});
            return true;
        });
    }
    values.finish(n_rows);
    return values;
}

}  // namespace

ColumnBundles ColumnBundles::of_sparse(const table::Rows& table, const table::Grid& edges, const LevelBins& levels,
                                       std::span<const std::uint16_t> n_bins, bool with_unseen, bool lists,
                                       std::size_t least_rows) {
    const std::size_t n = table.n_rows;
    const TableBinner binner(table, edges, levels);
    const StoredBins bins(table, binner);
    std::vector<std::uint16_t> n_cells(n_bins.begin(), n_bins.end());
    for (std::size_t f = 0; f < n_cells.size(); ++f) {
        const bool is_category = table.columns[f].type == table::ColumnType::code;
        n_cells[f] = static_cast<std::uint16_t>(n_cells[f] + (with_unseen && is_category ? 2 : 1));
    }
    const auto drops_missing = [&](std::size_t f) {
        return bins.has(f) && !bins.any_in(f, static_cast<std::uint8_t>(n_cells[f] - 1));
    };
    ColumnBundles found;
    std::vector<std::vector<Member>> bundles = find_bundles(bins, n_cells, n);
    const std::vector<Member> listed = take_listed(bundles, n, lists);
    const std::size_t n_columns = found.lay_out(bundles, listed, n_cells, drops_missing, n >= least_rows);
    found.lists_ = list_values(bins, listed, n);
    const std::size_t stride = stride_of(n_columns);
    found.data_ = base::make_pages<std::uint8_t>(n * stride);
    found.columns_ = base::make_pages<std::uint8_t>(n * n_columns);
    found.rows_ = {found.data_.get(), n, n_columns, stride, found.columns_.get()};
    std::uint8_t* columns = found.columns_.get();
    std::fill_n(columns, n * n_columns, std::uint8_t{0});
    std::vector<std::uint8_t> dense;
    for (std::size_t f = 0; f < n_cells.size(); ++f) {
        if (found.places_[f].is_listed) continue;
        const std::array<std::uint8_t, 256> code = found.codes_by_bin(f);
        std::uint8_t* to = columns + found.places_[f].column * n;
        if (!bins.has(f)) {
            dense.resize(n);
            for (std::size_t begin = 0; begin < n; begin += tile) {
                binner.bin(f, begin, std::min(tile, n - begin), dense.data() + begin);
            }
            for (std::size_t row = 0; row < n; ++row) to[row] += code[dense[row]];
            continue;
        }
        const std::uint8_t usual = code[bins.usual(f)];
        if (usual != 0) {
            for (std::size_t row = 0; row < n; ++row) to[row] += usual;
        }
        bins.for_others(f, [&](std::size_t row, std::uint8_t bin) {
            to[row] = static_cast<std::uint8_t>(to[row] + code[bin] - usual);
            return true;
        });
    }
    std::uint8_t* data = found.data_.get();
    for (std::size_t begin = 0; begin < n; begin += tile) {
        const std::size_t end = std::min(n, begin + tile);
        std::fill(data + begin * stride, data + end * stride, std::uint8_t{0});
        for (std::size_t c = 0; c < n_columns; ++c) {
            for (std::size_t row = begin; row < end; ++row) data[row * stride + c] = columns[c * n + row];
        }
    }
    return found;
}

}  // namespace glasswood::boosting

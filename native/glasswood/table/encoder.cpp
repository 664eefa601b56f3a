#include "glasswood/table/encoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glasswood/table/column_numbers.hpp"
#include "glasswood/table/sparse_column.hpp"

namespace glasswood::table {
namespace {

constexpr std::size_t tile = 128;  // rows at a time: values, slots and codes stay in the first cache
// Slots per threshold: fewer make slots crowded, more make the tables of many thresholds outgrow the caches.
constexpr std::size_t slots_per_threshold(std::size_t n_thresholds) { return n_thresholds <= 1024 ? 8 : 4; }
constexpr std::size_t max_slots = std::size_t{1} << 24;
constexpr std::uint32_t max_linear_steps = 4;  // from there on halving needs fewer comparisons
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// NaN goes to slot 0, where it is below every threshold.
std::int32_t slot_of(double x, double low, double scale, double last_slot) {
    double z = (x - low) * scale;
    z = z > 0.0 ? z : 0.0;
    z = z < last_slot ? z : last_slot;
    return static_cast<std::int32_t>(z);
}

// Code from the first candidate threshold of the slot: `Steps` comparisons side by side.
template <std::uint32_t Steps, class First>
void compare(const double* thresholds, const First* first, const std::int32_t* slot, const double* x, std::size_t n,
             std::uint32_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t from = first[slot[i]];
        std::uint32_t code = from;
        for (std::uint32_t k = 0; k < Steps; ++k) code += thresholds[from + k] < x[i] ? 1U : 0U;
        out[i] = code;
    }
}

// The same for crowded slots, by halving a window of 2^steps - 1 thresholds; those beyond the slot are above
// x anyway.
std::uint32_t halve(const double* thresholds, std::uint32_t from, std::uint32_t steps, double x) {
    for (std::uint32_t half = (1U << steps) >> 1; half != 0; half >>= 1) {
        from += thresholds[from + half - 1] < x ? half : 0U;
    }
    return from;
}

template <class First>
void compare_in_slots(const double* thresholds, const First* first, std::uint32_t steps, bool halving,
                      const std::int32_t* slot, const double* x, std::size_t n, std::uint32_t* out) {
    if (halving) {
        for (std::size_t i = 0; i < n; ++i) out[i] = halve(thresholds, first[slot[i]], steps, x[i]);
        return;
    }
    switch (steps) {
        case 0:
            std::fill_n(out, n, 0U);
            break;
        case 1:
            compare<1>(thresholds, first, slot, x, n, out);
            break;
        case 2:
            compare<2>(thresholds, first, slot, x, n, out);
            break;
        case 3:
            compare<3>(thresholds, first, slot, x, n, out);
            break;
        default:
            compare<4>(thresholds, first, slot, x, n, out);
            break;
    }
}

}  // namespace

Encoder::Encoder(const Grid& grid, std::span<const std::int32_t> n_levels,
                 std::span<const std::uint8_t> zero_is_missing)
    : tables_(grid.n_features()) {
    for (std::size_t f = 0; f < tables_.size(); ++f) {
        tables_[f].n_levels = static_cast<std::uint32_t>(n_levels[f]);
        tables_[f].zero_is_missing = zero_is_missing[f] != 0;
        add_numeric(grid.of(f), tables_[f]);
    }
}

void Encoder::add_numeric(std::span<const double> thresholds, Table& table) {
    const std::size_t n = thresholds.size();
    const auto finite = [](double t) { return std::isfinite(t); };
    const auto low = std::find_if(thresholds.begin(), thresholds.end(), finite);
    const auto high = std::find_if(thresholds.rbegin(), thresholds.rend(), finite);
    const std::size_t slots = std::clamp<std::size_t>(n * slots_per_threshold(n), 1, max_slots);
    table.last_slot = static_cast<double>(slots - 1);
    if (low != thresholds.end()) {
        table.low = *low;
        const double scale = static_cast<double>(slots) / (*high - *low);
        table.scale = std::isfinite(scale) ? scale : 0.0;  // one threshold, or too close for a float64: all in one slot
    }

    std::vector<std::uint32_t> first(slots + 1, 0);
    for (const double t : thresholds) ++first[slot_of(t, table.low, table.scale, table.last_slot) + 1];
    const std::uint32_t crowd = *std::max_element(first.begin(), first.end());
    for (std::size_t s = 0; s < slots; ++s) first[s + 1] += first[s];
    table.narrow = n <= std::numeric_limits<std::uint16_t>::max();
    if (table.narrow) {
        table.first = narrow_first_.size();
        narrow_first_.insert(narrow_first_.end(), first.begin(), first.end());
    } else {
        table.first = wide_first_.size();
        wide_first_.insert(wide_first_.end(), first.begin(), first.end());
    }

    table.halving = crowd > max_linear_steps;
    table.steps = crowd;
    if (table.halving) {
        table.steps = 0;
        while ((std::uint64_t{1} << table.steps) <= crowd) ++table.steps;
    }
    table.threshold = thresholds_.size();
    thresholds_.insert(thresholds_.end(), thresholds.begin(), thresholds.end());
    const std::size_t padding = table.halving ? std::size_t{1} << table.steps : table.steps;
    thresholds_.insert(thresholds_.end(), padding, inf);
}

// Values as float64 with NaN for missing; whether any is.
bool Encoder::load(const Table& table, const Column& column, std::size_t first, std::size_t n, double* x) const {
    load_numbers(column, first, n, x);
    if (column.type == ColumnType::code) {
        for (std::size_t i = 0; i < n; ++i) x[i] = x[i] < 0.0 ? nan : x[i];
    } else if (table.zero_is_missing) {
        for (std::size_t i = 0; i < n; ++i) x[i] = std::fabs(x[i]) <= zero_reach ? nan : x[i];
    }
    int missing = 0;
    for (std::size_t i = 0; i < n; ++i) missing |= x[i] != x[i] ? 1 : 0;
    return missing != 0;
}

void Encoder::encode_numbers(const Table& table, const double* x, std::size_t n, std::uint32_t* out) const {
    std::int32_t slot[tile];
    const double low = table.low;
    const double scale = table.scale;
    const double last_slot = table.last_slot;
    for (std::size_t i = 0; i < n; ++i) slot[i] = slot_of(x[i], low, scale, last_slot);
    const double* thresholds = thresholds_.data() + table.threshold;
    if (table.narrow) {
        compare_in_slots(thresholds, narrow_first_.data() + table.first, table.steps, table.halving, slot, x, n, out);
    } else {
        compare_in_slots(thresholds, wide_first_.data() + table.first, table.steps, table.halving, slot, x, n, out);
    }
}

std::uint32_t Encoder::code(std::size_t feature, double x) const {
    const Table& table = tables_[feature];
    const auto slot = static_cast<std::size_t>(slot_of(x, table.low, table.scale, table.last_slot));
    const std::uint32_t from = table.narrow ? narrow_first_[table.first + slot] : wide_first_[table.first + slot];
    const double* thresholds = thresholds_.data() + table.threshold;
    if (table.halving) return halve(thresholds, from, table.steps, x);
    std::uint32_t code = from;
    for (std::uint32_t k = 0; k < table.steps; ++k) code += thresholds[from + k] < x ? 1U : 0U;
    return code;
}

template <class Code>
bool Encoder::encode(std::size_t feature, const Column& column, std::size_t first, std::size_t n, Code* out) const {
    if (column.is_sparse) return encode_sparse(feature, column, first, n, out);
    const Table& table = tables_[feature];
    double x[tile];
    std::uint32_t code[tile];
    bool missing = false;
    for (std::size_t done = 0; done < n; done += tile) {
        const std::size_t rows = std::min(tile, n - done);
        missing |= load(table, column, first + done, rows, x);
        if (column.type == ColumnType::code) {
            const double unseen = table.n_levels;
            for (std::size_t i = 0; i < rows; ++i) {
                const double level = x[i] < unseen ? x[i] : unseen;
                code[i] = x[i] == x[i] ? static_cast<std::uint32_t>(level) : 0U;
            }
        } else {
            encode_numbers(table, x, rows, code);
        }
        constexpr auto lowest = static_cast<std::uint32_t>(std::numeric_limits<Code>::min());
        for (std::size_t i = 0; i < rows; ++i) out[done + i] = static_cast<Code>(code[i] + lowest);
    }
    return missing;
}

// Rows that are not stored share one code; only stored values are looked up.
template <class Code>
bool Encoder::encode_sparse(std::size_t feature, const Column& column, std::size_t first, std::size_t n,
                            Code* out) const {
    const std::size_t begin = stored_from(column, first), end = stored_from(column, first + n);
    const auto level = static_cast<std::int32_t>(column.type == ColumnType::code ? column.fill : 0.0);
    const auto* fill = column.type == ColumnType::code ? reinterpret_cast<const std::byte*>(&level)
                                                       : reinterpret_cast<const std::byte*>(&column.fill);
    const ColumnType type = column.type == ColumnType::code ? ColumnType::code : ColumnType::float64;
    Code code[tile] = {};
    bool missing = encode(feature, Column{fill, 0, type}, 0, 1, code) && end - begin < n;
    std::fill_n(out, n, code[0]);
    for (std::size_t i = begin; i < end; i += tile) {
        const std::size_t count = std::min(tile, end - i);
        missing |= encode(feature, stored_values(column, i), 0, count, code);
        for (std::size_t k = 0; k < count; ++k) out[static_cast<std::size_t>(column.stored[i + k]) - first] = code[k];
    }
    return missing;
}

template <class Code>
void Encoder::write_missing(std::size_t feature, const Column& column, std::size_t first, std::size_t n, Code code,
                            Code* out) const {
    double x[tile];
    for (std::size_t done = 0; done < n; done += tile) {
        const std::size_t rows = std::min(tile, n - done);
        load(tables_[feature], column, first + done, rows, x);
        for (std::size_t i = 0; i < rows; ++i) out[done + i] = x[i] != x[i] ? code : out[done + i];
    }
}

#define GLASSWOOD_ENCODE(Code)                                                                              \
    template bool Encoder::encode<Code>(std::size_t, const Column&, std::size_t, std::size_t, Code*) const; \
    template void Encoder::write_missing<Code>(std::size_t, const Column&, std::size_t, std::size_t, Code, Code*) const;
GLASSWOOD_ENCODE(std::int8_t)
GLASSWOOD_ENCODE(std::int16_t)
GLASSWOOD_ENCODE(std::uint8_t)
GLASSWOOD_ENCODE(std::uint16_t)
GLASSWOOD_ENCODE(std::uint32_t)
#undef GLASSWOOD_ENCODE

}  // namespace glasswood::table

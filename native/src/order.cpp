#include "glasswood/order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace glasswood {
namespace {

struct Item {
    std::uint64_t key;
    std::uint32_t row;
};

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Integers in the order of the doubles they stand for.
std::uint64_t key_of(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0 + 0 is 0: the two are one value
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

double number_of(std::uint64_t key) { return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key); }

constexpr int item_digit = 11;
constexpr std::size_t item_digits = 6;  // 6 · 11 bits cover 64
using Counts = std::array<std::uint32_t, std::size_t{1} << item_digit>;

std::size_t digit_of(std::uint64_t key, std::size_t d) { return (key >> (d * item_digit)) & ((1U << item_digit) - 1); }

// Turns counts into first positions.
void accumulate(std::span<std::uint32_t> counts) {
    std::uint32_t before = 0;
    for (std::uint32_t& count : counts) before += std::exchange(count, before);
}

void sort_items(std::vector<Item>& items) {
    std::vector<Counts> counts(item_digits, Counts{});
    for (const Item& item : items) {
        for (std::size_t d = 0; d < item_digits; ++d) ++counts[d][digit_of(item.key, d)];
    }
    std::vector<Item> other(items.size());
    for (std::size_t d = 0; d < item_digits; ++d) {
        // Float32 input leaves the low digits zero: nothing to do for them.
        if (counts[d][digit_of(items.front().key, d)] == items.size()) continue;
        accumulate(counts[d]);
        for (const Item& item : items) other[counts[d][digit_of(item.key, d)]++] = item;
        items.swap(other);
    }
}

void insertion_sort(std::span<std::uint64_t> keys) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        const std::uint64_t key = keys[i];
        std::size_t j = i;
        for (; j > 0 && (keys[j - 1] >> 32) > (key >> 32); --j) keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

}  // namespace

double number_at(const Column& column, std::size_t row) {
    return column.type == ColumnType::float32 ? value_at<float>(column, row) : value_at<double>(column, row);
}

SortedColumn sort_column(const Column& column, std::size_t n_rows) {
    SortedColumn sorted;
    std::vector<Item> items;
    items.reserve(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double x = number_at(column, row);
        if (std::isnan(x)) {
            sorted.missing.push_back(static_cast<std::uint32_t>(row));
        } else {
            items.push_back({key_of(x), static_cast<std::uint32_t>(row)});
        }
    }
    if (!items.empty()) sort_items(items);
    sorted.rows.reserve(items.size());
    sorted.values.reserve(items.size());
    for (const Item& item : items) {
        sorted.rows.push_back(item.row);
        sorted.values.push_back(number_of(item.key));
    }
    return sorted;
}

std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, std::uint32_t low,
                                   std::uint32_t high) {
    constexpr std::size_t few = 24;
    if (keys.size() <= few) {
        insertion_sort(keys);
        return keys;
    }
    // As many bits a pass as there are keys to fill the counters with.
    const int bits = std::bit_width(high - low);
    const int widest = std::clamp(static_cast<int>(std::bit_width(keys.size())), 5, 11);
    const int passes = (bits + widest - 1) / widest;
    if (passes == 0) return keys;
    const int width = (bits + passes - 1) / passes;
    std::array<std::uint32_t, std::size_t{1} << 11> counts;
    const std::span used(counts.data(), std::size_t{1} << width);
    const std::uint32_t mask = (1U << width) - 1;
    for (int pass = 0; pass < passes; ++pass) {
        const int shift = pass * width;
        const auto digit = [=](std::uint64_t key) {
            return ((static_cast<std::uint32_t>(key >> 32) - low) >> shift) & mask;
        };
        std::ranges::fill(used, 0);
        for (const std::uint64_t key : keys) ++used[digit(key)];
        accumulate(used);
        for (const std::uint64_t key : keys) scratch[used[digit(key)]++] = key;
        std::swap(keys, scratch);
    }
    return keys;
}

}  // namespace glasswood

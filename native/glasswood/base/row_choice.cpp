#include "glasswood/base/row_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "glasswood/base/random.hpp"

namespace glasswood::base {
namespace {

constexpr int bucket_bits = 11;
constexpr std::size_t n_buckets = std::size_t{1} << bucket_bits;

std::size_t bucket_of(std::uint64_t key) { return static_cast<std::size_t>(key >> (64 - bucket_bits)); }

// The key of rank n, 0 the smallest: keys below it are the n smallest. Numbers are counted by their first bits, and
// only the bucket that holds the rank is sorted.
template <class KeyOf>
std::uint64_t search_key_of_rank(std::span<const std::uint32_t> rows, std::size_t n, const KeyOf& key_of) {
    std::array<std::size_t, n_buckets> count{};
    for (const std::uint32_t row : rows) ++count[bucket_of(key_of(row))];
    std::size_t bucket = 0;
    while (n >= count[bucket]) n -= count[bucket++];
    std::vector<std::uint64_t> keys;
    keys.reserve(count[bucket]);
    for (const std::uint32_t row : rows) {
        const std::uint64_t key = key_of(row);
        if (bucket_of(key) == bucket) keys.push_back(key);
    }
    std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n), keys.end());
    return keys[n];
}

// Which side of the n-th smallest key a row's key is on.
enum Side : std::uint8_t { above, below, near };

// The key of rank n, nearly always in one pass: keys are as good as uniform, so the one of rank n lies close to n of N.
// Rows whose keys lie there are `near`, the others are told apart already.
template <class KeyOf>
std::uint64_t key_of_rank(std::span<const std::uint32_t> rows, std::size_t n, const KeyOf& key_of,
                          std::vector<std::uint8_t>& side) {
    const auto n_rows = static_cast<double>(rows.size());
    const double share = static_cast<double>(n) / n_rows;
    const double margin = 8.0 * std::sqrt(share * (1.0 - share) / n_rows) + 8.0 / n_rows;
    const auto at = [](double x) { return static_cast<std::uint64_t>(std::clamp(x, 0.0, 0x1.fffffp-1) * 0x1p64); };
    const std::uint64_t low = at(share - margin), width = at(share + margin) - low;
    std::vector<std::uint64_t> keys;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint64_t key = key_of(rows[i]);
        side[i] = static_cast<std::uint8_t>(key < low);  // below or above
        if (key - low < width) {
            side[i] = near;
            keys.push_back(key);
        }
    }
    const auto n_below = static_cast<std::size_t>(std::ranges::count(side, std::uint8_t{below}));
    if (n < n_below || n - n_below >= keys.size()) {
        std::ranges::fill(side, std::uint8_t{near});
        return search_key_of_rank(rows, n, key_of);
    }
    const auto rank = static_cast<std::ptrdiff_t>(n - n_below);
    std::nth_element(keys.begin(), keys.begin() + rank, keys.end());
    return keys[rank];
}

template <class KeyOf>
void choose(std::span<const std::uint32_t> rows, std::size_t n, const KeyOf& key_of, std::vector<std::uint32_t>& drawn,
            std::vector<std::uint32_t>& left_out) {
    std::vector<std::uint8_t> side(rows.size(), below);
    const std::uint64_t end = n < rows.size() ? key_of_rank(rows, n, key_of, side) : 0;
    drawn.resize(n + 1);  // every row is written to both, and stays in one: no branch to guess wrong
    left_out.resize(rows.size() - n + 1);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (side[i] == near) side[i] = static_cast<std::uint8_t>(key_of(rows[i]) < end);
        drawn[taken] = rows[i];
        left_out[i - taken] = rows[i];
        taken += side[i];
    }
    drawn.resize(n);
    left_out.resize(rows.size() - n);
}

}  // namespace

void choose_rows(std::span<const std::uint32_t> rows, std::span<const std::int64_t> number, std::size_t n,
                 std::uint64_t seed, std::uint64_t stream, std::vector<std::uint32_t>& drawn,
                 std::vector<std::uint32_t>& left_out) {
    const RowKeys keys(seed, stream);
    if (number.empty()) {
        choose(rows, n, [&](std::uint32_t row) { return keys.of(row); }, drawn, left_out);
    } else {
        choose(
            rows, n, [&](std::uint32_t row) { return keys.of(static_cast<std::uint64_t>(number[row])); }, drawn,
            left_out);
    }
}

std::vector<std::uint64_t> row_keys(std::span<const std::uint32_t> rows, std::span<const std::int64_t> number,
                                    std::uint64_t seed, std::uint64_t stream) {
    const RowKeys keys(seed, stream);
    std::vector<std::uint64_t> out(rows.size());
    std::ranges::transform(rows, out.begin(), [&](std::uint32_t row) {
        return keys.of(number.empty() ? row : static_cast<std::uint64_t>(number[row]));
    });
    return out;
}

bool all_below(std::span<const std::uint32_t> rows, std::size_t end) {
    return std::ranges::all_of(rows, [&](std::uint32_t row) { return row < end; });
}

}  // namespace glasswood::base

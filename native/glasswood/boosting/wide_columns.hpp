// WideColumns: the levels of categories that have more of them than a byte tells apart, in two bytes per value.
//
// In the table of bytes such a category has one bin for all levels and one for missing values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glasswood::boosting {

// Column by column. Of a category with n levels, missing is the code n and a level never seen in training n + 1.
struct WideColumns {
    const std::uint16_t* codes = nullptr;
    std::size_t n_columns = 0;
    std::size_t n_rows = 0;

    const std::uint16_t* column(std::size_t place) const { return codes + place * n_rows; }
};

// Codes of one column that go left at a split.
struct WideSet {
    std::uint32_t column = 0;
    std::vector<std::uint64_t> bits{};  // none: the split is not one of a wide category

    bool is_used() const { return !bits.empty(); }
    static std::size_t n_words(std::size_t n_codes) { return (n_codes + 63) / 64; }
    void resize(std::size_t n_codes, bool is_member) {
        bits.assign(n_words(n_codes), is_member ? ~std::uint64_t{0} : std::uint64_t{0});
    }
    void set(std::size_t code, bool is_member) {
        const std::uint64_t bit = std::uint64_t{1} << (code & 63);
        bits[code >> 6] = is_member ? bits[code >> 6] | bit : bits[code >> 6] & ~bit;
    }
    // A code that no table of the fit can have goes right.
    bool contains(std::uint16_t code) const {
        const std::size_t word = code >> 6;
        return word < bits.size() && ((bits[word] >> (code & 63)) & 1U) != 0;
    }
};

}  // namespace glasswood::boosting

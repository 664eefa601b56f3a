// Columns: what the trees of a group ask of a row, each question turned into one column of small codes in
// which `code > cut` goes right. A numeric feature has up to two columns, equal but for missing rows: lowest
// code where they go left, highest where they go right. So kernels do not know missing values. A category has two
// columns that hold its level, and a test is a set of levels; if it has too many levels, or the trees are walked, a
// test has a column of its answers instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/model/ensemble.hpp"
#include "glasswood/predict/category_tests.hpp"
#include "glasswood/table/encoder.hpp"
#include "glasswood/table/rows.hpp"

namespace glasswood::predict {

// How many columns trees [first_tree, last_tree) need. `with_sets`: whether nodes may ask for sets of levels.
std::size_t count_columns(const model::Ensemble& ensemble, const CategoryTests& categories, std::size_t first_tree,
                          std::size_t last_tree, bool with_sets);

class Columns {
 public:
    // What trees [first_tree, last_tree) ask, with codes on their grid.
    Columns(const model::Ensemble& ensemble, const CategoryTests& categories, const table::Grid& grid,
            std::size_t first_tree, std::size_t last_tree, bool with_sets);

    struct Question {
        std::uint32_t column;
        std::uint32_t cut;                  // counted from zero
        std::span<const std::uint8_t> set;  // empty: the question is `code > cut`
    };

    std::size_t size() const { return n_columns_; }
    Question question(const model::Ensemble& ensemble, const CategoryTests& categories, std::size_t node) const;

    // Codes of rows [first, first + n): column c at codes[c * stride]. pointers[c] is where to read column c;
    // the two columns of a feature share their memory in the cache when no row is missing. Code: int8_t,
    // int16_t.
    template <class Code>
    void encode(const table::Rows& rows, std::size_t first, std::size_t n, std::size_t stride, Code* codes,
                const Code** pointers) const;

 private:
    static constexpr std::int32_t none = -1;
    struct Number {
        std::size_t feature;
        std::int32_t missing_left;   // column or none
        std::int32_t missing_right;  // column or none
    };
    struct Levels {
        std::size_t feature;
        std::uint32_t n_levels;
        std::uint32_t column;  // of the byte; that of the bit follows
    };
    struct Category {
        std::size_t feature;
        std::uint32_t n_levels;
        std::uint32_t first_column;
        std::uint32_t n_columns;
        std::size_t answers;  // its part of answers_
        std::size_t words;    // per column
    };

    void add_numbers(const model::Ensemble& ensemble, std::size_t first, std::size_t last);
    void add_categories(const model::Ensemble& ensemble, const CategoryTests& categories, std::size_t first,
                        std::size_t last, bool with_sets);
    void add_set(const model::Ensemble& ensemble, const CategoryTest& test, std::int32_t number);
    void encode_levels(std::size_t feature, std::uint32_t n_levels, const table::Column& column, std::size_t first,
                       std::size_t n, std::uint32_t* level) const;
    template <class Code>
    bool encode_number(const Number& number, const table::Rows& rows, std::size_t first, std::size_t n,
                       std::size_t stride, Code* codes) const;
    template <class Code>
    void encode_category(const Category& category, const table::Rows& rows, std::size_t first, std::size_t n,
                         std::size_t stride, Code* codes) const;

    table::Encoder encoder_;
    std::vector<Number> numbers_;
    std::vector<Levels> levels_;
    std::vector<Category> categories_;
    std::vector<std::int32_t> left_column_, right_column_;  // (n_features)
    std::vector<std::int32_t> test_column_;                 // (n tests)
    std::vector<std::size_t> test_set_;                     // (n tests) its part of sets_
    std::vector<std::uint8_t> set_tables_;                  // (n tests) how many tables its set has
    std::vector<std::uint8_t> sets_;
    std::vector<std::uint64_t> answers_;  // bit i: level i goes right; i = n_levels: unseen, n_levels + 1: missing
    std::size_t n_columns_ = 0;
};

}  // namespace glasswood::predict

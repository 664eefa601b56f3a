#include "glasswood/predict/question_columns.hpp"

#include <algorithm>
#include <limits>

#include "glasswood/predict/exit_select.hpp"

namespace glasswood::predict {
namespace {

constexpr std::size_t tile = 128;  // rows at a time, so that a row-major table is read from the first cache

// One bit of the answers per row. A single word is shifted in a register, which the compiler vectorises.
template <class Code>
void look_up(const std::uint64_t* answers, std::size_t words, const std::uint32_t* level, std::size_t n, Code* out) {
    constexpr Code lowest = std::numeric_limits<Code>::min();
    if (words == 1) {
        const std::uint64_t word = *answers;
        for (std::size_t i = 0; i < n; ++i)
            out[i] = static_cast<Code>(lowest + static_cast<Code>((word >> level[i]) & 1U));
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = static_cast<Code>(lowest + static_cast<Code>((answers[level[i] >> 6U] >> (level[i] & 63U)) & 1U));
        }
    }
}

// Levels of a feature with those for unseen and missing.
std::uint32_t n_answers(const model::Ensemble& ensemble, std::size_t feature) {
    return static_cast<std::uint32_t>(ensemble.n_levels[feature]) + 2;
}

bool is_set(const model::Ensemble& ensemble, std::size_t feature, bool with_sets) {
    return with_sets && n_answers(ensemble, feature) <= max_set_levels;
}

// Which way level i goes: n_levels is unseen, n_levels + 1 missing.
bool level_right(const model::Ensemble& ensemble, const CategoryTest& test, std::uint32_t i, std::uint32_t n_levels) {
    return goes_right(ensemble, test, i <= n_levels ? static_cast<std::int32_t>(i) : -1);
}

}  // namespace

std::size_t count_columns(const model::Ensemble& ensemble, const CategoryTests& categories, std::size_t first_tree,
                          std::size_t last_tree, bool with_sets) {
    std::vector<bool> sides(2 * ensemble.n_features(), false);
    std::vector<bool> tests(categories.tests.size(), false);
    for (std::int32_t node = ensemble.tree_start[first_tree]; node < ensemble.tree_start[last_tree]; ++node) {
        if (ensemble.is_leaf(node)) continue;
        const auto feature = static_cast<std::size_t>(ensemble.feature[node]);
        if (ensemble.is_category_split(node) && is_set(ensemble, feature, with_sets)) {
            sides[2 * feature] = sides[2 * feature + 1] = true;
        } else if (ensemble.is_category_split(node)) {
            tests[categories.of_node[node]] = true;
        } else {
            sides[2 * ensemble.feature[node] + (ensemble.missing_left[node] != 0 ? 0 : 1)] = true;
        }
    }
    return static_cast<std::size_t>(std::count(sides.begin(), sides.end(), true) +
                                    std::count(tests.begin(), tests.end(), true));
}

Columns::Columns(const model::Ensemble& ensemble, const CategoryTests& categories, const table::Grid& grid,
                 std::size_t first_tree, std::size_t last_tree, bool with_sets)
    : encoder_(grid, ensemble.n_levels, ensemble.zero_is_missing),
      left_column_(ensemble.n_features(), none),
      right_column_(ensemble.n_features(), none),
      test_column_(categories.tests.size(), none),
      test_set_(categories.tests.size(), 0),
      set_tables_(categories.tests.size(), 0) {
    const auto first = static_cast<std::size_t>(ensemble.tree_start[first_tree]);
    const auto last = static_cast<std::size_t>(ensemble.tree_start[last_tree]);
    add_numbers(ensemble, first, last);
    if (!categories.tests.empty()) add_categories(ensemble, categories, first, last, with_sets);
}

void Columns::add_numbers(const model::Ensemble& ensemble, std::size_t first, std::size_t last) {
    for (std::size_t node = first; node < last; ++node) {
        if (ensemble.is_leaf(node) || ensemble.is_category_split(node)) continue;
        auto& columns = ensemble.missing_left[node] != 0 ? left_column_ : right_column_;
        columns[ensemble.feature[node]] = 0;
    }
    for (std::size_t f = 0; f < ensemble.n_features(); ++f) {
        if (left_column_[f] != none) left_column_[f] = static_cast<std::int32_t>(n_columns_++);
        if (right_column_[f] != none) right_column_[f] = static_cast<std::int32_t>(n_columns_++);
        if (left_column_[f] != none || right_column_[f] != none) {
            numbers_.push_back({f, left_column_[f], right_column_[f]});
        }
    }
}

void Columns::add_categories(const model::Ensemble& ensemble, const CategoryTests& categories, std::size_t first,
                             std::size_t last, bool with_sets) {
    std::vector<std::int32_t> asked;
    for (std::size_t node = first; node < last; ++node) {
        const std::int32_t test = categories.of_node[node];
        if (test < 0 || test_column_[test] != none) continue;
        test_column_[test] = 0;
        asked.push_back(test);
    }
    const auto by_feature = [&](std::int32_t a, std::int32_t b) {
        return categories.tests[a].feature < categories.tests[b].feature;
    };
    std::stable_sort(asked.begin(), asked.end(), by_feature);
    for (const std::int32_t t : asked) {
        const CategoryTest& test = categories.tests[t];
        const auto feature = static_cast<std::size_t>(test.feature);
        const auto n_levels = static_cast<std::uint32_t>(ensemble.n_levels[feature]);
        if (is_set(ensemble, feature, with_sets)) {
            add_set(ensemble, test, t);
            continue;
        }
        const std::size_t words = n_levels / 64 + (n_levels % 64 < 63 ? 1 : 2);  // n_levels + 2 bits
        if (categories_.empty() || categories_.back().feature != feature) {
            categories_.push_back(
                {feature, n_levels, static_cast<std::uint32_t>(n_columns_), 0, answers_.size(), words});
        }
        ++categories_.back().n_columns;
        test_column_[t] = static_cast<std::int32_t>(n_columns_++);
        const std::size_t at = answers_.size();
        answers_.resize(at + words, 0);
        for (std::uint32_t i = 0; i < n_levels + 2; ++i) {
            if (level_right(ensemble, test, i, n_levels)) answers_[at + i / 64] |= std::uint64_t{1} << (i % 64);
        }
    }
}

void Columns::add_set(const model::Ensemble& ensemble, const CategoryTest& test, std::int32_t number) {
    const auto feature = static_cast<std::size_t>(test.feature);
    const std::uint32_t n = n_answers(ensemble, feature);
    if (levels_.empty() || levels_.back().feature != feature) {
        levels_.push_back({feature, n - 2, static_cast<std::uint32_t>(n_columns_)});
        n_columns_ += 2;
    }
    const std::size_t at = sets_.size();
    const std::size_t n_tables = (n + 8 * table_bytes - 1) / (8 * table_bytes);
    test_column_[number] = static_cast<std::int32_t>(levels_.back().column);
    test_set_[number] = at;
    set_tables_[number] = static_cast<std::uint8_t>(n_tables);
    sets_.resize(at + n_tables * table_bytes, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (level_right(ensemble, test, i, n - 2)) sets_[at + i / 8] |= static_cast<std::uint8_t>(1U << (i % 8));
    }
}

Columns::Question Columns::question(const model::Ensemble& ensemble, const CategoryTests& categories,
                                    std::size_t node) const {
    if (ensemble.is_category_split(node)) {
        const auto test = static_cast<std::size_t>(categories.of_node[node]);
        const std::span set(sets_.data() + test_set_[test], set_tables_[test] * table_bytes);
        return {static_cast<std::uint32_t>(test_column_[test]), 0, set};
    }
    const auto feature = static_cast<std::size_t>(ensemble.feature[node]);
    const auto& columns = ensemble.missing_left[node] != 0 ? left_column_ : right_column_;
    return {static_cast<std::uint32_t>(columns[feature]), encoder_.code(feature, ensemble.threshold[node]), {}};
}

template <class Code>
bool Columns::encode_number(const Number& number, const table::Rows& rows, std::size_t first, std::size_t n,
                            std::size_t stride, Code* codes) const {
    const table::Column& column = rows.columns[number.feature];
    const bool both = number.missing_left != none && number.missing_right != none;
    Code* out =
        codes +
        static_cast<std::size_t>(number.missing_left != none ? number.missing_left : number.missing_right) * stride;
    const bool missing = encoder_.encode(number.feature, column, first, n, out);
    if (number.missing_right == none) return missing;
    Code* right = codes + static_cast<std::size_t>(number.missing_right) * stride;
    if (both) std::copy_n(out, n, right);
    if (missing) encoder_.write_missing(number.feature, column, first, n, std::numeric_limits<Code>::max(), right);
    return missing;
}

void Columns::encode_levels(std::size_t feature, std::uint32_t n_levels, const table::Column& column, std::size_t first,
                            std::size_t n, std::uint32_t* level) const {
    if (encoder_.encode(feature, column, first, n, level)) {
        encoder_.write_missing(feature, column, first, n, n_levels + 1, level);
    }
}

template <class Code>
void Columns::encode_category(const Category& category, const table::Rows& rows, std::size_t first, std::size_t n,
                              std::size_t stride, Code* codes) const {
    std::uint32_t level[tile];
    encode_levels(category.feature, category.n_levels, rows.columns[category.feature], first, n, level);
    const std::uint64_t* answers = answers_.data() + category.answers;
    for (std::uint32_t c = 0; c < category.n_columns; ++c) {
        look_up(answers + c * category.words, category.words, level, n, codes + (category.first_column + c) * stride);
    }
}

template <class Code>
void Columns::encode(const table::Rows& rows, std::size_t first, std::size_t n, std::size_t stride, Code* codes,
                     const Code** pointers) const {
    std::vector<bool> missing(numbers_.size(), false);
    for (std::size_t done = 0; done < n; done += tile) {
        const std::size_t count = std::min(tile, n - done);
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            if (encode_number(numbers_[i], rows, first + done, count, stride, codes + done)) missing[i] = true;
        }
        for (const Levels& levels : levels_) {
            std::uint32_t level[tile];
            encode_levels(levels.feature, levels.n_levels, rows.columns[levels.feature], first + done, count, level);
            Code* byte = codes + levels.column * stride + done;
            for (std::size_t i = 0; i < count; ++i) byte[i] = byte_code<Code>(level[i]);
            Code* bit = byte + stride;
            for (std::size_t i = 0; i < count; ++i) bit[i] = bit_code<Code>(level[i]);
        }
        for (const Category& category : categories_) {
            encode_category(category, rows, first + done, count, stride, codes + done);
        }
    }
    for (std::size_t c = 0; c < n_columns_; ++c) pointers[c] = codes + c * stride;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const Number& number = numbers_[i];
        if (!missing[i] && number.missing_left != none && number.missing_right != none) {
            pointers[number.missing_right] = pointers[number.missing_left];
        }
    }
}

template void Columns::encode<std::int8_t>(const table::Rows&, std::size_t, std::size_t, std::size_t, std::int8_t*,
                                           const std::int8_t**) const;
template void Columns::encode<std::int16_t>(const table::Rows&, std::size_t, std::size_t, std::size_t, std::int16_t*,
                                            const std::int16_t**) const;

}  // namespace glasswood::predict

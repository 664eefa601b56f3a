#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "glasswood/attributions/shapley_integrals.hpp"
#include "glasswood/base/random.hpp"
#include "glasswood/boosting/binned_rows.hpp"
#include "glasswood/boosting/grown_tree.hpp"
#include "glasswood/boosting/loss.hpp"
#include "glasswood/boosting/row_statistics.hpp"
#include "glasswood/boosting/shared_grower.hpp"
#include "glasswood/boosting/tree_grower.hpp"
#include "glasswood/forest/forest.hpp"
#include "glasswood/predict/plan.hpp"
#include "tests.hpp"

namespace glasswood::tests {
namespace {

using namespace boosting;

// FNV-1a over the bits of numbers; every NaN counts as the same.
class Hash {
 public:
    template <class T>
    void add(const std::vector<T>& values) {
        for (const T value : values) {
            if constexpr (std::is_floating_point_v<T>) {
                add_word(value != value ? ~0ULL : std::bit_cast<std::uint64_t>(static_cast<double>(value)));
            } else {
                add_word(static_cast<std::uint64_t>(value));
            }
        }
    }
    void print(const std::string& name) const {
        std::printf("%-28s %016llx\n", name.c_str(), static_cast<unsigned long long>(hash_));
    }

 private:
    void add_word(std::uint64_t word) {
        for (int k = 0; k < 8; ++k) hash_ = (hash_ ^ (word >> (8 * k) & 255U)) * 1099511628211ULL;
    }
    std::uint64_t hash_ = 14695981039346656037ULL;
};

constexpr std::size_t n = 3000, n_features = 4, n_numbers = 3;

// Three numbers, one with gaps, and a category; a target of each kind of loss.
struct Table {
    std::vector<std::vector<double>> x;
    std::vector<std::int32_t> level;
    std::vector<double> y, positive, binary, classes, weight;
    std::vector<table::Column> columns;

    Table() : x(n_numbers) {
        base::Random random(2, 3);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t f = 0; f < n_numbers; ++f) x[f].push_back(random.uniform() * 10 - 5);
            if (random.below(5) == 0) x[1].back() = std::numeric_limits<double>::quiet_NaN();
            level.push_back(static_cast<std::int32_t>(random.below(9)));
            y.push_back(x[0].back() * x[2].back() + level.back() + random.uniform());
            positive.push_back(random.uniform() * 5 + 0.01);
            binary.push_back(random.below(2));
            classes.push_back(random.below(3));
            weight.push_back(random.uniform() + 0.1);
        }
        for (const auto& column : x) {
            columns.push_back({reinterpret_cast<const std::byte*>(column.data()), 8, table::ColumnType::float64});
        }
        columns.push_back({reinterpret_cast<const std::byte*>(level.data()), 4, table::ColumnType::code});
    }
    table::Rows rows() const { return {columns, n}; }
};

void print_losses(const Table& table) {
    const char* names[] = {"squared_error", "absolute_error", "quantile", "poisson",
                           "gamma",         "tweedie",        "logistic", "softmax"};
    for (std::size_t k = 0; k < 8; ++k) {
        const Loss loss{static_cast<LossKind>(k), k == 5 ? 1.3 : 0.3};
        const std::size_t n_outputs = k == 7 ? 3 : 1;
        const auto& y = k < 3 ? table.y : k < 6 ? table.positive : k == 6 ? table.binary : table.classes;
        std::vector<double> raw, grad(n_outputs * n), hess(n_outputs * n);
        base::Random random(4, k);
        for (std::size_t i = 0; i < n_outputs * n; ++i) raw.push_back(random.uniform() * 8 - 4);
        const Fitted fitted{y, raw, table.weight, n_outputs};
        gradients(loss, fitted, 2, grad, hess);
        Hash hash;
        hash.add(grad);
        hash.add(hess);
        hash.add(std::vector<double>{mean_loss(loss, fitted, 2)});
        hash.print(std::string("loss ") + names[k]);
    }
}

std::vector<std::uint32_t> first_numbers(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

void print_trees(const Table& table, const BinnedRows& binned, const BinnedFeatures& features) {
    const char* names[] = {"newton", "cred_var", "cred_std", "welch"};
    const auto all = first_numbers(n), columns = first_numbers(n_features);
    for (std::size_t k = 0; k < 12; ++k) {
        GrowOptions options;
        options.gain = static_cast<GainKind>(k % 4);
        options.max_depth = 6;
        options.is_symmetric = k >= 8;
        Grower grower(binned, {}, NodeRules(features, options));
        RowStatistics statistics(k < 4 || k >= 8);
        std::vector<double> raw(n, 0.0), grad(n), hess(n);
        for (std::uint64_t tree = 0; tree < 5; ++tree) {
            gradients({LossKind::squared_error, 0.0}, {table.y, raw, table.weight, 1}, 2, grad, hess);
            statistics.set({grad, hess, table.weight}, base::RowKeys(5, tree), {}, 2);
            const GrownTree grown = finish(grower.grow(statistics.rows(all), columns, 2, base::Interrupt()));
            add_grown(grown, grower.rows(), 2, raw);
        }
        Hash hash;
        hash.add(raw);
        hash.print(std::string("boosting ") + names[k % 4] + (k < 4 ? " exact" : k < 8 ? " integer" : " symmetric"));
    }
}

// Three classes that share their questions.
void print_shared_trees(const Table& table, const BinnedRows& binned, const BinnedFeatures& features) {
    const auto all = first_numbers(n), columns = first_numbers(n_features);
    constexpr std::size_t n_classes = 3;
    GrowOptions options;
    options.max_depth = 6;
    options.is_symmetric = true;
    Grower grower(binned, {}, NodeRules(features, options));
    SharedGrower shared(grower, n_classes);
    std::vector<double> raw(n_classes * n, 0.0), grad(n_classes * n), hess(n_classes * n);
    for (std::uint64_t round = 0; round < 5; ++round) {
        gradients({LossKind::softmax, 0.0}, {table.classes, raw, table.weight, n_classes}, 2, grad, hess);
        std::deque<RowStatistics> statistics;
        std::vector<TreeRows> rows;
        for (std::size_t k = 0; k < n_classes; ++k) {
            const std::span own_grad = std::span(grad).subspan(k * n, n), own_hess = std::span(hess).subspan(k * n, n);
            statistics.emplace_back(true);
            statistics.back().set({own_grad, own_hess, table.weight}, base::RowKeys(5, round), {}, 2);
            rows.push_back(statistics.back().rows(all));
        }
        const auto grown = shared.grow(rows, columns, 2, base::Interrupt());
        for (std::size_t k = 0; k < n_classes; ++k) {
            add_grown(finish(grown[k]), shared.rows(), 2, std::span(raw).subspan(k * n, n));
        }
    }
    Hash hash;
    hash.add(raw);
    hash.print("boosting shared questions");
}

void print_boosting(const Table& table) {
    const table::Grid edges = make_edges(table.rows(), first_numbers(n), table.weight, 64, 2);
    Hash found;
    found.add(edges.thresholds);
    found.print("edges");
    const std::vector<std::int64_t> level_start{0, 0, 0, 0, 9};
    const std::vector<std::uint8_t> level_bin{0, 1, 2, 3, 4, 5, 6, 7, 8};
    const std::size_t stride = stride_of(n_features);
    auto bins = base::make_pages<std::uint8_t>(n * stride);
    auto by_column = base::make_pages<std::uint8_t>(n * n_features);
    bin_rows(table.rows(), edges, {level_start, level_bin}, 2, stride, bins.get(), n, by_column.get());
    const BinnedRows binned{bins.get(), n, n_features, stride, by_column.get()};
    BinnedFeatures features{{}, {0, 0, 0, 1}, {0, 0, 0, 0}, {}, {0, 0, 0, 0}};
    for (std::size_t f = 0; f < n_numbers; ++f) {
        features.n_bins.push_back(static_cast<std::uint16_t>(edges.of(f).size() + 1));
    }
    features.n_bins.push_back(9);
    print_trees(table, binned, features);
    print_shared_trees(table, binned, features);
}

void print_forests(const Table& table) {
    const std::vector<std::int32_t> n_levels{0, 0, 0, 9};
    const std::vector<std::uint8_t> zero_is_missing(n_features, 0);
    std::vector<std::int32_t> labels(table.classes.begin(), table.classes.end());
    const char* names[] = {"squared_error", "gini", "entropy"};
    for (std::size_t k = 0; k < 3; ++k) {
        const forest::Target target = k == 0 ? forest::Target{table.y, {}, 0, forest::CriterionKind::squared_error}
                                             : forest::Target{{}, labels, 3, static_cast<forest::CriterionKind>(k)};
        forest::ForestOptions options;
        options.limits.max_depth = 7;
        options.limits.max_features = 2;
        options.n_trees = 6;
        options.bootstrap = true;
        options.n_draws = n;
        options.seed = 9;
        options.n_threads = 2;
        std::atomic<std::size_t> n_grown{0};
        const forest::Forest forest =
            forest::grow_forest(table.rows(), n_levels, target, table.weight, options, base::Interrupt(), n_grown);
        const forest::TreeNodes& nodes = forest.nodes;
        const std::vector<std::int32_t> outputs(forest.tree_start.size() - 1, 0), leaf_id(nodes.size(), 0);
        const std::vector<double> baseline(forest.width, 0.25);
        const model::Ensemble ensemble{forest.tree_start, outputs,     nodes.feature,      nodes.threshold,
                                       nodes.left,        nodes.right, nodes.missing_left, nodes.category_set,
                                       nodes.unseen_left, leaf_id,     nodes.value,        nodes.set_start,
                                       nodes.set_bits,    baseline,    n_levels,           zero_is_missing,
                                       forest.width};
        std::vector<double> raw(n * forest.width);
        predict::Plan(ensemble).predict_raw(table.rows(), 2, raw);
        Hash hash;
        hash.add(nodes.threshold);
        hash.add(nodes.gain);
        hash.add(nodes.value);
        hash.add(raw);
        hash.print(std::string("forest ") + names[k]);
    }
}

void print_shapley() {
    Hash hash;
    for (int n_points = 1; n_points <= 32; ++n_points) {
        hash.add(attributions::gauss_rule(n_points).point);
        hash.add(attributions::gauss_rule(n_points).weight);
    }
    const attributions::BetaTable& betas = attributions::beta_table();
    std::vector<double> values;
    for (int a = 1; a <= 64; ++a) {
        for (int b = 0; b <= 64; ++b) values.push_back(betas(a, b));
    }
    hash.add(values);
    hash.print("shapley weights");
}

}  // namespace

void print_bits() {
    const Table table;
    print_losses(table);
    print_boosting(table);
    print_forests(table);
    print_shapley();
}

}  // namespace glasswood::tests

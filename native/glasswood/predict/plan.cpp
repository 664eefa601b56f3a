#include "glasswood/predict/plan.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "glasswood/base/parallel.hpp"
#include "glasswood/model/model_thresholds.hpp"
#include "glasswood/predict/row_block.hpp"

namespace glasswood::predict {
namespace {

constexpr std::size_t least_block_rows = 256;
constexpr std::size_t select_block_rows = 512;  // codes stay in the first cache
// Every block of rows fetches most nodes of a deep forest again, so blocks are as large as the second cache allows.
constexpr std::size_t deep_block_rows = 8192;
constexpr std::size_t deep_block_bytes = std::size_t{1} << 20U;
constexpr std::size_t least_blocks = 4;  // in a batch of a few thousand rows, for the threads
constexpr std::size_t walk_chunk = 64;   // rows

template <class T>
constexpr std::size_t max_codes = std::numeric_limits<std::make_unsigned_t<T>>::max();

std::vector<table::FeatureKind> kinds_of(const model::Ensemble& ensemble) {
    std::vector<table::FeatureKind> kinds(ensemble.n_features(), table::FeatureKind::unused);
    for (std::size_t f = 0; f < kinds.size(); ++f) {
        if (ensemble.n_levels[f] > 0) kinds[f] = table::FeatureKind::category;
    }
    for (std::size_t node = 0; node < ensemble.n_nodes(); ++node) {
        if (ensemble.is_leaf(node)) continue;
        const auto asked = ensemble.is_category_split(node) ? table::FeatureKind::category : table::FeatureKind::number;
        table::FeatureKind& kind = kinds[ensemble.feature[node]];
        if (kind != table::FeatureKind::unused && kind != asked) {
            throw std::invalid_argument("feature " + std::to_string(ensemble.feature[node]) +
                                        " is split both as a number and as a category");
        }
        kind = asked;
    }
    return kinds;
}

}  // namespace

Plan::Plan(const model::Ensemble& ensemble)
    : ensemble_(ensemble),
      kinds_(kinds_of(ensemble)),
      categories_(make_category_tests(ensemble_)),
      walk_(ensemble_, categories_) {
    const std::size_t n_trees = std::max<std::size_t>(1, ensemble_.n_trees());
    const std::size_t leaves = ensemble_.n_nodes() / n_trees / 2;  // in the mean tree
    // Measured: a select costs by the node, a walk by the row.
    least_rows_ = leaves > max_exits ? 40 : std::max<std::size_t>(8, leaves / 12);
    // Measured: compiling costs as much as walking one (large trees) to twelve (small ones) rows per node of a tree.
    const std::size_t nodes = ensemble_.n_nodes() / n_trees;
    compile_rows_ = std::min(4 * nodes, nodes + 3000) + least_rows_;
}

// A caller that predicts few rows once should not wait for tables; one that keeps asking should have them.
bool Plan::worth_encoding(std::size_t n_rows) const {
    if (n_rows < least_rows_) return false;
    return walked_rows_.fetch_add(n_rows, std::memory_order_relaxed) + n_rows > compile_rows_;
}

const std::vector<Plan::Group>& Plan::groups() const {
    std::call_once(compiled_, [&] {
        if (ensemble_.n_trees() > 0) add_groups(0, ensemble_.n_trees(), groups_);
    });
    return groups_;
}

// Consecutive trees share one grid as long as its codes fit.
void Plan::add_groups(std::size_t first_tree, std::size_t last_tree, std::vector<Group>& groups) const {
    constexpr std::size_t max_columns = 4096;  // beyond, a block of codes outgrows the caches
    const table::Grid grid = model::make_grid(ensemble_, first_tree, last_tree);
    const std::size_t most = grid.max_thresholds();
    bool any_deep = false;
    for (std::size_t tree = first_tree; tree < last_tree; ++tree) any_deep = any_deep || is_deep(ensemble_, tree);
    const std::size_t columns = count_columns(ensemble_, categories_, first_tree, last_tree, !any_deep);
    const bool single = first_tree + 1 == last_tree;
    const bool fits = most <= max_codes<std::int16_t> && columns <= (single ? max_codes<std::int16_t> : max_columns);
    if (!fits && !single) {
        const std::size_t middle = first_tree + (last_tree - first_tree) / 2;
        add_groups(first_tree, middle, groups);
        add_groups(middle, last_tree, groups);
    } else if (!fits) {
        groups.emplace_back(WalkedTrees{first_tree, last_tree});
    } else if (most <= max_codes<std::int8_t>) {
        groups.emplace_back(std::in_place_type<CodedTrees<std::int8_t>>, ensemble_, categories_, grid, first_tree,
                            last_tree, !any_deep);
    } else {
        groups.emplace_back(std::in_place_type<CodedTrees<std::int16_t>>, ensemble_, categories_, grid, first_tree,
                            last_tree, !any_deep);
    }
}

std::size_t Plan::block_rows(std::size_t n_rows) const {
    std::size_t most = deep_block_rows;
    for (const Group& group : groups_) {
        std::visit(
            [&](const auto& trees) {
                using Trees = std::decay_t<decltype(trees)>;
                if constexpr (!std::is_same_v<Trees, WalkedTrees>) {
                    const std::size_t row_bytes = trees.columns.size() * sizeof(typename Trees::Exit);
                    const std::size_t fitting = deep_block_bytes / std::max<std::size_t>(1, row_bytes);
                    most = std::min(most, trees.any_deep ? fitting : select_block_rows);
                }
            },
            group);
    }
    const std::size_t share = std::min(most, n_rows / least_blocks);
    return std::max(least_block_rows, padded(share));
}

// Calls body(first, n, encode) for every chunk of the rows; `encode`: whether it should use the tables.
template <class Body>
void Plan::for_chunks(std::size_t n_rows, int n_threads, const Body& body) const {
    const bool encode = worth_encoding(n_rows);
    if (encode) groups();
    const std::size_t chunk = encode ? block_rows(n_rows) : walk_chunk;
    const base::Work work = base::work_of(n_rows * ensemble_.n_trees(), encode ? 3.0 : 15.0);
    base::parallel_for((n_rows + chunk - 1) / chunk, n_threads, work,
                       [&](std::size_t c) { body(c * chunk, std::min(chunk, n_rows - c * chunk), encode); });
}

void Plan::predict_raw(const table::Rows& rows, int n_threads, std::span<double> out) const {
    const std::size_t n_outputs = ensemble_.n_outputs();
    for_chunks(rows.n_rows, n_threads, [&](std::size_t first, std::size_t n, bool encode) {
        double* part = out.data() + first * n_outputs;
        if (encode) {
            predict_block(rows, first, n, part);
        } else {
            for (std::size_t r = 0; r < n; ++r) std::copy_n(ensemble_.baseline.data(), n_outputs, part + r * n_outputs);
            add_walking(rows, first, n, {0, ensemble_.n_trees()}, {part, n_outputs, 1});
        }
    });
}

void Plan::add_walking(const table::Rows& rows, std::size_t first, std::size_t n, WalkedTrees trees, Sums sums) const {
    const Scratch<double> values(walk_.n_values());
    for (std::size_t r = 0; r < n; ++r) {
        walk_.load(rows, first + r, values.data());
        walk_.add(values.data(), trees.first_tree, trees.last_tree, sums.data + r * sums.row_stride,
                  sums.output_stride);
    }
}

void Plan::predict_block(const table::Rows& rows, std::size_t first, std::size_t n, double* out) const {
    const std::size_t n_outputs = ensemble_.n_outputs();
    const std::size_t stride = padded(n);
    const Scratch<double> sums(n_outputs * stride);
    for (std::size_t o = 0; o < n_outputs; ++o) std::fill_n(&sums[o * stride], stride, ensemble_.baseline[o]);
    for (const Group& group : groups_) {
        std::visit(
            [&](const auto& trees) {
                if constexpr (std::is_same_v<std::decay_t<decltype(trees)>, WalkedTrees>) {
                    add_walking(rows, first, n, trees, {sums.data(), 1, stride});
                } else {
                    Block(trees, rows, first, n).add(ensemble_, sums.data(), stride);
                }
            },
            group);
    }
    for (std::size_t o = 0; o < n_outputs; ++o) {
        for (std::size_t r = 0; r < n; ++r) out[r * n_outputs + o] = sums[o * stride + r];
    }
}

void Plan::apply(const table::Rows& rows, int n_threads, std::span<std::int32_t> out) const {
    for_chunks(rows.n_rows, n_threads, [&](std::size_t first, std::size_t n, bool encode) {
        std::int32_t* part = out.data() + first * ensemble_.n_trees();
        if (encode) {
            apply_block(rows, first, n, part);
        } else {
            apply_walking(rows, first, n, {0, ensemble_.n_trees()}, part);
        }
    });
}

void Plan::apply_walking(const table::Rows& rows, std::size_t first, std::size_t n, WalkedTrees trees,
                         std::int32_t* out) const {
    const Scratch<double> values(walk_.n_values());
    for (std::size_t r = 0; r < n; ++r) {
        walk_.load(rows, first + r, values.data());
        walk_.apply(values.data(), trees.first_tree, trees.last_tree, out + r * ensemble_.n_trees());
    }
}

void Plan::apply_block(const table::Rows& rows, std::size_t first, std::size_t n, std::int32_t* out) const {
    for (const Group& group : groups_) {
        std::visit(
            [&](const auto& trees) {
                if constexpr (std::is_same_v<std::decay_t<decltype(trees)>, WalkedTrees>) {
                    apply_walking(rows, first, n, trees, out);
                } else {
                    Block(trees, rows, first, n).apply(ensemble_, out);
                }
            },
            group);
    }
}

}  // namespace glasswood::predict

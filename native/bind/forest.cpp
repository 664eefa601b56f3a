#include "glasswood/forest/forest.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/forest/row_draw.hpp"
#include "interruptible.hpp"
#include "names.hpp"
#include "table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

void check_target(const forest::Target& target, std::size_t n_rows) {
    if (target.n_classes == 0) {
        check_size(target.numbers.size(), n_rows, "numbers");
        return;
    }
    check_size(target.labels.size(), n_rows, "labels");
    check_below(target.labels, target.n_classes, "labels");
}

nb::dict to_dict(forest::Forest&& forest) {
    forest::TreeNodes& nodes = forest.nodes;
    const std::size_t n_nodes = nodes.size();
    nb::dict out;
    out["tree_start"] = to_numpy(std::move(forest.tree_start));
    out["feature"] = to_numpy(std::move(nodes.feature));
    out["threshold"] = to_numpy(std::move(nodes.threshold));
    out["shown"] = to_numpy(std::move(nodes.shown));
    out["left"] = to_numpy(std::move(nodes.left));
    out["right"] = to_numpy(std::move(nodes.right));
    out["missing_left"] = to_numpy(std::move(nodes.missing_left));
    out["category_set"] = to_numpy(std::move(nodes.category_set));
    out["unseen_left"] = to_numpy(std::move(nodes.unseen_left));
    out["value"] = to_numpy(std::move(nodes.value), {n_nodes, forest.width});
    out["weight"] = to_numpy(std::move(nodes.weight));
    out["gain"] = to_numpy(std::move(nodes.gain));
    out["set_start"] = to_numpy(std::move(nodes.set_start));
    out["set_bits"] = to_numpy(std::move(nodes.set_bits));
    return out;
}

nb::dict call_grow(nb::object X, Array1<std::int32_t> n_levels, Array1<double> numbers, Array1<std::int32_t> labels,
                   std::size_t n_classes, Array1<double> weight, const std::string& criterion,
                   std::optional<std::size_t> max_depth, std::size_t min_samples_split, std::size_t min_samples_leaf,
                   double min_weight_leaf, std::optional<std::size_t> max_leaf_nodes, std::size_t max_features,
                   bool needs_gain, double ccp_alpha, std::size_t n_quantiles, std::size_t n_estimators, bool bootstrap,
                   std::size_t n_draws, std::uint64_t seed, nb::object on_trees, int n_threads) {
    const std::span<const std::int32_t> levels = view(n_levels);
    std::vector<table::FeatureKind> kinds(levels.size());
    // A feature without levels may be a category whose every row is missing.
    std::ranges::transform(levels, kinds.begin(), [](std::int32_t n) {
        return n > 0 ? table::FeatureKind::category : table::FeatureKind::unused;
    });
    const RowsArgument table(X, kinds);
    const table::Rows rows = table.rows();
    const forest::Target target{view(numbers), view(labels), n_classes, criterion_names.find(criterion)};
    check_target(target, rows.n_rows);
    check_size(weight.size(), rows.n_rows, "weight");
    check_at_least(min_weight_leaf, 0.0, "min_weight_leaf");
    check_at_least(ccp_alpha, 0.0, "ccp_alpha");
    if (max_features == 0 || max_features > levels.size()) throw nb::value_error("max_features must be some features");
    forest::ForestOptions options;
    options.limits.child = {std::max<std::size_t>(min_samples_leaf, 1), min_weight_leaf, needs_gain};
    options.limits.max_depth = max_depth.value_or(std::numeric_limits<std::size_t>::max());
    options.limits.min_rows = min_samples_split;
    options.limits.max_leaves = max_leaf_nodes.value_or(0);
    options.limits.max_features = max_features;
    options.limits.short_labels = n_estimators == 1;  // the labels of a forest are not shown
    options.ccp_alpha = ccp_alpha;
    options.n_quantiles = n_quantiles;
    options.n_trees = n_estimators;
    options.bootstrap = bootstrap;
    options.n_draws = n_draws;
    options.seed = seed;
    options.n_threads = n_threads;
    forest::Forest forest;
    std::atomic<std::size_t> n_grown{0};
    std::size_t n_reported = 0;
    const auto report = [&] {
        const std::size_t n_new = n_grown.load(std::memory_order_relaxed) - n_reported;
        n_reported += n_new;
        if (n_new > 0 && !on_trees.is_none()) on_trees(n_new);
    };
    interruptible(
        [&](const base::Interrupt& interrupt) {
            forest = forest::grow_forest(rows, levels, target, view(weight), options, interrupt, n_grown);
        },
        report);
    report();
    return to_dict(std::move(forest));
}

nb::object call_draw(std::uint64_t seed, std::size_t tree, std::size_t n_draws, Array1<double> weight) {
    std::vector<double> counts(weight.size());
    {
        nb::gil_scoped_release release;
        forest::RowDraw(seed, weight.size(), n_draws, view(weight)).counts(tree, counts);
    }
    return to_numpy(std::move(counts));
}

}  // namespace

void bind_forest(nb::module_& m) {
    m.def("grow_forest", &call_grow, "X"_a, "n_levels"_a, nb::kw_only(), "numbers"_a, "labels"_a, "n_classes"_a,
          "weight"_a, "criterion"_a, "max_depth"_a.none(), "min_samples_split"_a, "min_samples_leaf"_a,
          "min_weight_leaf"_a, "max_leaf_nodes"_a.none(), "max_features"_a, "needs_gain"_a, "ccp_alpha"_a,
          "n_quantiles"_a, "n_estimators"_a, "bootstrap"_a, "n_draws"_a, "seed"_a, "on_trees"_a.none(), "n_threads"_a,
          nb::sig("def grow_forest(X: object, n_levels: numpy.typing.NDArray[numpy.int32], *, numbers: "
                  "numpy.typing.NDArray[numpy.float64], labels: numpy.typing.NDArray[numpy.int32], n_classes: int, "
                  "weight: numpy.typing.NDArray[numpy.float64], criterion: str, max_depth: int | None, "
                  "min_samples_split: int, min_samples_leaf: int, min_weight_leaf: float, max_leaf_nodes: int | None, "
                  "max_features: int, needs_gain: bool, ccp_alpha: float, n_quantiles: int, n_estimators: int, "
                  "bootstrap: bool, n_draws: int, seed: int, on_trees: typing.Callable[[int], None] | None, n_threads: "
                  "int) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "Node arrays of trees grown on a table: on `numbers`, or on `labels` where n_classes > 0. While they grow, "
          "on_trees is called now and then with the number of trees finished since the last call.");
    m.def("draw_rows", &call_draw, "seed"_a, "tree"_a, "n_draws"_a, "weight"_a,
          nb::sig("def draw_rows(seed: int, tree: int, n_draws: int, weight: numpy.typing.NDArray[numpy.float64]) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "How often a tree of a forest with this seed drew each row.");
}

}  // namespace glasswood::bind

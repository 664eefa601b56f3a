#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "boosting.hpp"
#include "glasswood/boosting/bundle_route.hpp"
#include "glasswood/boosting/grown_tree.hpp"
#include "glasswood/boosting/joined_trees.hpp"
#include "glasswood/boosting/output_trees.hpp"
#include "glasswood/boosting/shared_grower.hpp"
#include "glasswood/boosting/tree_grower.hpp"
#include "interruptible.hpp"
#include "names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

// A byte holds the bin of a number, missing included, or of a level, missing and unseen included.
constexpr std::uint16_t max_bins = 255;
// Two bytes hold a level of a wide category, missing and unseen included.
constexpr std::uint16_t max_wide = 65534;

void construct_rules(boosting::NodeRules* self, Array1<std::uint16_t> n_bins, Array1<bool> is_category,
                     Array1<std::int32_t> monotone, std::vector<std::vector<std::uint32_t>> together,
                     const std::string& gain, double l2, double power, double largest_step, double rho,
                     double min_weight_leaf, double min_gain, std::uint32_t max_depth, std::uint32_t max_leaf_nodes,
                     std::uint32_t min_samples_leaf, std::optional<Array1<std::uint16_t>> n_wide, bool symmetric) {
    check_size(is_category.size(), n_bins.size(), "is_category");
    check_size(monotone.size(), n_bins.size(), "monotone");
    check_size_if_given(together.size(), n_bins.size(), "together");
    check_below(view(n_bins), max_bins + 1, "n_bins");
    const auto levels = n_wide ? to_vector(*n_wide) : std::vector<std::uint16_t>(n_bins.size());
    check_size(levels.size(), n_bins.size(), "n_wide");
    check_below(std::span<const std::uint16_t>(levels), max_wide + 1, "n_wide");
    const auto fits = [](std::uint16_t n, std::uint8_t category) { return n == 0 || category != 0; };
    if (!std::ranges::equal(levels, bytes(is_category), fits)) throw nb::value_error("only a category can be wide");
    check_at_least(l2, 0.0, "l2");
    check_at_least(rho, 0.0, "rho");
    check_at_least(min_weight_leaf, 0.0, "min_weight_leaf");
    check_at_least(min_gain, 0.0, "min_gain");
    if (symmetric && max_leaf_nodes > 0) throw nb::value_error("symmetric trees have no max_leaf_nodes");
    const auto category = bytes(is_category);
    boosting::BinnedFeatures features{{n_bins.data(), n_bins.data() + n_bins.size()},
                                      {category.begin(), category.end()},
                                      {monotone.data(), monotone.data() + monotone.size()},
                                      std::move(together),
                                      levels};
    new (self) boosting::NodeRules(std::move(features), {gain_names.find(gain),
                                                         {l2, power, largest_step},
                                                         rho,
                                                         min_weight_leaf,
                                                         min_gain,
                                                         max_depth,
                                                         max_leaf_nodes,
                                                         min_samples_leaf,
                                                         symmetric});
}

void construct(boosting::Grower* self, Bins bins, Array2<std::uint8_t> by_column, const boosting::NodeRules& rules,
               Wide wide, bool bundles, std::size_t least_rows) {
    const boosting::BinnedRows rows = rows_of(bins, by_column, rules);
    const boosting::WideColumns columns = columns_of(wide, rules, rows.n_rows);
    nb::gil_scoped_release release;
    new (self) boosting::Grower(rows, columns, rules, bundles, least_rows);
}

void construct_on_bundles(boosting::Grower* self, const BundledRows& bins, const boosting::NodeRules& rules,
                          Wide wide) {
    check_size(rules.features().n_wide.size(), bins.n_features, "rules");
    if (!bins.bundles->has_bins(rules.features().n_bins)) throw nb::value_error("the rules are those of other bins");
    new (self) boosting::Grower(bins.bundles, columns_of(wide, rules, bins.n_rows()), rules);
}

boosting::GrownTree grow(boosting::Grower& grower, const StatisticsOwner& stats, Array1<std::uint32_t> rows,
                         Array1<std::uint32_t> columns, int n_threads) {
    check_tree(grower, stats, rows, columns);
    refuse_pairs(stats);
    if (rows.size() == 0) throw nb::value_error("a tree needs at least one row");
    boosting::GrownTree tree;
    const auto work = [&](const base::Interrupt& interrupt) {
        tree = boosting::finish(grower.grow(stats.statistics.rows(view(rows)), view(columns), n_threads, interrupt));
    };
    if (rows.size() * columns.size() >= least_interruptible) {
        interruptible(work);
    } else {
        nb::gil_scoped_release release;
        work(base::Interrupt());
    }
    return tree;
}

// One tree per output, each on one thread, scaled and added to its row of raw. Every thread has a grower and statistics
// of its own.
std::vector<boosting::GrownTree> grow_outputs(std::vector<boosting::Grower*> growers,
                                              std::vector<StatisticsOwner*> statistics, Array2<double> grad,
                                              Array2<double> hess, Array1<double> weight, Array1<std::int64_t> number,
                                              std::uint64_t seed, std::uint64_t first_stream,
                                              Array1<std::uint32_t> rows, std::vector<Array1<std::uint32_t>> columns,
                                              double rate, Output2<double> raw) {
    const std::size_t n_outputs = raw.shape(0), n = raw.shape(1);
    if (growers.empty() || growers.size() != statistics.size()) {
        throw nb::value_error("every grower needs statistics of its own");
    }
    if (rows.size() == 0) throw nb::value_error("a tree needs at least one row");
    if (grad.shape(0) != n_outputs || hess.shape(0) != n_outputs || grad.shape(1) != n || hess.shape(1) != n) {
        throw nb::value_error("grad and hess must be like raw");
    }
    check_size(columns.size(), n_outputs, "columns");
    check_size_if_given(weight.size(), n, "weight");
    check_size_if_given(number.size(), n, "number");
    check_below(view(rows), n, "rows");
    std::vector<boosting::GrowingPlace> places;
    std::ranges::transform(growers, statistics, std::back_inserter(places), [n](boosting::Grower* grower, auto* owner) {
        check_size(n, grower->bins().n_rows, "raw");
        refuse_pairs(*owner);
        ++owner->n_sets;
        return boosting::GrowingPlace{grower, &owner->statistics};
    });
    std::vector<std::span<const std::uint32_t>> views;
    std::ranges::transform(columns, std::back_inserter(views), [&](const Array1<std::uint32_t>& own) {
        check_below(view(own), growers.front()->bins().n_features, "columns");
        return view(own);
    });
    std::vector<boosting::GrownTree> trees;
    interruptible([&](const base::Interrupt& interrupt) {
        const base::InterruptScope scope(&interrupt);
        trees = boosting::grow_outputs(places,
                                       {{grad.data(), grad.size()},
                                        {hess.data(), hess.size()},
                                        view(weight),
                                        view(number),
                                        view(rows),
                                        seed,
                                        first_stream},
                                       views, rate, interrupt, {raw.data(), raw.size()});
    });
    return trees;
}

template <class Grower>
void check_grown(const boosting::GrownTree& tree, const Grower& grower) {
    if (tree.end.front() != grower.rows().size()) throw nb::value_error("the tree is not the grower's last one");
}

template <class Grower>
void refit_leaves(boosting::GrownTree& tree, const Grower& grower, Array1<double> y, Array1<double> raw,
                  Array1<double> weight, double quantile, int n_threads) {
    check_grown(tree, grower);
    check_size(y.size(), grower.bins().n_rows, "y");
    check_size(raw.size(), grower.bins().n_rows, "raw");
    check_size_if_given(weight.size(), grower.bins().n_rows, "weight");
    check_between(quantile, 0.0, 1.0, "quantile");
    nb::gil_scoped_release release;
    boosting::refit_leaves(tree, grower.rows(), view(y), view(raw), view(weight), quantile, n_threads);
}

template <class Grower>
void add_to_grown(const boosting::GrownTree& tree, const Grower& grower, Output1<double> raw, int n_threads) {
    check_grown(tree, grower);
    check_size(raw.size(), grower.bins().n_rows, "raw");
    nb::gil_scoped_release release;
    boosting::add_grown(tree, grower.rows(), n_threads, writable(raw));
}

void check_walk(const boosting::GrownTree& tree, std::size_t n_rows, std::size_t n_features,
                const Array1<std::uint32_t>& rows) {
    check_below(view(rows), n_rows, "rows");
    if (std::cmp_greater_equal(std::ranges::max(tree.feature), n_features)) {
        throw nb::value_error("the tree splits features that bins do not have");
    }
}

nb::object find_leaves(const boosting::GrownTree& tree, Bins bins, Array1<std::uint32_t> rows, int n_threads,
                       Wide wide) {
    const boosting::BinnedRows binned = rows_of(bins);
    check_walk(tree, binned.n_rows, binned.n_features, rows);
    const boosting::WideColumns columns = columns_of(wide, tree.n_wide_columns(), binned.n_rows);
    std::vector<std::int64_t> leaves(rows.size());
    {
        nb::gil_scoped_release release;
        boosting::find_leaves(tree, binned, columns, view(rows), n_threads, leaves);
    }
    return to_numpy(std::move(leaves));
}

void set_leaves(boosting::GrownTree& tree, Array1<double> values) {
    check_size(values.size(), tree.n_nodes(), "values");
    boosting::set_leaves(tree, view(values));
}

void add_to_rows(const boosting::GrownTree& tree, Bins bins, Array1<std::uint32_t> rows, Output1<double> raw,
                 int n_threads, Wide wide) {
    const boosting::BinnedRows binned = rows_of(bins);
    check_size(raw.size(), binned.n_rows, "raw");
    check_walk(tree, binned.n_rows, binned.n_features, rows);
    const boosting::WideColumns columns = columns_of(wide, tree.n_wide_columns(), binned.n_rows);
    nb::gil_scoped_release release;
    boosting::add_walking(tree, binned, columns, view(rows), n_threads, writable(raw));
}

void add_to_bundled(const boosting::GrownTree& tree, const BundledRows& bins, Array1<std::uint32_t> rows,
                    Output1<double> raw, int n_threads, Wide wide) {
    check_size(raw.size(), bins.n_rows(), "raw");
    check_walk(tree, bins.n_rows(), bins.n_features, rows);
    const boosting::WideColumns columns = columns_of(wide, tree.n_wide_columns(), bins.n_rows());
    nb::gil_scoped_release release;
    if (!bins.bundles->lists().empty()) {
        boosting::add_sent(tree, *bins.bundles, columns, view(rows), writable(raw));
        return;
    }
    boosting::add_walking(boosting::on_codes(tree, *bins.bundles), bins.bundles->rows(), columns, view(rows), n_threads,
                          writable(raw));
}

nb::dict join(const std::vector<const boosting::GrownTree*>& trees) {
    boosting::JoinedTrees all = boosting::join(trees);
    const std::size_t n = all.feature.size();
    nb::dict out;
    out["tree_start"] = to_numpy(std::move(all.tree_start));
    out["feature"] = to_numpy(std::move(all.feature));
    out["bin"] = to_numpy(std::move(all.bin));
    out["left_set"] = to_numpy(std::move(all.left_set), {n, 4});
    out["wide_node"] = to_numpy(std::move(all.wide_node));
    out["wide_column"] = to_numpy(std::move(all.wide_column));
    out["wide_start"] = to_numpy(std::move(all.wide_start));
    out["wide_set"] = to_numpy(std::move(all.wide_set));
    out["left"] = to_numpy(std::move(all.left));
    out["right"] = to_numpy(std::move(all.right));
    out["missing_left"] = to_numpy(std::move(all.missing_left));
    out["unseen_left"] = to_numpy(std::move(all.unseen_left));
    out["value"] = to_numpy(std::move(all.value));
    out["weight"] = to_numpy(std::move(all.weight));
    out["gain"] = to_numpy(std::move(all.gain));
    return out;
}

template <class T>
std::vector<T> copy(Array1<T> values, std::size_t n, const char* name) {
    check_size(values.size(), n, name);
    return {values.data(), values.data() + n};
}

std::vector<boosting::GrownTree> part(Array1<std::int64_t> tree_start, Array1<std::int32_t> feature,
                                      Array1<std::int32_t> bin, Array2<std::uint64_t> left_set,
                                      Array1<std::int64_t> wide_node, Array1<std::uint32_t> wide_column,
                                      Array1<std::int64_t> wide_start, Array1<std::uint64_t> wide_set,
                                      Array1<std::int64_t> left, Array1<std::int64_t> right,
                                      Array1<std::uint8_t> missing_left, Array1<std::uint8_t> unseen_left,
                                      Array1<double> value, Array1<double> weight, Array1<double> gain) {
    const std::size_t n = feature.size();
    if (tree_start.size() == 0) throw nb::value_error("tree_start must begin with 0");
    check_starts(view(tree_start), tree_start.size() - 1, n, "tree_start");
    if (left_set.shape(1) != 4) throw nb::value_error("left_set must have four words per node");
    check_size(left_set.shape(0), n, "left_set");
    check_below(view(wide_node), n, "wide_node");
    if (!std::ranges::is_sorted(view(wide_node))) throw nb::value_error("wide_node must ascend");
    check_starts(view(wide_start), wide_node.size(), wide_set.size(), "wide_start");
    boosting::JoinedTrees all;
    all.tree_start.assign(tree_start.data(), tree_start.data() + tree_start.size());
    all.feature = copy(feature, n, "feature");
    all.bin = copy(bin, n, "bin");
    all.left_set.assign(left_set.data(), left_set.data() + left_set.size());
    all.wide_node = to_vector(wide_node);
    all.wide_column = copy(wide_column, wide_node.size(), "wide_column");
    all.wide_start = to_vector(wide_start);
    all.wide_set = to_vector(wide_set);
    all.left = copy(left, n, "left");
    all.right = copy(right, n, "right");
    all.missing_left = copy(missing_left, n, "missing_left");
    all.unseen_left = copy(unseen_left, n, "unseen_left");
    all.value = copy(value, n, "value");
    all.weight = copy(weight, n, "weight");
    all.gain = copy(gain, n, "gain");
    if (!boosting::ends_every_walk(all)) {
        throw nb::value_error("a tree needs a node, and a child must come after its parent, in the same tree");
    }
    return boosting::part(all);
}

nb::dict arrays(const boosting::GrownTree& tree) {
    nb::dict out = join({&tree});
    nb::del(out["tree_start"]);
    return out;
}

}  // namespace

void bind_boost(nb::module_& m) {
    m.def("gain_names", [] { return gain_names.tuple(); }, nb::sig("def gain_names() -> tuple[str, ...]"));
    nb::class_<boosting::NodeRules>(m, "NodeRules", "What growing decides about a node, whatever its sums come from.")
        .def(
            "__init__", &construct_rules, "n_bins"_a, "is_category"_a, "monotone"_a, "together"_a, "gain"_a, "l2"_a,
            "power"_a, "largest_step"_a, "rho"_a, "min_weight_leaf"_a, "min_gain"_a, "max_depth"_a,
            "max_leaf_nodes"_a = 0, "min_samples_leaf"_a = 1, "n_wide"_a = nb::none(), "symmetric"_a = false,
            "`n_wide`: levels of categories whose levels stand in wide columns, 0 for other features. `symmetric`: all "
            "nodes of a level ask the same question.")
        .def_prop_ro("take_pairs", &boosting::NodeRules::take_pairs,
                     "Whether trees can be grown from statistics that are pairs.");
    nb::class_<boosting::Grower>(m, "Grower", "Grows one tree after the other on binned rows.")
        .def("__init__", &construct, "bins"_a, "by_column"_a, "rules"_a, "wide"_a.noconvert() = nb::none(),
             "bundles"_a = true, "least_rows"_a = 32768, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
             nb::keep_alive<1, 5>(),
             "Features may share columns with `bundles`, which changes no tree, only the time. `wide`: the levels of "
             "wide categories, (n_wide_features, n_rows).")
        .def("__init__", &construct_on_bundles, "bins"_a, "rules"_a, "wide"_a.noconvert() = nb::none(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 4>(), "The same on the rows of a sparse table.")
        .def(
            "twin", [](const boosting::Grower& self) { return new boosting::Grower(&self); }, nb::keep_alive<0, 1>(),
            "A grower of the same rows by the same rules, for another thread.")
        .def("grow", &grow, "stats"_a, "rows"_a, "columns"_a, "n_threads"_a);
    m.def("grow_outputs", &grow_outputs, "growers"_a, "statistics"_a, "grad"_a, "hess"_a, "weight"_a, "number"_a,
          "seed"_a, "first_stream"_a, "rows"_a, "columns"_a, "rate"_a, "raw"_a,
          nb::sig("def grow_outputs(growers: list[Grower], statistics: list[RowStatistics], grad: "
                  "numpy.typing.NDArray[numpy.float64], hess: numpy.typing.NDArray[numpy.float64], weight: "
                  "numpy.typing.NDArray[numpy.float64], number: numpy.typing.NDArray[numpy.int64], seed: int, "
                  "first_stream: int, rows: numpy.typing.NDArray[numpy.uint32], columns: "
                  "list[numpy.typing.NDArray[numpy.uint32]], rate: float, raw: numpy.typing.NDArray[numpy.float64]) -> "
                  "list[GrownTree]"),
          "Grow one tree per output, as many at once as there are growers, and add the scaled values to raw.");
    nb::class_<boosting::GrownTree>(m, "GrownTree", "A finished tree on bins.")
        .def("refit_leaves", &refit_leaves<boosting::Grower>, "grower"_a, "y"_a, "raw"_a, "weight"_a, "quantile"_a,
             "n_threads"_a, "Replace the values of leaves by the weighted lower quantile of their residuals.")
        .def("scale", &boosting::scale_values, "factor"_a)
        .def("add_to_grown", &add_to_grown<boosting::Grower>, "grower"_a, "raw"_a, "n_threads"_a,
             "Add the values to the rows of the grower's last tree, which must be this one.")
        .def("add_to_grown", &add_to_grown<LevelTreeOwner>, "grower"_a, "raw"_a, "n_threads"_a,
             "Add the values to this rank's rows of the last tree, which must be this one.")
        .def("add_to_grown", &add_to_grown<boosting::SharedGrower>, "grower"_a, "raw"_a, "n_threads"_a,
             "The same for a tree that shares its questions with others.")
        .def("add_to_rows", &add_to_rows, "bins"_a, "rows"_a, "raw"_a, "n_threads"_a, "wide"_a = nb::none(),
             "Add the values to rows that walk down the tree.")
        .def("add_to_rows", &add_to_bundled, "bins"_a, "rows"_a, "raw"_a, "n_threads"_a, "wide"_a = nb::none(),
             "Add the values to rows of a sparse table that walk down the tree.")
        .def("find_leaves", &find_leaves, "bins"_a, "rows"_a, "n_threads"_a, "wide"_a = nb::none(),
             nb::sig("def find_leaves(self, bins: numpy.typing.NDArray[numpy.uint8], rows: "
                     "numpy.typing.NDArray[numpy.uint32], n_threads: int, wide: typing.Any = None) -> "
                     "numpy.typing.NDArray[numpy.int64]"),
             "Number of the node of the leaf that each of the rows reaches.")
        .def("set_leaves", &set_leaves, "values"_a,
             "Set the values of leaves, within their bounds; one number per node, NaN leaves a value as it is.")
        .def("arrays", &arrays, nb::sig("def arrays(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "The nodes, breadth first.");
    m.def("join_trees", &join, "trees"_a,
          nb::sig("def join_trees(trees: list[GrownTree]) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "The nodes of all trees, tree by tree; `tree_start` says where each begins.");
    m.def("part_trees", &part, "tree_start"_a, "feature"_a, "bin"_a, "left_set"_a, "wide_node"_a, "wide_column"_a,
          "wide_start"_a, "wide_set"_a, "left"_a, "right"_a, "missing_left"_a, "unseen_left"_a, "value"_a, "weight"_a,
          "gain"_a, "The trees that `join_trees` joined; rows can walk down them.");
}

}  // namespace glasswood::bind

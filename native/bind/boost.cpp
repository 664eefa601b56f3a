#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "boosting.hpp"
#include "glasswood/boosting/grown_tree.hpp"
#include "glasswood/boosting/tree_grower.hpp"
#include "interruptible.hpp"
#include "names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

// A byte holds the bin of a number, missing included, or of a level, missing and unseen included.
constexpr std::uint16_t most_bins = 255;

void construct_rules(boosting::NodeRules* self, Array1<std::uint16_t> n_bins, Array1<bool> is_category,
                     Array1<std::int32_t> monotone, std::vector<std::vector<std::uint32_t>> together,
                     const std::string& gain, double l2, double power, double largest_step, double rho,
                     double min_weight_leaf, double min_gain, std::uint32_t max_depth, std::uint32_t max_leaf_nodes,
                     std::uint32_t min_samples_leaf) {
    check_size(is_category.size(), n_bins.size(), "is_category");
    check_size(monotone.size(), n_bins.size(), "monotone");
    check_size_if_given(together.size(), n_bins.size(), "together");
    check_below(view(n_bins), most_bins + 1, "n_bins");
    check_at_least(l2, 0.0, "l2");
    check_at_least(rho, 0.0, "rho");
    check_at_least(min_weight_leaf, 0.0, "min_weight_leaf");
    check_at_least(min_gain, 0.0, "min_gain");
    const auto category = bytes(is_category);
    boosting::BinnedFeatures features{{n_bins.data(), n_bins.data() + n_bins.size()},
                                      {category.begin(), category.end()},
                                      {monotone.data(), monotone.data() + monotone.size()},
                                      std::move(together)};
    new (self) boosting::NodeRules(std::move(features), {gain_names.find(gain),
                                                         {l2, power, largest_step},
                                                         rho,
                                                         min_weight_leaf,
                                                         min_gain,
                                                         max_depth,
                                                         max_leaf_nodes,
                                                         min_samples_leaf});
}

void construct(boosting::Grower* self, Bins bins, Array2<std::uint8_t> by_column, const boosting::NodeRules& rules) {
    new (self) boosting::Grower(rows_of(bins, by_column, rules), rules);
}

boosting::GrownTree grow(boosting::Grower& grower, const StatisticsOwner& stats, Array1<std::uint32_t> rows,
                         Array1<std::uint32_t> columns, int n_threads) {
    check_tree(grower, stats, rows, columns);
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

void add_to_rows(const boosting::GrownTree& tree, Bins bins, Array1<std::uint32_t> rows, Output1<double> raw,
                 int n_threads) {
    const boosting::BinnedRows binned = rows_of(bins);
    check_size(raw.size(), binned.n_rows, "raw");
    check_below(view(rows), binned.n_rows, "rows");
    if (std::cmp_greater_equal(std::ranges::max(tree.feature), binned.n_features)) {
        throw nb::value_error("the tree splits features that bins do not have");
    }
    nb::gil_scoped_release release;
    boosting::add_walking(tree, binned, view(rows), n_threads, writable(raw));
}

nb::dict arrays(const boosting::GrownTree& tree) {
    const std::size_t n = tree.n_nodes();
    const auto* words = tree.left_set.data()->data();
    nb::dict out;
    out["feature"] = to_numpy(std::vector(tree.feature));
    out["bin"] = to_numpy(std::vector(tree.bin));
    out["left_set"] = to_numpy(std::vector<std::uint64_t>(words, words + 4 * n), {n, 4});
    out["left"] = to_numpy(std::vector(tree.left));
    out["right"] = to_numpy(std::vector(tree.right));
    out["missing_left"] = to_numpy(std::vector(tree.missing_left));
    out["unseen_left"] = to_numpy(std::vector(tree.unseen_left));
    out["value"] = to_numpy(std::vector(tree.value));
    out["weight"] = to_numpy(std::vector(tree.weight));
    out["gain"] = to_numpy(std::vector(tree.gain));
    return out;
}

}  // namespace

void bind_boost(nb::module_& m) {
    m.def("gain_names", [] { return gain_names.tuple(); }, nb::sig("def gain_names() -> tuple[str, ...]"));
    nb::class_<boosting::NodeRules>(m, "NodeRules", "What growing decides about a node, whatever its sums come from.")
        .def("__init__", &construct_rules, "n_bins"_a, "is_category"_a, "monotone"_a, "together"_a, "gain"_a, "l2"_a,
             "power"_a, "largest_step"_a, "rho"_a, "min_weight_leaf"_a, "min_gain"_a, "max_depth"_a,
             "max_leaf_nodes"_a = 0, "min_samples_leaf"_a = 1);
    nb::class_<boosting::Grower>(m, "Grower", "Grows one tree after the other on binned rows.")
        .def("__init__", &construct, "bins"_a, "by_column"_a, "rules"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("grow", &grow, "stats"_a, "rows"_a, "columns"_a, "n_threads"_a);
    nb::class_<boosting::GrownTree>(m, "GrownTree", "A finished tree on bins.")
        .def("refit_leaves", &refit_leaves<boosting::Grower>, "grower"_a, "y"_a, "raw"_a, "weight"_a, "quantile"_a,
             "n_threads"_a, "Replace the values of leaves by the weighted lower quantile of their residuals.")
        .def("scale", &boosting::scale_values, "factor"_a)
        .def("add_to_grown", &add_to_grown<boosting::Grower>, "grower"_a, "raw"_a, "n_threads"_a,
             "Add the values to the rows of the grower's last tree, which must be this one.")
        .def("add_to_grown", &add_to_grown<LevelTreeOwner>, "grower"_a, "raw"_a, "n_threads"_a,
             "Add the values to this rank's rows of the last tree, which must be this one.")
        .def("add_to_rows", &add_to_rows, "bins"_a, "rows"_a, "raw"_a, "n_threads"_a,
             "Add the values to rows that walk down the tree.")
        .def("arrays", &arrays, nb::sig("def arrays(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "The nodes, breadth first.");
}

}  // namespace glasswood::bind

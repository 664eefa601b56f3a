#include "glasswood/explain/effects.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <new>
#include <optional>

#include "bindings.hpp"
#include "explain.hpp"
#include "glasswood/explain/cell_table_sums.hpp"
#include "glasswood/explain/intervals/interval_tables.hpp"
#include "glasswood/explain/row_shares.hpp"
#include "glasswood/explain/training_mass.hpp"
#include "interruptible.hpp"
#include "names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

void call_add(explain::RowShares& self, const CodesOwner& codes, std::size_t first, std::size_t last, int n_threads) {
    check_codes(self.paths(), codes);
    check_rows(codes, first, last);
    check_fixed(codes);
    // Sets of rows go down a tree 64 rows at a time: 0.05 ns per row and node, so that less than this takes some 6 ms.
    const bool large = (last - first) * codes.owner.ensemble.n_nodes() >= 128 * stoppable_steps;
    stoppable(large, [&] { self.add(codes.codes, first, last, n_threads); });
}

void call_add_sums(explain::RowShares& self, Array1<std::int64_t> sums, std::int64_t total) {
    check_size(sums.size(), self.n_slots(), "sums");
    self.add_sums(view(sums), total);
}

nb::tuple call_sums(const explain::RowShares& self) { return nb::make_tuple(copied(self.sums()), self.total()); }

nb::tuple call_slots(const explain::RowShares& self) {
    return nb::make_tuple(copied(self.slot_start()), copied(self.paths().leaf));
}

explain::LeafShares call_shares(const explain::RowShares& self) {
    nb::gil_scoped_release release;
    return self.shares();
}

explain::LeafShares call_path(const PathsOwner& owner, Array1<std::uint8_t> role, int order) {
    const std::vector<explain::Role> roles = checked_roles(owner, role, order);
    nb::gil_scoped_release release;
    return explain::path_shares(owner.paths, roles, order);
}

nb::object call_mean(const PathsOwner& owner, const explain::LeafShares& shares) {
    check_shares(owner, shares);
    return to_numpy(explain::mean_raw(owner.ensemble, owner.paths, shares));
}

nb::object call_effects(const PathsOwner& owner, const explain::LeafShares& shares, Array2<std::int32_t> features) {
    const auto wanted = checked_features(owner, features);
    check_shares(owner, shares);
    if (shares.order == 0) throw nb::value_error("effects need shares of order 1 or 2");
    std::vector<double> out;
    {
        nb::gil_scoped_release release;
        out = explain::effect_terms(owner.ensemble, owner.paths, shares, wanted);
    }
    return to_numpy(std::move(out));
}

std::size_t n_cells(const PathsOwner& owner, const Array2<std::int32_t>& features) {
    return explain::table_starts(owner.paths.axes, checked_features(owner, features), features.shape(1),
                                 owner.ensemble.n_outputs())
        .back();
}

void call_mass(const PathsOwner& owner, Array2<std::int32_t> features, Output1<double> out, int n_threads) {
    if (features.shape(1) != 1) throw nb::value_error("mass is spread over one feature at a time");
    check_size(out.size(), n_cells(owner, features), "out");
    stoppable(out.size() >= stoppable_steps,
              [&] { explain::single_mass(owner.ensemble, owner.paths, view(features), n_threads, out.data()); });
}

nb::object call_leaf_tables(const PathsOwner& owner, Array2<std::int32_t> features, const std::string& formula,
                            Output1<double> value, Output1<double> spread, Output1<double> weight, int n_threads) {
    const explain::intervals::Formula wanted = formula_names.find(formula);
    const std::size_t cells = n_cells(owner, features);
    check_size(value.size(), cells, "value");
    check_size(spread.size(), cells, "spread");
    check_size(weight.size(), cells, "weight");
    std::vector<double> means;
    stoppable(cells >= stoppable_steps, [&] {
        means = explain::intervals::leaf_tables(owner.ensemble, owner.paths, view(features), features.shape(1), wanted,
                                                n_threads, {value.data(), spread.data(), weight.data()});
    });
    return to_numpy(std::move(means), {features.shape(0), owner.ensemble.n_outputs()});
}

}  // namespace

void bind_effects(nb::module_& m) {
    nb::class_<explain::LeafShares>(m, "LeafShares",
                                    "Per leaf and small set of replaced features the share of rows that reach it.")
        .def(
            "values", [](const explain::LeafShares& self) { return copied(self.share); },
            nb::sig("def values(self) -> numpy.typing.NDArray[numpy.float64]"), "All shares, leaf after leaf.");
    nb::class_<explain::RowShares>(
        m, "RowShares", "Sums over rows of which features of each leaf's path they fail; of all trees, or of some.")
        .def(
            "__init__",
            [](explain::RowShares* self, const PathsOwner& owner, Array1<std::uint8_t> role, int order,
               std::size_t first_tree, std::optional<std::size_t> last_tree) {
                new (self) explain::RowShares(owner.ensemble, owner.paths, checked_roles(owner, role, order), order,
                                              checked_trees(owner, first_tree, last_tree));
            },
            "paths"_a, "role"_a, "order"_a, "first_tree"_a = 0, "last_tree"_a = nb::none(), nb::keep_alive<1, 2>())
        .def("add", &call_add, "codes"_a, "first"_a, "last"_a, "n_threads"_a = 1,
             "Add rows [first, last) of codes; whole blocks are fastest.")
        .def("add_sums", &call_add_sums, "sums"_a, "total"_a,
             "Add rows that were counted elsewhere: the weight in each slot and of all rows, in units.")
        .def("sums", &call_sums, nb::sig("def sums(self) -> tuple[numpy.typing.NDArray[numpy.int64], int]"),
             "Weight in each slot and of all rows so far, in units.")
        .def("slots", &call_slots,
             nb::sig("def slots(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]"),
             "First slot of every leaf, with the end, and the node of every leaf. Slot 0 of a leaf is for rows that "
             "reach it; with free features 1 … m in the order of its path, order 1 has slot b for rows that fail b "
             "alone, order 2 slot 1 + b(b−1)/2 for them and a further on for rows that fail a < b and b.")
        .def("shares", &call_shares, "Shares of the rows added so far.");
    m.attr("BLOCK_ROWS") = explain::block_rows;
    m.attr("FIXED") = static_cast<int>(explain::Role::fixed);
    m.attr("FREE") = static_cast<int>(explain::Role::free);
    m.attr("REPLACED") = static_cast<int>(explain::Role::replaced);
    m.def("path_shares", &call_path, "paths"_a, "role"_a, "order"_a,
          "Shares by training weight; a role per feature: FIXED, FREE or REPLACED.");
    m.def("mean_raw", &call_mean, "paths"_a, "shares"_a,
          nb::sig("def mean_raw(paths: Paths, shares: LeafShares) -> numpy.typing.NDArray[numpy.float64]"),
          "Mean of raw per output.");
    m.def("effect_terms", &call_effects, "paths"_a, "shares"_a, "features"_a,
          nb::sig("def effect_terms(paths: Paths, shares: LeafShares, features: numpy.typing.NDArray[numpy.int32]) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "PD_j - PD_∅ of every feature (n, 1): tables (n_outputs, cells) one after the other.");
    m.def("single_mass", &call_mass, "paths"_a, "features"_a, "out"_a, "n_threads"_a = 1,
          "Write the training weight, spread over the cells of single features (n, 1): tables (n_outputs, cells).");
    m.def("leaf_tables", &call_leaf_tables, "paths"_a, "features"_a, "formula"_a, "value"_a, "spread"_a, "weight"_a,
          "n_threads"_a = 1,
          nb::sig("def leaf_tables(paths: Paths, features: numpy.typing.NDArray[numpy.int32], formula: str, value: "
                  "numpy.typing.NDArray[numpy.float64], spread: numpy.typing.NDArray[numpy.float64], weight: "
                  "numpy.typing.NDArray[numpy.float64], n_threads: int = 1) -> numpy.typing.NDArray[numpy.float64]"),
          "Write value, spread and weight by the formula shared, leafmean or treemind to zeros: tables (n_outputs, "
          "cells …). Returns their weighted means (n, n_outputs).");
}

}  // namespace glasswood::bind

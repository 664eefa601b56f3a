#include "explain.hpp"

#include <nanobind/stl/optional.h>

#include <new>
#include <optional>

#include "bindings.hpp"
#include "glasswood/base/exact_sum.hpp"
#include "glasswood/explain/cell_moments.hpp"
#include "glasswood/explain/cell_sums.hpp"
#include "glasswood/explain/cell_table_sums.hpp"
#include "glasswood/explain/split_questions.hpp"
#include "interruptible.hpp"
#include "model.hpp"
#include "table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

void construct_paths(PathsOwner* self, const Trees& trees, Array1<double> weight, Array1<bool> missing_routed) {
    check_size(weight.size(), trees.view.n_nodes(), "weight");
    check_size(missing_routed.size(), trees.view.n_features(), "missing_routed");
    const auto routed = bytes(missing_routed);
    nb::gil_scoped_release release;
    new (self) PathsOwner{trees.view, explain::make_paths(trees.view, view(weight), routed)};
}

nb::dict call_cells(const PathsOwner& owner) {
    const explain::Axes& axes = owner.paths.axes;
    nb::dict out;
    out["start"] = copied(axes.grid.start);
    out["thresholds"] = copied(axes.grid.thresholds);
    out["regular"] = copied(axes.regular);
    out["missing"] = copied(axes.missing);
    out["size"] = copied(axes.size);
    out["own_missing"] = copied(axes.own_missing);
    return out;
}

nb::tuple call_questions(const PathsOwner& owner) {
    explain::NumberQuestions questions = explain::number_questions(owner.ensemble, owner.paths.axes);
    return nb::make_tuple(to_numpy(std::move(questions.cut)), to_numpy(std::move(questions.also)));
}

nb::tuple call_sides(const PathsOwner& owner) {
    return nb::make_tuple(copied(owner.paths.start), copied(owner.paths.feature));
}

void call_append(CodesOwner& self, nb::object X, std::optional<Array1<double>> weight, int n_threads) {
    const RowsArgument table(X, self.owner.paths.axes.kind);
    const table::Rows rows = table.rows();
    const std::span<const double> weights = checked_weight(weight, rows.n_rows);
    stoppable(rows.n_rows * rows.columns.size() >= stoppable_steps,
              [&] { self.codes.append(rows, weights, n_threads); });
}

void call_fix(CodesOwner& self, std::optional<double> unit) {
    if (unit && !(*unit > 0.0)) throw nb::value_error("unit must be above 0");
    nb::gil_scoped_release release;
    self.codes.fix(unit ? *unit : base::weight_unit(base::exact_sum(self.codes.weight())).size);
}

void call_drop(CodesOwner& self, std::size_t n_rows) {
    check_rows(self, 0, n_rows);
    self.codes.drop(n_rows);
}

nb::object call_weight(const CodesOwner& self) { return copied(self.codes.weight()); }

void call_count(const CodesOwner& self, Array2<std::int32_t> features, std::size_t first, std::size_t last,
                Output1<std::int64_t> weight, int n_threads) {
    const auto tuples = checked_features(self.owner, features);
    const explain::Axes& axes = self.owner.paths.axes;
    check_rows(self, first, last);
    check_fixed(self);
    check_size(weight.size(), explain::table_starts(axes, tuples, features.shape(1), 1).back(), "weight");
    stoppable((last - first) * features.shape(0) >= stoppable_steps, [&] {
        explain::count_cells(axes, self.codes, tuples, features.shape(1), first, last, n_threads, weight.data());
    });
}

void make_moments(explain::CellMoments* self, std::size_t n_cells, Array1<double> baseline, double largest) {
    new (self) explain::CellMoments(n_cells, view(baseline), largest);
}

void call_moments(explain::CellMoments& self, const CodesOwner& codes, Array2<std::int32_t> features, std::size_t first,
                  Array2<double> raw, int n_threads) {
    const auto tuples = checked_features(codes.owner, features);
    const explain::Axes& axes = codes.owner.paths.axes;
    check_rows(codes, first, first + raw.shape(0));
    check_fixed(codes);
    check_size(raw.shape(1), self.n_outputs(), "a row of raw");
    check_size(self.n_cells(),
               static_cast<std::size_t>(explain::table_starts(axes, tuples, features.shape(1), 1).back()),
               "the table of moments");
    stoppable(raw.size() * features.shape(0) >= stoppable_steps,
              [&] { self.add(axes, codes.codes, tuples, features.shape(1), first, view(raw), n_threads); });
}

nb::tuple call_moment_sums(const explain::CellMoments& self) {
    std::vector<std::uint64_t> sums, weights;
    {
        nb::gil_scoped_release release;
        sums = self.sums();
        weights = self.squared_weights();
    }
    const std::size_t n_sums = sums.size() / explain::CellMoments::words, n_weights = weights.size() / 2;
    return nb::make_tuple(to_numpy(std::move(sums), {n_sums, explain::CellMoments::words}),
                          to_numpy(std::move(weights), {n_weights, std::size_t{2}}));
}

void call_merge(explain::CellMoments& self, Array2<std::uint64_t> sums, Array2<std::uint64_t> weights) {
    check_size(sums.shape(1), explain::CellMoments::words, "a row of sums");
    check_size(sums.shape(0), self.n_cells() * self.n_outputs(), "sums");
    check_size(weights.shape(1), 2, "a row of squared_weights");
    check_size_if_given(weights.shape(0), self.n_cells(), "squared_weights");
    nb::gil_scoped_release release;
    self.merge(view(sums), view(weights));
}

nb::tuple call_finish(const explain::CellMoments& self, Array1<std::int64_t> weight) {
    check_size(weight.size(), self.n_cells(), "weight");
    std::vector<double> mean(self.n_cells() * self.n_outputs()), error(mean.size());
    {
        nb::gil_scoped_release release;
        self.finish(view(weight), mean.data(), error.data());
    }
    const std::size_t n_outputs = self.n_outputs(), n_cells = self.n_cells();
    return nb::make_tuple(to_numpy(std::move(mean), {n_outputs, n_cells}),
                          to_numpy(std::move(error), {n_outputs, n_cells}));
}

void call_numbers(Output1<std::int64_t> whole, double unit) {
    nb::gil_scoped_release release;
    explain::to_numbers(writable(whole), unit);
}

void call_subtract(const CodesOwner& self, Array2<std::int32_t> features, Array1<double> tables, Output1<double> raw,
                   int n_threads) {
    const auto tuples = checked_features(self.owner, features);
    const explain::Axes& axes = self.owner.paths.axes;
    const std::size_t n_outputs = self.owner.ensemble.n_outputs();
    check_size(tables.size(), explain::table_starts(axes, tuples, features.shape(1), n_outputs).back(), "tables");
    check_size(raw.size(), self.codes.n_rows() * n_outputs, "raw");
    stoppable(raw.size() * features.shape(0) >= stoppable_steps, [&] {
        explain::subtract_tables(axes, self.codes, tuples, features.shape(1), view(tables), n_outputs, n_threads,
                                 raw.data());
    });
}

}  // namespace

void bind_explain(nb::module_& m) {
    nb::class_<PathsOwner>(m, "Paths", "Per leaf the features of its path and the cells of each that lead to it.")
        .def("__init__", &construct_paths, "trees"_a, "weight"_a, "missing_routed"_a, nb::keep_alive<1, 2>())
        .def("cells", &call_cells, nb::sig("def cells(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "The cells of every feature: thresholds in CSR form, number of regular cells, cell of a missing value, "
             "number of cells, whether missing has its own.")
        .def("sides", &call_sides,
             nb::sig("def sides(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]"),
             "First side of each leaf, and the feature of each side.")
        .def("questions", &call_questions,
             nb::sig("def questions(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int32]]"),
             "Per node: cells up to the first number, or equal to the second, go left; −1 in leaves.");
    nb::class_<CodesOwner>(m, "Codes", "Rows of a table as cells; rows of weight 0 are left out.")
        .def(
            "__init__",
            [](CodesOwner* self, const PathsOwner& paths) {
                new (self) CodesOwner{paths, explain::Codes(paths.paths.axes, paths.ensemble)};
            },
            "paths"_a, nb::keep_alive<1, 2>())
        .def("append", &call_append, "X"_a, "weight"_a.none(), "n_threads"_a = 1,
             "Encode rows, with a weight each or None in every call.")
        .def("fix", &call_fix, "unit"_a.none(),
             "Set the unit of the weights, a power of two, or None: as it suits the rows there are.")
        .def("drop", &call_drop, "n_rows"_a, "Forget the first rows.")
        .def_prop_ro("n_rows", [](const CodesOwner& self) { return self.codes.n_rows(); })
        .def_prop_ro("unit", [](const CodesOwner& self) { return self.codes.is_weighted() ? self.codes.unit() : 1.0; })
        .def("weight", &call_weight, nb::sig("def weight(self) -> numpy.typing.NDArray[numpy.float64]"),
             "Weights of the rows; empty where they weigh 1.")
        .def("count", &call_count, "features"_a, "first"_a, "last"_a, "weight"_a, "n_threads"_a = 1,
             "Add the weight of rows [first, last), in units, to the cells of tables that stand one after the other.")
        .def("subtract", &call_subtract, "features"_a, "tables"_a, "raw"_a, "n_threads"_a = 1,
             "Take the entry of each row's cell from raw, table by table.");
    nb::class_<explain::CellMoments>(m, "CellMoments",
                                     "Mean of raw over the rows of each cell, and its standard error.")
        .def("__init__", &make_moments, "n_cells"_a, "baseline"_a, "largest"_a)
        .def("add", &call_moments, "codes"_a, "features"_a, "first"_a, "raw"_a, "n_threads"_a = 1,
             "Add rows of raw that belong to rows of codes from `first` on.")
        .def("sums", &call_moment_sums,
             nb::sig("def sums(self) -> tuple[numpy.typing.NDArray[numpy.uint64], "
                     "numpy.typing.NDArray[numpy.uint64]]"),
             "The sums so far as rows of words of 64 bits, lowest first: of each cell and output three of the squares "
             "and two of the values; of each cell two of the squared weights, none where rows weigh 1.")
        .def("merge", &call_merge, "sums"_a, "squared_weights"_a, "Add rows that were added elsewhere.")
        .def("finish", &call_finish, "weight"_a,
             nb::sig("def finish(self, weight: numpy.typing.NDArray[numpy.int64]) -> "
                     "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
             "Mean and standard error, (n_outputs, n_cells); NaN without rows.");
    m.def("to_numbers", &call_numbers, "whole"_a, "unit"_a,
          "Turn whole units into numbers in their place: the array, viewed as float64.");
}

}  // namespace glasswood::bind

#include "codes.hpp"

#include <nanobind/stl/optional.h>

#include <new>

#include "glasswood/cell_sums.hpp"
#include "glasswood/tables.hpp"
#include "rooms.hpp"
#include "rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood {
namespace {

void append_door(CodesOwner& self, nb::object X, std::optional<Array1<double>> weight, int n_threads) {
    const RowsArgument table(X, self.owner.paths.axes.kind);
    const Rows rows = table.rows();
    const std::span<const double> weights = weight ? view(*weight) : std::span<const double>{};
    if (weight) check_size(weights.size(), rows.n_rows, "weight");
    nb::gil_scoped_release release;
    self.codes.append(rows, weights, n_threads);
}

void drop_door(CodesOwner& self, std::size_t n_rows) {
    check_rows(self, 0, n_rows);
    self.codes.drop(n_rows);
}

nb::object weight_door(const CodesOwner& self) {
    return to_numpy(std::vector<double>(self.codes.weight().begin(), self.codes.weight().end()));
}

void count_door(const CodesOwner& self, Array2<std::int32_t> features, std::size_t first, std::size_t last,
                Output1<double> weight, int n_threads) {
    const auto tuples = checked_features(self.owner, features);
    const Axes& axes = self.owner.paths.axes;
    check_rows(self, first, last);
    check_size(weight.size(), table_starts(axes, tuples, features.shape(1), 1).back(), "weight");
    nb::gil_scoped_release release;
    count_cells(axes, self.codes, tuples, features.shape(1), first, last, n_threads, weight.data());
}

void moments_door(const CodesOwner& self, Array2<std::int32_t> features, std::size_t first, Array2<double> raw,
                  Output1<double> weight, Output1<double> squared, Output1<double> mean, Output1<double> scatter,
                  int n_threads) {
    const auto tuples = checked_features(self.owner, features);
    const Axes& axes = self.owner.paths.axes;
    const std::size_t n_outputs = self.owner.ensemble.n_outputs();
    const auto cells = static_cast<std::size_t>(table_starts(axes, tuples, features.shape(1), 1).back());
    check_rows(self, first, first + raw.shape(0));
    check_size(raw.shape(1), n_outputs, "a row of raw");
    check_size(weight.size(), cells, "weight");
    check_size(squared.size(), cells, "squared");
    check_size(mean.size(), cells * n_outputs, "mean");
    check_size(scatter.size(), cells * n_outputs, "scatter");
    nb::gil_scoped_release release;
    add_moments(axes, self.codes, tuples, features.shape(1), first, view(raw), n_outputs, n_threads,
                {weight.data(), squared.data(), mean.data(), scatter.data()});
}

void subtract_door(const CodesOwner& self, Array2<std::int32_t> features, Array1<double> tables, Output1<double> raw,
                   int n_threads) {
    const auto tuples = checked_features(self.owner, features);
    const Axes& axes = self.owner.paths.axes;
    const std::size_t n_outputs = self.owner.ensemble.n_outputs();
    check_size(tables.size(), table_starts(axes, tuples, features.shape(1), n_outputs).back(), "tables");
    check_size(raw.size(), self.codes.n_rows() * n_outputs, "raw");
    nb::gil_scoped_release release;
    subtract_tables(axes, self.codes, tuples, features.shape(1), view(tables), n_outputs, n_threads, raw.data());
}

}  // namespace

void bind_codes(nb::module_& m) {
    nb::class_<CodesOwner>(m, "Codes", "Rows of a table as cells; rows of weight 0 are left out.")
        .def(
            "__init__",
            [](CodesOwner* self, const PathsOwner& paths) {
                new (self) CodesOwner{paths, Codes(paths.paths.axes, paths.ensemble)};
            },
            "paths"_a, nb::keep_alive<1, 2>())
        .def("append", &append_door, "X"_a, "weight"_a.none(), "n_threads"_a = 1,
             "Encode rows, with a weight each or None in every call.")
        .def("drop", &drop_door, "n_rows"_a, "Forget the first rows.")
        .def_prop_ro("n_rows", [](const CodesOwner& self) { return self.codes.n_rows(); })
        .def("weight", &weight_door, nb::sig("def weight(self) -> numpy.typing.NDArray[numpy.float64]"),
             "Weights of the rows; empty where they weigh 1.")
        .def("count", &count_door, "features"_a, "first"_a, "last"_a, "weight"_a, "n_threads"_a = 1,
             "Add the weight of rows [first, last) to the cells of tables that stand one after the other.")
        .def("add_moments", &moments_door, "features"_a, "first"_a, "raw"_a, "weight"_a, "squared"_a, "mean"_a,
             "scatter"_a, "n_threads"_a = 1, "Add rows to the running moments of raw in each cell.")
        .def("subtract", &subtract_door, "features"_a, "tables"_a, "raw"_a, "n_threads"_a = 1,
             "Take the entry of each row's cell from raw, table by table.");
}

}  // namespace glasswood

#include "paths.hpp"

#include <new>

#include "bindings.hpp"
#include "trees.hpp"

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

template <class T>
nb::object copied(const std::vector<T>& values) {
    return to_numpy(std::vector<T>(values));
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

nb::tuple call_sides(const PathsOwner& owner) {
    return nb::make_tuple(copied(owner.paths.start), copied(owner.paths.feature));
}

}  // namespace

void bind_paths(nb::module_& m) {
    nb::class_<PathsOwner>(m, "Paths", "Per leaf the features of its path and the cells of each that lead to it.")
        .def("__init__", &construct_paths, "trees"_a, "weight"_a, "missing_routed"_a, nb::keep_alive<1, 2>())
        .def("cells", &call_cells, nb::sig("def cells(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "The cells of every feature: thresholds in CSR form, number of regular cells, cell of a missing value, "
             "number of cells, whether missing has its own.")
        .def("sides", &call_sides,
             nb::sig("def sides(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]"),
             "First side of each leaf, and the feature of each side.");
}

}  // namespace glasswood::bind

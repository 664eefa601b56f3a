#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/model/node_passes.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

nb::tuple call_preorder(Array1<std::int64_t> roots, Array1<std::int64_t> left, Array1<std::int64_t> right) {
    if (left.size() != right.size()) throw nb::value_error("left and right differ in length");
    model::Preorder result;
    {
        nb::gil_scoped_release release;
        result = model::preorder(view(roots), view(left), view(right));
    }
    return nb::make_tuple(to_numpy(std::move(result.order)), to_numpy(std::move(result.tree_start)));
}

nb::object call_depths(Array1<std::int32_t> left, Array1<std::int32_t> right) {
    if (left.size() != right.size()) throw nb::value_error("left and right differ in length");
    std::vector<std::int32_t> depth(left.size());
    {
        nb::gil_scoped_release release;
        model::node_depths(view(left), view(right), depth);
    }
    return to_numpy(std::move(depth));
}

nb::object call_fill(Array1<std::int32_t> left, Array1<std::int32_t> right, Array1<double> weight,
                     Array2<double> value) {
    if (left.size() != right.size() || weight.size() != left.size() || value.shape(0) != left.size())
        throw nb::value_error("left, right, weight and value differ in length");
    const std::size_t width = value.shape(1);
    std::vector<double> filled(value.data(), value.data() + value.size());
    {
        nb::gil_scoped_release release;
        model::fill_inner_values(view(left), view(right), view(weight), width, filled);
    }
    return to_numpy(std::move(filled), {left.size(), width});
}

}  // namespace

void bind_nodes(nb::module_& m) {
    m.def("preorder", &call_preorder, "roots"_a, "left"_a, "right"_a,
          nb::sig("def preorder(roots: numpy.typing.NDArray[numpy.int64], left: "
                  "numpy.typing.NDArray[numpy.int64], right: "
                  "numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.int32]]"),
          "Order of the nodes in pre-order and the first position of each tree; ValueError on a cycle or a "
          "bad child.");
    m.def("node_depths", &call_depths, "left"_a, "right"_a,
          nb::sig("def node_depths(left: numpy.typing.NDArray[numpy.int32], right: "
                  "numpy.typing.NDArray[numpy.int32]) -> "
                  "numpy.typing.NDArray[numpy.int32]"),
          "Depth of every node.");
    m.def("fill_inner_values", &call_fill, "left"_a, "right"_a, "weight"_a, "value"_a,
          nb::sig("def fill_inner_values(left: numpy.typing.NDArray[numpy.int32], right: "
                  "numpy.typing.NDArray[numpy.int32], weight: numpy.typing.NDArray[numpy.float64], value: "
                  "numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]"),
          "Copy of value with every inner node set to the weighted mean of its children.");
}

}  // namespace glasswood::bind

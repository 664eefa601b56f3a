#include "model.hpp"

#include <new>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/model/leaf_boxes.hpp"
#include "glasswood/model/node_order.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

void construct_trees(Trees* self, Array1<std::int32_t> tree_start, Array1<std::int32_t> tree_output,
                     Array1<std::int32_t> feature, Array1<double> threshold, Array1<std::int32_t> left,
                     Array1<std::int32_t> right, Array1<bool> missing_left, Array1<std::int32_t> category_set,
                     Array1<bool> unseen_left, Array1<std::int32_t> leaf_id, Array2<double> value,
                     Array1<std::int64_t> set_start, Array1<std::uint64_t> set_bits, Array1<double> baseline,
                     Array1<std::int32_t> n_levels, Array1<bool> zero_is_missing) {
    const std::size_t n_nodes = feature.size();
    check_size(tree_start.size(), tree_output.size() + 1, "tree_start");
    check_size(threshold.size(), n_nodes, "threshold");
    check_size(left.size(), n_nodes, "left");
    check_size(right.size(), n_nodes, "right");
    check_size(missing_left.size(), n_nodes, "missing_left");
    check_size(category_set.size(), n_nodes, "category_set");
    check_size(unseen_left.size(), n_nodes, "unseen_left");
    check_size(leaf_id.size(), n_nodes, "leaf_id");
    check_size(value.shape(0), n_nodes, "value");
    check_size(zero_is_missing.size(), n_levels.size(), "zero_is_missing");
    if (set_start.size() == 0) throw nb::value_error("set_start is empty");
    check_starts(view(set_start), set_start.size() - 1, set_bits.size(), "set_start");
    new (self)
        Trees{{view(tree_start), view(tree_output), view(feature), view(threshold), view(left), view(right),
               bytes(missing_left), view(category_set), bytes(unseen_left), view(leaf_id), view(value), view(set_start),
               view(set_bits), view(baseline), view(n_levels), bytes(zero_is_missing), value.shape(1)},
              {nb::cast(tree_start), nb::cast(tree_output), nb::cast(feature), nb::cast(threshold), nb::cast(left),
               nb::cast(right), nb::cast(missing_left), nb::cast(category_set), nb::cast(unseen_left),
               nb::cast(leaf_id), nb::cast(value), nb::cast(set_start), nb::cast(set_bits), nb::cast(baseline),
               nb::cast(n_levels), nb::cast(zero_is_missing)}};
}

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

nb::dict call_boxes(const Trees& trees, bool of_inner) {
    model::Boxes found;
    {
        nb::gil_scoped_release release;
        found = model::boxes(trees.view, of_inner);
    }
    nb::dict out;
    out["leaf"] = to_numpy(std::move(found.leaf));
    out["start"] = to_numpy(std::move(found.start));
    out["feature"] = to_numpy(std::move(found.feature));
    out["lower"] = to_numpy(std::move(found.lower));
    out["upper"] = to_numpy(std::move(found.upper));
    out["missing"] = to_numpy(std::move(found.missing));
    out["unseen"] = to_numpy(std::move(found.unseen));
    out["category_set"] = to_numpy(std::move(found.category_set));
    out["set_start"] = to_numpy(std::move(found.set_start));
    out["set_bits"] = to_numpy(std::move(found.set_bits));
    return out;
}

}  // namespace

void bind_model(nb::module_& m) {
    nb::class_<Trees>(m, "Trees",
                      "The arrays of an ensemble, borrowed by every kernel. They must be valid: nothing is checked "
                      "here but lengths.")
        .def("__init__", &construct_trees, "tree_start"_a, "tree_output"_a, "feature"_a, "threshold"_a, "left"_a,
             "right"_a, "missing_left"_a, "category_set"_a, "unseen_left"_a, "leaf_id"_a, "value"_a, "set_start"_a,
             "set_bits"_a, "baseline"_a, "n_levels"_a, "zero_is_missing"_a);
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
    m.def("boxes", &call_boxes, "trees"_a, "of_inner"_a,
          nb::sig("def boxes(trees: Trees, of_inner: bool) -> dict[str, object]"),
          "Box of every leaf, or of every node, in CSR form.");
}

}  // namespace glasswood::bind

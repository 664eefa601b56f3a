#include "trees.hpp"

#include <new>

#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

void construct(Trees* self, Array1<std::int32_t> tree_start, Array1<std::int32_t> tree_output,
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

}  // namespace

void bind_trees(nb::module_& m) {
    nb::class_<Trees>(m, "Trees",
                      "The arrays of an ensemble, borrowed by every kernel. They must be valid: nothing is checked "
                      "here but lengths.")
        .def("__init__", &construct, "tree_start"_a, "tree_output"_a, "feature"_a, "threshold"_a, "left"_a, "right"_a,
             "missing_left"_a, "category_set"_a, "unseen_left"_a, "leaf_id"_a, "value"_a, "set_start"_a, "set_bits"_a,
             "baseline"_a, "n_levels"_a, "zero_is_missing"_a);
}

}  // namespace glasswood::bind

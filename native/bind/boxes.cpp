#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/model/leaf_boxes.hpp"
#include "trees.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

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

void bind_boxes(nb::module_& m) {
    m.def("boxes", &call_boxes, "trees"_a, "of_inner"_a,
          nb::sig("def boxes(trees: Trees, of_inner: bool) -> dict[str, object]"),
          "Box of every leaf, or of every node, in CSR form.");
}

}  // namespace glasswood::bind

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "formula_texts.hpp"

namespace nb = nanobind;

namespace glasswood::bind {

void bind_formulas(nb::module_& m) {
    m.def("formula_texts", &formula_texts,
          "Text of every formula header, by its name in an #include: a GPU's kernels are compiled from it.");
}

}  // namespace glasswood::bind

#include <new>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/predict/plan.hpp"
#include "interruptible.hpp"
#include "model.hpp"
#include "table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

auto predict_raw(const predict::Plan& plan, nb::object X, int n_threads) {
    const RowsArgument table(X, plan.kinds());
    NewArray2<double> out(table.rows().n_rows, plan.ensemble().n_outputs());
    stoppable(out.rows * plan.ensemble().n_trees() >= 16 * stoppable_steps,
              [&] { plan.predict_raw(table.rows(), n_threads, out.span()); });
    return out.to_numpy();
}

auto apply(const predict::Plan& plan, nb::object X, int n_threads) {
    const RowsArgument table(X, plan.kinds());
    NewArray2<std::int32_t> out(table.rows().n_rows, plan.ensemble().n_trees());
    stoppable(out.rows * out.columns >= 16 * stoppable_steps, [&] { plan.apply(table.rows(), n_threads, out.span()); });
    return out.to_numpy();
}

}  // namespace

void bind_predict(nb::module_& m) {
    nb::class_<predict::Plan>(m, "Plan",
                              "An ensemble compiled for prediction; may be used from several threads at once.")
        .def(
            "__init__", [](predict::Plan* self, const Trees& trees) { new (self) predict::Plan(trees.view); },
            "trees"_a, nb::keep_alive<1, 2>())
        .def("predict_raw", &predict_raw, "X"_a, "n_threads"_a = 1,
             "Baseline plus leaf values, (n_rows, n_outputs). X: a 2-D float array, or a list of 1-D arrays "
             "(floats,\n"
             "int32 codes for categories), at any stride.")
        .def("apply", &apply, "X"_a, "n_threads"_a = 1, "Leaf ids, (n_rows, n_trees).");
}

}  // namespace glasswood::bind

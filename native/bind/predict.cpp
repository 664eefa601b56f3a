#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "bindings.hpp"
#include "glasswood/base/cpu_level.hpp"
#include "glasswood/predict/plan.hpp"
#include "interruptible.hpp"
#include "names.hpp"
#include "rows.hpp"
#include "trees.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

// Left uninitialised: the kernel writes every entry.
template <class T>
struct Table {
    Table(std::size_t n_rows, std::size_t n_columns)
        : rows(n_rows), columns(n_columns), data(new T[n_rows * n_columns]) {}

    std::span<T> span() const { return {data.get(), rows * columns}; }
    nb::ndarray<nb::numpy, T, nb::ndim<2>> to_numpy() {
        nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return {data.release(), {rows, columns}, owner};
    }

    std::size_t rows;
    std::size_t columns;
    std::unique_ptr<T[]> data;
};

auto predict_raw(const predict::Plan& plan, nb::object X, int n_threads) {
    const RowsArgument table(X, plan.kinds());
    Table<double> out(table.rows().n_rows, plan.ensemble().n_outputs());
    stoppable(out.rows * plan.ensemble().n_trees() >= 16 * stoppable_steps,
              [&] { plan.predict_raw(table.rows(), n_threads, out.span()); });
    return out.to_numpy();
}

auto apply(const predict::Plan& plan, nb::object X, int n_threads) {
    const RowsArgument table(X, plan.kinds());
    Table<std::int32_t> out(table.rows().n_rows, plan.ensemble().n_trees());
    stoppable(out.rows * out.columns >= 16 * stoppable_steps, [&] { plan.apply(table.rows(), n_threads, out.span()); });
    return out.to_numpy();
}

std::string use_named_level(const std::string& name) { return level_names.of(base::use_level(level_names.find(name))); }

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
    m.def(
        "cpu_level", [] { return level_names.of(base::cpu_level()); },
        "The CPU level kernels run at: plain, v3 or v4.");
    m.def("use_cpu_level", &use_named_level, "cap"_a,
          "Run kernels at most at this CPU level, in the whole process; returns the level now in use.");
}

}  // namespace glasswood::bind

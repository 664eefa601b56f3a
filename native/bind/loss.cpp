#include "glasswood/boosting/loss.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "halves.hpp"
#include "names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

// softmax finds the output of a row by its target.
void check_classes(std::span<const double> y, std::size_t n_outputs) {
    const auto is_class = [&](double k) { return k >= 0.0 && k < static_cast<double>(n_outputs); };
    if (!std::ranges::all_of(y, is_class)) throw nb::value_error("y must hold numbers of classes, from 0");
}

boosting::Loss loss_of(const std::string& name, double parameter) {
    const boosting::LossKind kind = loss_names.find(name);
    if (kind == boosting::LossKind::quantile) check_between(parameter, 0.0, 1.0, "quantile");
    if (kind == boosting::LossKind::tweedie) check_between(parameter, 1.0, 2.0, "power");
    return {kind, parameter};
}

boosting::Fitted fitted(boosting::LossKind kind, const Array1<double>& y, const Array2<double>& raw,
                        const Array1<double>& weight) {
    check_size(raw.shape(1), y.size(), "a row of raw");
    check_size_if_given(weight.size(), y.size(), "weight");
    if (kind == boosting::LossKind::softmax) {
        check_classes(view(y), raw.shape(0));
    } else {
        check_size(raw.shape(0), 1, "raw of a loss with one output");
    }
    return {view(y), view(raw), view(weight), raw.shape(0)};
}

void fill_gradients(const std::string& loss, double parameter, Array1<double> y, Array2<double> raw,
                    Array1<double> weight, Output2<double> grad, Output2<double> hess, int n_threads) {
    const boosting::Loss wanted = loss_of(loss, parameter);
    const boosting::Fitted at = fitted(wanted.kind, y, raw, weight);
    if (grad.size() != raw.size() || hess.size() != raw.size()) throw nb::value_error("grad and hess must be like raw");
    nb::gil_scoped_release release;
    boosting::gradients(wanted, at, n_threads, {grad.data(), grad.size()}, {hess.data(), hess.size()});
}

double loss_mean(const std::string& loss, double parameter, Array1<double> y, Array2<double> raw, Array1<double> weight,
                 int n_threads) {
    const boosting::Loss wanted = loss_of(loss, parameter);
    const boosting::Fitted at = fitted(wanted.kind, y, raw, weight);
    nb::gil_scoped_release release;
    return boosting::mean_loss(wanted, at, n_threads);
}

void construct_losses(boosting::RowLosses* self, const std::string& loss, double parameter, Array1<double> y,
                      Array2<double> raw, Array1<double> weight, int n_threads) {
    const boosting::Loss wanted = loss_of(loss, parameter);
    const boosting::Fitted at = fitted(wanted.kind, y, raw, weight);
    nb::gil_scoped_release release;
    new (self) boosting::RowLosses(wanted, at, n_threads);
}

nb::tuple range_of(const boosting::RowLosses& self) {
    return nb::make_tuple(self.largest(), self.are_finite(), self.are_finite() ? 0.0 : self.infinite_sum());
}

nb::tuple whole_sum_of(const boosting::RowLosses& self, int exponent, int n_threads) {
    base::Int128 sum = 0;
    {
        nb::gil_scoped_release release;
        sum = self.whole_sum(base::Unit::of_exponent(exponent), n_threads);
    }
    return halves(sum);
}

}  // namespace

void bind_loss(nb::module_& m) {
    m.def("loss_names", [] { return loss_names.tuple(); }, nb::sig("def loss_names() -> tuple[str, ...]"));
    m.def("fill_gradients", &fill_gradients, "loss"_a, "parameter"_a, "y"_a, "raw"_a, "weight"_a, "grad"_a, "hess"_a,
          "n_threads"_a, "Gradient and hessian of the loss, (n_outputs, n), times the weight.");
    m.def("mean_loss", &loss_mean, "loss"_a, "parameter"_a, "y"_a, "raw"_a, "weight"_a, "n_threads"_a,
          "Weighted mean of the loss.");
    nb::class_<boosting::RowLosses>(m, "RowLosses", "The loss of each row times its weight, to be added up.")
        .def("__init__", &construct_losses, "loss"_a, "parameter"_a, "y"_a, "raw"_a, "weight"_a, "n_threads"_a,
             nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>())
        .def_prop_ro("range", &range_of, nb::sig("def range(self) -> tuple[float, bool, float]"),
                     "The largest, whether all are finite, and the sum if they are not.")
        .def("whole_sum", &whole_sum_of, "exponent"_a, "n_threads"_a,
             nb::sig("def whole_sum(self, exponent: int, n_threads: int) -> tuple[int, int]"),
             "The sum in units of 2^exponent as (high, low): 2^64 * high + low.");
}

}  // namespace glasswood::bind

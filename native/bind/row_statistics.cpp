#include "glasswood/boosting/row_statistics.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "boosting.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

boosting::Gradients gradients_of(const Array1<double>& grad, const Array1<double>& hess, const Array1<double>& weight) {
    check_size(hess.size(), grad.size(), "hess");
    check_size_if_given(weight.size(), grad.size(), "weight");
    return {view(grad), view(hess), view(weight)};
}

// Four numbers, one per statistic.
template <class Sums, class T>
Sums sums_of(const Array1<T>& numbers, const char* name) {
    check_size(numbers.size(), 4, name);
    return {numbers(0), numbers(1), numbers(2), numbers(3)};
}

void construct(StatisticsOwner* self, bool exact, bool pairs) {
    if (pairs && !exact) throw nb::value_error("pairs are exact");
    new (self) StatisticsOwner(exact, pairs);
}

void set(StatisticsOwner& self, Array1<double> grad, Array1<double> hess, Array1<double> weight,
         Array1<std::int64_t> number, std::uint64_t seed, std::uint64_t stream, int n_threads) {
    const boosting::Gradients rows = gradients_of(grad, hess, weight);
    check_size_if_given(number.size(), grad.size(), "number");
    {
        nb::gil_scoped_release release;
        self.statistics.set(rows, base::RowKeys(seed, stream), view(number), n_threads);
    }
    self.grad = std::move(grad);
    self.hess = std::move(hess);
    self.weight = std::move(weight);
    ++self.n_sets;
}

void set_part(StatisticsOwner& self, Array1<double> grad, Array1<double> hess, Array1<double> weight,
              Array1<std::int64_t> number, std::uint64_t seed, std::uint64_t stream, Array1<double> units,
              std::size_t n_table, int n_threads) {
    const boosting::Gradients rows = gradients_of(grad, hess, weight);
    check_size_if_given(number.size(), grad.size(), "number");
    const auto unit = sums_of<boosting::NodeSums>(units, "units");
    check_at_least(std::min({unit.grad, unit.square, unit.hess, unit.weight}), 0x1p-1022, "units");
    check_at_least(static_cast<double>(n_table), static_cast<double>(grad.size()), "n_table");
    {
        nb::gil_scoped_release release;
        self.statistics.set(rows, unit, n_table, base::RowKeys(seed, stream), view(number), n_threads);
    }
    self.grad = std::move(grad);
    self.hess = std::move(hess);
    self.weight = std::move(weight);
    ++self.n_sets;
}

nb::object largest(Array1<double> grad, Array1<double> hess, Array1<double> weight, int n_threads) {
    const boosting::Gradients rows = gradients_of(grad, hess, weight);
    boosting::NodeSums found{};
    {
        nb::gil_scoped_release release;
        found = boosting::largest_of(rows, n_threads);
    }
    return to_numpy(std::vector<double>{found.grad, found.square, found.hess, found.weight});
}

nb::object rough(Array1<double> grad, Array1<double> hess, Array1<double> weight, Array1<double> largest,
                 int n_threads) {
    const boosting::Gradients rows = gradients_of(grad, hess, weight);
    const auto most = sums_of<boosting::NodeSums>(largest, "largest");
    boosting::Sums found{};
    {
        nb::gil_scoped_release release;
        found = boosting::rough_sums(rows, most, n_threads);
    }
    return to_numpy(std::vector<std::int64_t>{found.grad, found.square, found.hess, found.weight});
}

nb::object units(const StatisticsOwner& self, Array1<double> largest, Array1<std::int64_t> rough, std::size_t n_table) {
    const boosting::NodeSums found = self.statistics.units(sums_of<boosting::NodeSums>(largest, "largest"),
                                                           sums_of<boosting::Sums>(rough, "rough"), n_table);
    return to_numpy(std::vector<double>{found.grad, found.square, found.hess, found.weight});
}

}  // namespace

void bind_row_statistics(nb::module_& m) {
    nb::class_<StatisticsOwner>(
        m, "RowStatistics",
        "Gradients of every row as integers, for histograms: exact ones of 64 bits or quantised ones of 17.")
        .def("__init__", &construct, "exact"_a, "pairs"_a = false,
             "`pairs`: exact ones for `LevelTree` alone, two numbers for a row instead of four. Every hessian must be "
             "the weight of its row, and the rules must `take_pairs`.")
        .def("set", &set, "grad"_a, "hess"_a, "weight"_a, "number"_a, "seed"_a, "stream"_a, "n_threads"_a,
             "Read gradients, which must live until the tree is grown; seed and stream decide how they are rounded.")
        .def("set_part", &set_part, "grad"_a, "hess"_a, "weight"_a, "number"_a, "seed"_a, "stream"_a, "units"_a,
             "n_table"_a, "n_threads"_a,
             "Read the gradients of some rows of a table of n_table rows, in units that fit all of them.")
        .def("units", &units, "largest"_a, "rough"_a, "n_table"_a,
             nb::sig("def units(self, largest: numpy.typing.NDArray[numpy.float64], rough: "
                     "numpy.typing.NDArray[numpy.int64], n_table: int) -> numpy.typing.NDArray[numpy.float64]"),
             "Units of a table, from the largest sizes and the sums of rough sizes of all its rows.");
    m.def(
        "largest_statistics", &largest, "grad"_a, "hess"_a, "weight"_a, "n_threads"_a,
        nb::sig("def largest_statistics(grad: numpy.typing.NDArray[numpy.float64], hess: "
                "numpy.typing.NDArray[numpy.float64], weight: numpy.typing.NDArray[numpy.float64], n_threads: int) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        "The largest size of each statistic of a row.");
    m.def("rough_statistics", &rough, "grad"_a, "hess"_a, "weight"_a, "largest"_a, "n_threads"_a,
          nb::sig("def rough_statistics(grad: numpy.typing.NDArray[numpy.float64], hess: "
                  "numpy.typing.NDArray[numpy.float64], weight: numpy.typing.NDArray[numpy.float64], largest: "
                  "numpy.typing.NDArray[numpy.float64], n_threads: int) -> numpy.typing.NDArray[numpy.int64]"),
          "Sums of the sizes of each statistic, in units that depend on the largest alone.");
}

}  // namespace glasswood::bind

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/boosting/credibility.hpp"
#include "names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

using namespace boosting;
using Table = Array2<double>;

static_assert(sizeof(boosting::NodeSums) == 4 * sizeof(double));

std::span<const boosting::NodeSums> nodes_of(const Table& table) {
    if (table.shape(1) != 4) throw nb::value_error("sums must have 4 columns: Σg, Σg²/h, Σh, Σweight");
    return {reinterpret_cast<const boosting::NodeSums*>(table.data()), table.shape(0)};
}

nb::object call_gains(const std::string& gain, Table left, Table right, double l2) {
    if (left.shape(0) != right.shape(0)) throw nb::value_error("left and right differ in rows");
    check_at_least(l2, 0.0, "l2");
    std::vector<double> out(left.shape(0));
    boosting::split_gains(gain_names.find(gain), nodes_of(left), nodes_of(right), l2, out);
    return to_numpy(std::move(out));
}

nb::object call_z(const std::string& gain, Table nodes) {
    std::vector<double> out(nodes.shape(0));
    boosting::credibilities(gain_names.find(gain), nodes_of(nodes), out);
    return to_numpy(std::move(out));
}

}  // namespace

void bind_gains(nb::module_& m) {
    m.def("split_gains", &call_gains, "gain"_a, "left"_a, "right"_a, "l2"_a,
          nb::sig("def split_gains(gain: str, left: numpy.typing.NDArray[numpy.float64], right: "
                  "numpy.typing.NDArray[numpy.float64], l2: float) -> numpy.typing.NDArray[numpy.float64]"),
          "Gain of splitting left from right; sums are (n, 4): Σg, Σg²/h, Σh, Σweight.");
    m.def("credibilities", &call_z, "gain"_a, "nodes"_a,
          nb::sig("def credibilities(gain: str, nodes: numpy.typing.NDArray[numpy.float64]) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "Z of each node.");
}

}  // namespace glasswood::bind

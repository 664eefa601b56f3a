#include "glasswood/interactions.hpp"

#include <nanobind/stl/optional.h>

#include "glasswood/effects.hpp"
#include "glasswood/purify.hpp"
#include "paths.hpp"
#include "rooms.hpp"
#include "slots.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood {
namespace {

nb::object pairs_door(const PathsOwner& owner, const Slots& shares, Array2<std::int32_t> pairs, int n_threads) {
    const auto wanted = checked_features(owner, pairs);
    check_size(pairs.shape(1), 2, "a pair");
    if (shares.order != 2) throw nb::value_error("pairs need shares of order 2");
    std::vector<double> out;
    {
        nb::gil_scoped_release release;
        out.resize(table_starts(owner.paths.axes, wanted, 2, owner.ensemble.n_outputs()).back());
        pair_terms(owner.ensemble, owner.paths, shares, wanted, n_threads, out.data());
    }
    return to_numpy(std::move(out));
}

nb::object joint_door(const PathsOwner& owner, const Slots& shares, Array2<std::int32_t> features) {
    const auto wanted = checked_features(owner, features);
    check_size(features.shape(0), 1, "features");
    std::vector<double> out;
    {
        nb::gil_scoped_release release;
        out.resize(table_starts(owner.paths.axes, wanted, wanted.size(), owner.ensemble.n_outputs()).back());
        joint_table(owner.ensemble, owner.paths, shares, wanted, out.data());
    }
    return to_numpy(std::move(out));
}

nb::object purify_door(Array2<double> value, Array2<double> weight) {
    check_size(weight.size(), value.size(), "weight");
    std::vector<double> out(value.size());
    {
        nb::gil_scoped_release release;
        purify(view(value), view(weight), static_cast<std::int64_t>(value.shape(0)),
               static_cast<std::int64_t>(value.shape(1)), out);
    }
    return to_numpy(std::move(out), {value.shape(0), value.shape(1)});
}

nb::object pair_tables_door(const PathsOwner& owner, const Slots& shares, Array2<std::int32_t> pairs,
                            std::optional<Array1<double>> weight, Writable out, int n_threads) {
    const auto wanted = checked_features(owner, pairs);
    check_size(pairs.shape(1), 2, "a pair");
    if (shares.order != 2) throw nb::value_error("pairs need shares of order 2");
    const std::span<const double> weights = weight ? view(*weight) : std::span<const double>{};
    if (weight) check_size(weights.size(), table_starts(owner.paths.axes, wanted, 2, 1).back(), "weight");
    check_size(out.size(), table_starts(owner.paths.axes, wanted, 2, owner.ensemble.n_outputs()).back(), "out");
    std::vector<double> h2;
    {
        nb::gil_scoped_release release;
        h2 = pair_tables(owner.ensemble, owner.paths, shares, wanted, weights, n_threads, out.data());
    }
    return to_numpy(std::move(h2), {pairs.shape(0), owner.ensemble.n_outputs()});
}

}  // namespace

void bind_interactions(nb::module_& m) {
    m.def("pair_terms", &pairs_door, "paths"_a, "shares"_a, "pairs"_a, "n_threads"_a = 1,
          nb::sig("def pair_terms(paths: Paths, shares: Shares, pairs: numpy.typing.NDArray[numpy.int32], n_threads: "
                  "int = 1) -> numpy.typing.NDArray[numpy.float64]"),
          "PD_jk - PD_j - PD_k + PD_∅ of every pair (n, 2): tables (n_outputs, cells, cells) one after the other.");
    m.def("joint_table", &joint_door, "paths"_a, "shares"_a, "features"_a,
          nb::sig("def joint_table(paths: Paths, shares: Shares, features: numpy.typing.NDArray[numpy.int32]) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "PD of one tuple of features (1, degree), which the shares follow, without the baseline.");
    m.def("purify", &purify_door, "value"_a, "weight"_a,
          nb::sig("def purify(value: numpy.typing.NDArray[numpy.float64], weight: numpy.typing.NDArray[numpy.float64]) "
                  "-> numpy.typing.NDArray[numpy.float64]"),
          "Residual of a table after the best sum of a row and a column function.");
    m.def(
        "pair_tables", &pair_tables_door, "paths"_a, "shares"_a, "pairs"_a, "weight"_a.none(), "out"_a,
        "n_threads"_a = 1,
        nb::sig("def pair_tables(paths: Paths, shares: Shares, pairs: numpy.typing.NDArray[numpy.int32], weight: "
                "numpy.typing.NDArray[numpy.float64] | None, out: numpy.typing.NDArray[numpy.float64], n_threads: int "
                "= 1) -> numpy.typing.NDArray[numpy.float64]"),
        "Write PD_jk of every pair (n, 2), tables (n_outputs, cells, cells) one after the other, to zeros; returns H² "
        "(n, n_outputs).");
}

}  // namespace glasswood

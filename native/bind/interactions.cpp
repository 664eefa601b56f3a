#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "explain.hpp"
#include "glasswood/explain/cell_tables.hpp"
#include "glasswood/explain/pair_residual.hpp"
#include "glasswood/explain/pair_tables.hpp"
#include "glasswood/explain/purify.hpp"
#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

std::span<const std::int32_t> checked_pairs(const PathsOwner& owner, const explain::LeafShares& shares,
                                            const Array2<std::int32_t>& pairs) {
    const auto wanted = checked_features(owner, pairs);
    check_size(pairs.shape(1), 2, "a pair");
    check_shares(owner, shares);
    if (shares.order != 2) throw nb::value_error("pairs need shares of order 2");
    return wanted;
}

void call_subtract(const PathsOwner& owner, const explain::LeafShares& shares, Array2<std::int32_t> pairs,
                   const CodesOwner& codes, Output1<double> raw, std::int64_t max_cells, int n_threads) {
    const auto wanted = checked_pairs(owner, shares, pairs);
    check_codes(owner.paths, codes);
    check_size(raw.size(), codes.codes.n_rows() * owner.ensemble.n_outputs(), "raw");
    stoppable(raw.size() * pairs.shape(0) >= stoppable_steps, [&] {
        explain::subtract_pairs(owner.ensemble, owner.paths, shares, wanted, codes.codes, max_cells, n_threads,
                                raw.data());
    });
}

nb::object call_joint(const PathsOwner& owner, const explain::LeafShares& shares, Array2<std::int32_t> features) {
    const auto wanted = checked_features(owner, features);
    check_size(features.shape(0), 1, "features");
    check_shares(owner, shares);
    const std::int64_t cells =
        explain::table_starts(owner.paths.axes, wanted, wanted.size(), owner.ensemble.n_outputs()).back();
    std::vector<double> out;
    stoppable(static_cast<std::size_t>(cells) >= stoppable_steps, [&] {
        out.resize(cells);
        explain::joint_table(owner.ensemble, owner.paths, shares, wanted, out.data());
    });
    return to_numpy(std::move(out));
}

nb::object call_purify(Array2<double> value, Array2<double> weight) {
    check_size(weight.size(), value.size(), "weight");
    std::vector<double> out(value.size());
    const std::size_t shorter = std::min(value.shape(0), value.shape(1));
    stoppable(value.size() * shorter >= stoppable_steps, [&] {
        explain::purify(view(value), view(weight), static_cast<std::int64_t>(value.shape(0)),
                        static_cast<std::int64_t>(value.shape(1)), out);
    });
    return to_numpy(std::move(out), {value.shape(0), value.shape(1)});
}

nb::tuple call_pair_tables(const PathsOwner& owner, const explain::LeafShares& shares, Array2<std::int32_t> pairs,
                           std::optional<Array1<double>> counts, Output1<double> out,
                           std::optional<Output1<double>> mass, int n_threads) {
    const auto wanted = checked_pairs(owner, shares, pairs);
    if (counts.has_value() == mass.has_value()) throw nb::value_error("give counts, or memory for the mass");
    const std::size_t n_outputs = owner.ensemble.n_outputs(), n_pairs = pairs.shape(0);
    const auto cells = static_cast<std::size_t>(explain::table_starts(owner.paths.axes, wanted, 2, 1).back());
    if (counts) check_size(counts->size(), cells, "counts");
    if (mass) check_size(mass->size(), cells * n_outputs, "mass");
    check_size(out.size(), cells * n_outputs, "out");
    explain::PairScores found;
    stoppable(cells * n_outputs >= stoppable_steps, [&] {
        found = explain::pair_tables(owner.ensemble, owner.paths, shares, wanted,
                                     counts ? view(*counts) : std::span<const double>{}, n_threads, out.data(),
                                     mass ? mass->data() : nullptr);
    });
    return nb::make_tuple(to_numpy(std::move(found.baseline), {n_pairs, n_outputs}),
                          to_numpy(std::move(found.h2), {n_pairs, n_outputs}),
                          to_numpy(std::move(found.term_sd), {n_pairs, n_outputs}));
}

}  // namespace

void bind_interactions(nb::module_& m) {
    m.def("subtract_pairs", &call_subtract, "paths"_a, "shares"_a, "pairs"_a, "codes"_a, "raw"_a, "max_cells"_a,
          "n_threads"_a = 1,
          "Take PD_jk - PD_j - PD_k + PD_∅ of every pair (n, 2) at the cells of the rows from raw (n_rows, n_outputs); "
          "tables of more than max_cells cells are not made.");
    m.def("joint_table", &call_joint, "paths"_a, "shares"_a, "features"_a,
          nb::sig("def joint_table(paths: Paths, shares: LeafShares, features: numpy.typing.NDArray[numpy.int32]) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "PD of one tuple of features (1, degree), which the shares follow, without the baseline.");
    m.def("purify", &call_purify, "value"_a, "weight"_a,
          nb::sig("def purify(value: numpy.typing.NDArray[numpy.float64], weight: numpy.typing.NDArray[numpy.float64]) "
                  "-> numpy.typing.NDArray[numpy.float64]"),
          "Residual of a table after the best sum of a row and a column function.");
    m.def("pair_tables", &call_pair_tables, "paths"_a, "shares"_a, "pairs"_a, "counts"_a.none(), "out"_a,
          "mass"_a.none() = nb::none(), "n_threads"_a = 1,
          nb::sig("def pair_tables(paths: Paths, shares: LeafShares, pairs: numpy.typing.NDArray[numpy.int32], counts: "
                  "numpy.typing.NDArray[numpy.float64] | None, out: numpy.typing.NDArray[numpy.float64], mass: "
                  "numpy.typing.NDArray[numpy.float64] | None = None, n_threads: int = 1) -> "
                  "tuple[numpy.typing.NDArray[numpy.float64], ...]"),
          "Write PD_jk of every pair (n, 2), tables (n_outputs, cells, cells) one after the other, and without counts "
          "of rows the training mass of the cells; returns weighted means, H² and the standard deviations of f_jk, "
          "(n, n_outputs) each.");
}

}  // namespace glasswood::bind

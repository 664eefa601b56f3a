#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "explain.hpp"
#include "glasswood/explain/cell_table_sums.hpp"
#include "glasswood/explain/pair_rows.hpp"
#include "glasswood/explain/pair_tables.hpp"
#include "glasswood/explain/pair_terms.hpp"
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

void call_pair_rows(const PathsOwner& owner, const explain::LeafShares& shares, Array2<std::int32_t> pairs,
                    const CodesOwner& codes, Output1<double> out, std::int64_t max_cells, bool shared, int n_threads) {
    const auto wanted = checked_pairs(owner, shares, pairs);
    check_codes(owner.paths, codes);
    const std::size_t n_values = codes.codes.n_rows() * owner.ensemble.n_outputs();
    check_size(out.size(), shared ? n_values : n_values * pairs.shape(0), "out");
    stoppable(n_values * pairs.shape(0) >= stoppable_steps, [&] {
        explain::add_pair_rows(owner.ensemble, owner.paths, shares, wanted, codes.codes, max_cells, n_threads, shared,
                               out.data());
    });
}

nb::object call_pair_leaves(const PathsOwner& owner, Array2<std::int32_t> pairs, std::size_t first_tree,
                            std::optional<std::size_t> last_tree) {
    const auto wanted = checked_features(owner, pairs);
    check_size(pairs.shape(1), 2, "a pair");
    const explain::TreeRange trees = checked_trees(owner, first_tree, last_tree);
    std::vector<std::int64_t> found;
    stoppable(owner.paths.n_sides() >= stoppable_steps,
              [&] { found = explain::count_pair_leaves(owner.paths, wanted, trees); });
    return to_numpy(std::move(found));
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
    m.def("add_pair_rows", &call_pair_rows, "paths"_a, "shares"_a, "pairs"_a, "codes"_a, "out"_a, "max_cells"_a,
          "shared"_a = false, "n_threads"_a = 1,
          "Add PD_jk - PD_j - PD_k + PD_∅ of every pair (n, 2) at the cells of the rows to its own (n_rows, n_outputs) "
          "of out or, if shared, to one for all; tables of more than max_cells cells are not made.");
    m.def("pair_leaves", &call_pair_leaves, "paths"_a, "pairs"_a, "first_tree"_a = 0, "last_tree"_a = nb::none(),
          nb::sig("def pair_leaves(paths: Paths, pairs: numpy.typing.NDArray[numpy.int32], first_tree: int = 0, "
                  "last_tree: int | None = None) -> numpy.typing.NDArray[numpy.int64]"),
          "How many leaves of the trees [first_tree, last_tree) ask for both features of each pair (n, 2).");
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

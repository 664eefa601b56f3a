#include <nanobind/stl/optional.h>

#include <limits>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/rules/nonnegative_ridge.hpp"
#include "glasswood/rules/path_choice.hpp"
#include "glasswood/rules/path_counts.hpp"
#include "glasswood/rules/rule_sums.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

// The arrays of the cells, kept alive while the kernels look at them.
struct CellsArgument {
    Array1<std::int32_t> n_cells;
    Array1<bool> has_missing;
    Array1<std::int32_t> rank;
    Array1<std::int64_t> level_start;
    Array1<std::int32_t> level_cell;

    CellsArgument(Array1<std::int32_t> n_cells_, Array1<bool> has_missing_, Array1<std::int32_t> rank_,
                  Array1<std::int64_t> level_start_, Array1<std::int32_t> level_cell_)
        : n_cells(std::move(n_cells_)),
          has_missing(std::move(has_missing_)),
          rank(std::move(rank_)),
          level_start(std::move(level_start_)),
          level_cell(std::move(level_cell_)) {
        const std::size_t n = n_cells.size();
        if (has_missing.size() != n || rank.size() != n)
            throw nb::value_error("the arrays of the cells differ in length");
        check_starts(view(level_start), n, level_cell.size(), "level_start");
    }

    rules::CellFeatures features() const {
        return {view(n_cells), bytes(has_missing), view(rank), view(level_start), view(level_cell)};
    }
};

nb::object call_count(const CellsArgument& cells, Array1<std::int32_t> tree_start, Array1<std::int32_t> feature,
                      Array1<std::int32_t> left, Array1<std::int32_t> right, Array1<std::int32_t> cut,
                      Array1<bool> missing_left, Array1<std::int32_t> category_set, Array1<std::int64_t> set_start,
                      Array1<std::uint64_t> set_bits, std::optional<std::size_t> max_depth) {
    const std::size_t n = feature.size();
    if (left.size() != n || right.size() != n || cut.size() != n || missing_left.size() != n ||
        category_set.size() != n)
        throw nb::value_error("the arrays of the nodes differ in length");
    if (set_start.size() == 0) throw nb::value_error("set_start is empty");
    check_starts(view(set_start), set_start.size() - 1, set_bits.size(), "set_start");
    rules::RulePaths paths;
    {
        nb::gil_scoped_release release;
        const rules::CellTrees trees{view(tree_start),   view(feature),       view(left),      view(right),   view(cut),
                                     view(category_set), bytes(missing_left), view(set_start), view(set_bits)};
        paths =
            rules::count_paths(trees, cells.features(), max_depth.value_or(std::numeric_limits<std::size_t>::max()));
    }
    return nb::cast(std::move(paths));
}

nb::object call_choose(const rules::RulePaths& paths, const CellsArgument& cells, std::size_t n_trees, double p0,
                       std::size_t max_rules, Array1<bool> excluded) {
    if (excluded.size() != paths.count.size()) throw nb::value_error("excluded has not one entry per path");
    std::vector<std::int32_t> chosen;
    {
        nb::gil_scoped_release release;
        chosen = rules::choose_paths(paths, cells.features(), n_trees, p0, max_rules, bytes(excluded));
    }
    return to_numpy(std::move(chosen));
}

// Paths made elsewhere: lists of regions, in the order of the features' ranks.
void make_paths(rules::RulePaths* self, Array1<std::int32_t> region_feature, Array1<std::int64_t> region_start,
                Array1<std::uint64_t> region_bits, Array1<std::int64_t> start, Array1<std::int32_t> region,
                Array1<std::int32_t> count) {
    check_starts(view(region_start), region_feature.size(), region_bits.size(), "region_start");
    check_starts(view(start), count.size(), region.size(), "start");
    check_below(view(region), region_feature.size(), "region");
    new (self) rules::RulePaths{to_vector(region_feature), to_vector(region_start), to_vector(region_bits),
                                to_vector(start),          to_vector(region),       to_vector(count)};
}

nb::dict to_dict(const rules::RulePaths& paths) {
    nb::dict out;
    out["region_feature"] = copied(paths.region_feature);
    out["region_start"] = copied(paths.region_start);
    out["region_bits"] = copied(paths.region_bits);
    out["start"] = copied(paths.start);
    out["region"] = copied(paths.region);
    out["count"] = copied(paths.count);
    return out;
}

nb::tuple call_sums(Array2<bool> masks, Array2<std::int64_t> values, Array1<std::int64_t> fold, std::size_t n_folds,
                    bool with_pairs, int n_threads) {
    check_size(masks.shape(0), fold.size(), "masks");
    check_size(values.shape(1), fold.size(), "a row of values");
    const std::size_t n_rules = masks.shape(1), n_values = values.shape(0);
    check_below(view(fold), n_folds, "fold");
    rules::RuleSums sums;
    {
        nb::gil_scoped_release release;
        const rules::RuleRows rows{{reinterpret_cast<const std::uint8_t*>(masks.data()), masks.size()},
                                   view(values),
                                   view(fold),
                                   n_rules,
                                   n_values,
                                   n_folds};
        sums = rules::rule_sums(rows, with_pairs, n_threads);
    }
    return nb::make_tuple(to_numpy(std::move(sums.total), {n_values, n_folds}),
                          to_numpy(std::move(sums.inside), {n_values, n_folds, n_rules}),
                          to_numpy(std::move(sums.both), {with_pairs ? n_folds : 0, n_rules, n_rules}));
}

nb::object call_ridge(Array2<double> gram, Array1<double> target, Array1<double> penalties) {
    if (gram.shape(0) != target.size() || gram.shape(1) != target.size())
        throw nb::value_error("gram is not square with one row per entry of target");
    const std::size_t n = target.size(), n_penalties = penalties.size();
    std::vector<double> beta;
    {
        nb::gil_scoped_release release;
        beta = rules::nonnegative_ridge(view(gram), view(target), view(penalties));
    }
    return to_numpy(std::move(beta), {n_penalties, n});
}

}  // namespace

void bind_rules(nb::module_& m) {
    nb::class_<CellsArgument>(m, "RuleCells", "What the cells of each feature are.")
        .def(nb::init<Array1<std::int32_t>, Array1<bool>, Array1<std::int32_t>, Array1<std::int64_t>,
                      Array1<std::int32_t>>(),
             nb::kw_only(), "n_cells"_a, "has_missing"_a, "rank"_a, "level_start"_a, "level_cell"_a,
             nb::sig("def __init__(self, *, n_cells: numpy.typing.NDArray[numpy.int32], has_missing: "
                     "numpy.typing.NDArray[numpy.bool_], rank: numpy.typing.NDArray[numpy.int32], level_start: "
                     "numpy.typing.NDArray[numpy.int64], level_cell: numpy.typing.NDArray[numpy.int32]) -> None"));
    nb::class_<rules::RulePaths>(m, "RulePaths", "Distinct paths of trees, and in how many trees each is.")
        .def("__init__", &make_paths, nb::kw_only(), "region_feature"_a, "region_start"_a, "region_bits"_a, "start"_a,
             "region"_a, "count"_a,
             nb::sig("def __init__(self, *, region_feature: numpy.typing.NDArray[numpy.int32], region_start: "
                     "numpy.typing.NDArray[numpy.int64], region_bits: numpy.typing.NDArray[numpy.uint64], start: "
                     "numpy.typing.NDArray[numpy.int64], region: numpy.typing.NDArray[numpy.int32], count: "
                     "numpy.typing.NDArray[numpy.int32]) -> None"))
        .def("to_dict", &to_dict, nb::sig("def to_dict(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "Its arrays: regions as sets of cells, and paths as lists of regions.");
    m.def("count_paths", &call_count, "cells"_a, nb::kw_only(), "tree_start"_a, "feature"_a, "left"_a, "right"_a,
          "cut"_a, "missing_left"_a, "category_set"_a, "set_start"_a, "set_bits"_a, "max_depth"_a.none(),
          nb::sig("def count_paths(cells: RuleCells, *, tree_start: numpy.typing.NDArray[numpy.int32], feature: "
                  "numpy.typing.NDArray[numpy.int32], left: numpy.typing.NDArray[numpy.int32], right: "
                  "numpy.typing.NDArray[numpy.int32], cut: numpy.typing.NDArray[numpy.int32], missing_left: "
                  "numpy.typing.NDArray[numpy.bool_], category_set: numpy.typing.NDArray[numpy.int32], set_start: "
                  "numpy.typing.NDArray[numpy.int64], set_bits: numpy.typing.NDArray[numpy.uint64], max_depth: int | "
                  "None) -> RulePaths"),
          "Paths of all nodes but the roots, as sets of cells, counted once per tree.");
    m.def("choose_paths", &call_choose, "paths"_a, "cells"_a, "n_trees"_a, "p0"_a, "max_rules"_a, "excluded"_a,
          nb::sig("def choose_paths(paths: RulePaths, cells: RuleCells, n_trees: int, p0: float, max_rules: int, "
                  "excluded: numpy.typing.NDArray[numpy.bool_]) -> numpy.typing.NDArray[numpy.int32]"),
          "Paths in more than p0 of the trees, most frequent first, that are linearly independent.");
    m.def("rule_sums", &call_sums, "masks"_a, "values"_a, "fold"_a, "n_folds"_a, "with_pairs"_a, "n_threads"_a = 1,
          nb::sig("def rule_sums(masks: numpy.typing.NDArray[numpy.bool_], values: numpy.typing.NDArray[numpy.int64], "
                  "fold: numpy.typing.NDArray[numpy.int64], n_folds: int, with_pairs: bool, n_threads: int = 1) -> "
                  "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.int64]]"),
          "Sums of values (n_values, n_rows) over all rows of a fold, (n_values, n_folds), and inside each rule, "
          "(n_values, n_folds, n_rules); of the first value also inside two rules, (n_folds, n_rules, n_rules).");
    m.def("nonnegative_ridge", &call_ridge, "gram"_a, "target"_a, "penalties"_a,
          nb::sig("def nonnegative_ridge(gram: numpy.typing.NDArray[numpy.float64], target: "
                  "numpy.typing.NDArray[numpy.float64], penalties: numpy.typing.NDArray[numpy.float64]) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "Weights >= 0 that minimise bAb - 2tb + penalty*bb, a row per penalty.");
}

}  // namespace glasswood::bind

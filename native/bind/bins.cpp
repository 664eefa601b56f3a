#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "boosting.hpp"
#include "glasswood/base/huge_pages.hpp"
#include "glasswood/boosting/binned_rows.hpp"
#include "table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

static_assert(static_cast<int>(table::FeatureKind::number) == 0 && static_cast<int>(table::FeatureKind::category) == 1);

std::span<const table::FeatureKind> kinds(const Array1<bool>& is_category) {
    return {reinterpret_cast<const table::FeatureKind*>(is_category.data()), is_category.size()};
}

std::pair<nb::object, nb::object> bin_edges(nb::object X, Array1<bool> is_category, Array1<std::uint32_t> rows,
                                            Array1<double> weight, std::size_t max_bins, int n_threads) {
    const RowsArgument table(X, kinds(is_category));
    check_below(view(rows), table.rows().n_rows, "rows");
    check_size_if_given(weight.size(), rows.size(), "weight");
    if (max_bins < 2 || max_bins > 255) throw nb::value_error("max_bins must lie between 2 and 255");
    table::Grid grid;
    {
        nb::gil_scoped_release release;
        grid = boosting::make_edges(table.rows(), view(rows), view(weight), max_bins, n_threads);
    }
    return {to_numpy(std::move(grid.start)), to_numpy(std::move(grid.thresholds))};
}

using Bytes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>;

Bytes hand_over(base::Pages<std::uint8_t> bytes, std::size_t n, std::size_t m, std::size_t stride) {
    nb::capsule owner(bytes.get(), [](void* p) noexcept { base::FreePages()(p); });
    return Bytes(bytes.release(), {n, m}, owner, {static_cast<std::int64_t>(stride), 1});
}

// Bins by row and, if `by_column`, by column, not initialised.
std::pair<Bytes, Bytes> new_bins(std::size_t n_rows, std::size_t n_features, bool by_column) {
    const std::size_t stride = boosting::stride_of(n_features);
    return {hand_over(base::make_pages<std::uint8_t>(n_rows * stride), n_rows, n_features, stride),
            hand_over(base::make_pages<std::uint8_t>(by_column ? n_rows * n_features : 0), by_column ? n_features : 0,
                      n_rows, n_rows)};
}

void bin_part(nb::object X, Array1<bool> is_category, Array1<std::int64_t> start, Array1<double> edges,
              Array1<std::int64_t> level_start, Array1<std::uint8_t> level_bin, Bytes bins, Bytes by_column,
              std::size_t first, int n_threads) {
    const RowsArgument table(X, kinds(is_category));
    const std::size_t n = table.rows().n_rows, n_features = is_category.size(), n_all = bins.shape(0);
    check_starts(view(start), n_features, edges.size(), "start");
    check_starts(view(level_start), n_features, level_bin.size(), "level_start");
    check_size(bins.shape(1), n_features, "a row of bins");
    if (first > n_all || n > n_all - first) throw nb::value_error("the bins have no place for the rows");
    const std::size_t stride = boosting::stride_of(n_features);
    if (bins.stride(1) != 1 || (n_all > 1 && !std::cmp_equal(bins.stride(0), stride))) {
        throw nb::value_error("bins must come from new_bins");
    }
    const bool has_columns = by_column.shape(0) > 0;
    if (has_columns && (by_column.shape(0) != n_features || by_column.shape(1) != n_all ||
                        (n_features > 1 && !std::cmp_equal(by_column.stride(0), n_all)))) {
        throw nb::value_error("bins by row and by column differ in shape");
    }
    nb::gil_scoped_release release;
    const table::Grid grid{{start.data(), start.data() + start.size()}, {edges.data(), edges.data() + edges.size()}};
    boosting::bin_rows(table.rows(), grid, {view(level_start), view(level_bin)}, n_threads, stride,
                       bins.data() + first * stride, n_all, has_columns ? by_column.data() + first : nullptr);
}

std::pair<Bytes, Bytes> bin_rows(nb::object X, Array1<bool> is_category, Array1<std::int64_t> start,
                                 Array1<double> edges, Array1<std::int64_t> level_start, Array1<std::uint8_t> level_bin,
                                 bool by_column, int n_threads) {
    auto [bins, columns] = new_bins(RowsArgument(X, kinds(is_category)).rows().n_rows, is_category.size(), by_column);
    bin_part(X, is_category, start, edges, level_start, level_bin, bins, columns, 0, n_threads);
    return {bins, columns};
}

void bundle_rows(BundledRows* self, nb::object X, Array1<bool> is_category, Array1<std::int64_t> start,
                 Array1<double> edges, Array1<std::int64_t> level_start, Array1<std::uint8_t> level_bin,
                 Array1<std::uint16_t> n_bins, bool with_unseen, std::size_t least_rows, bool lists) {
    const RowsArgument table(X, kinds(is_category));
    const std::size_t n_features = is_category.size();
    check_starts(view(start), n_features, edges.size(), "start");
    check_starts(view(level_start), n_features, level_bin.size(), "level_start");
    check_size(n_bins.size(), n_features, "n_bins");
    const table::Grid grid{{start.data(), start.data() + start.size()}, {edges.data(), edges.data() + edges.size()}};
    const boosting::LevelBins levels{view(level_start), view(level_bin)};
    if (!boosting::are_n_bins(view(n_bins), bytes(is_category), grid, levels)) {
        throw nb::value_error("n_bins does not fit the edges and levels");
    }
    nb::gil_scoped_release release;
    new (self) BundledRows{std::make_shared<const boosting::ColumnBundles>(boosting::ColumnBundles::of_sparse(
                               table.rows(), grid, levels, view(n_bins), with_unseen, lists, least_rows)),
                           n_features};
}

}  // namespace

void bind_bins(nb::module_& m) {
    m.def("bin_edges", &bin_edges, "X"_a, "is_category"_a, "rows"_a, "weight"_a, "max_bins"_a, "n_threads"_a,
          nb::sig("def bin_edges(X: object, is_category: numpy.typing.NDArray[numpy.bool_], rows: "
                  "numpy.typing.NDArray[numpy.uint32], weight: numpy.typing.NDArray[numpy.float64], max_bins: int, "
                  "n_threads: int) -> tuple[numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.float64]]"),
          "Bin edges as (start, edges); those of feature f are edges[start[f]:start[f + 1]], none for a category. "
          "`weight` has one entry per entry of `rows`; if it is empty, every row has weight 1.");
    m.def("bin_rows", &bin_rows, "X"_a, "is_category"_a, "start"_a, "edges"_a, "level_start"_a, "level_bin"_a,
          "by_column"_a, "n_threads"_a,
          "One byte per value: by row, (n_rows, n_features), each row padded so that it touches as few "
          "cache lines as possible; and by column, (n_features, n_rows), empty unless `by_column`.");
    m.def("new_bins", &new_bins, "n_rows"_a, "n_features"_a, "by_column"_a,
          "Arrays as `bin_rows` returns them, not initialised, for the parts of a table.");
    m.def("bin_part", &bin_part, "X"_a, "is_category"_a, "start"_a, "edges"_a, "level_start"_a, "level_bin"_a, "bins"_a,
          "by_column"_a, "first"_a, "n_threads"_a,
          "Write the bins of a part of a table, whose rows are those from `first` on, to arrays of `new_bins`.");
    nb::class_<BundledRows>(m, "BundledRows",
                            "Rows of a table that stores few of its values, in columns of bytes that features share.")
        .def("__init__", &bundle_rows, "X"_a, "is_category"_a, "start"_a, "edges"_a, "level_start"_a, "level_bin"_a,
             "n_bins"_a, "with_unseen"_a, "least_rows"_a = 32768, "lists"_a = false,
             "`with_unseen`: whether levels may be unseen in training. Bytes hold the codes of several columns in "
             "tables of at least `least_rows`. `lists`: whether features may be lists of values, which is better for "
             "growing trees, and worse for walking down them.")
        .def_prop_ro(
            "shape", [](const BundledRows& self) { return std::make_pair(self.n_rows(), self.n_features); },
            "Rows and features.")
        .def_prop_ro(
            "n_columns", [](const BundledRows& self) { return self.bundles->rows().n_features; },
            "Columns that the features share.");
}

}  // namespace glasswood::bind

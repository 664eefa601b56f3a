#include "glasswood/attributions/attributions.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <new>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/attributions/flat_tables.hpp"
#include "interruptible.hpp"
#include "model.hpp"
#include "table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

constexpr std::size_t max_quick_rows = 256;  // up to so many rows are done in a moment

// Rows are added while it is open; the weights are made whole numbers when it is closed.
struct BackgroundOwner {
    const attributions::AttributionModel& model;
    explain::Codes codes;
    std::optional<attributions::Background> closed;
};

struct CacheOwner {
    const attributions::AttributionModel& model;
    attributions::TableCache tables;
};

const attributions::Background* closed_background(const attributions::AttributionModel& model,
                                                  const BackgroundOwner* owner) {
    if (owner == nullptr) return nullptr;
    if (!owner->closed) throw nb::value_error("the background is not closed");
    if (&owner->model != &model) throw nb::value_error("the background belongs to another model");
    return &*owner->closed;
}

const attributions::TableCache* checked_tables(const attributions::AttributionModel& model, const CacheOwner* owner) {
    if (owner == nullptr) return nullptr;
    if (&owner->model != &model) throw nb::value_error("the tables belong to another model");
    return &owner->tables;
}

void construct_model(attributions::AttributionModel* self, const Trees& trees, Array1<double> weight,
                     Array1<bool> missing_routed, int max_table, int max_mask) {
    check_size(weight.size(), trees.view.n_nodes(), "weight");
    check_size(missing_routed.size(), trees.view.n_features(), "missing_routed");
    const auto routed = bytes(missing_routed);
    nb::gil_scoped_release release;
    new (self) attributions::AttributionModel(
        trees.view, view(weight), routed,
        {std::min(max_table, attributions::max_table_features), std::min(max_mask, attributions::max_mask_bits)});
}

void call_append(BackgroundOwner& self, nb::object X, std::optional<Array1<double>> weight, int n_threads) {
    if (self.closed) throw nb::value_error("the background is closed");
    const RowsArgument table(X, self.model.axes().kind);
    const std::span<const double> weights = checked_weight(weight, table.rows().n_rows);
    nb::gil_scoped_release release;
    self.codes.append(table.rows(), weights, n_threads);
}

void call_close(BackgroundOwner& self) {
    if (self.codes.n_rows() == 0) throw nb::value_error("the background has no row");
    nb::gil_scoped_release release;
    self.closed.emplace(self.codes);
    self.codes = self.model.no_rows();
}

nb::tuple call_state(const BackgroundOwner& self) {
    if (!self.closed) throw nb::value_error("the background is not closed");
    const explain::Codes& codes = self.closed->codes();
    return nb::make_tuple(to_numpy(codes.bytes()), codes.n_rows(), copied(codes.weight()));
}

void call_restore(BackgroundOwner& self, Array1<std::uint8_t> cells, std::size_t n_rows, Array1<double> weight) {
    check_size(cells.size(), n_rows * self.codes.bytes_per_row(), "cells");
    check_size_if_given(weight.size(), n_rows, "weight");
    self.codes.restore(view(cells), n_rows, view(weight));
    call_close(self);
}

nb::object call_mean(const attributions::AttributionModel& model, const BackgroundOwner* background, int n_threads) {
    const attributions::Background* rows = closed_background(model, background);
    std::vector<double> out;
    {
        nb::gil_scoped_release release;
        out = rows == nullptr ? attributions::mean_over_shares(model.plan(false))
                              : attributions::mean_over_rows(model.plan(false), *rows, n_threads);
    }
    return to_numpy(std::move(out));
}

void construct_cache(CacheOwner* self, const attributions::AttributionModel& model, const BackgroundOwner* background,
                     std::size_t max_bytes, int n_threads) {
    const attributions::Background* rows = closed_background(model, background);
    interruptible([&](const base::Interrupt& interrupt) {
        new (self) CacheOwner{model, attributions::TableCache(model, rows, max_bytes, n_threads, interrupt)};
    });
}

void call_values(const attributions::AttributionModel& model, nb::object X, const BackgroundOwner* background,
                 const CacheOwner* cache, Output1<double> out, int n_threads) {
    const RowsArgument table(X, model.axes().kind);
    const table::Rows rows = table.rows();
    check_size(out.size(), rows.n_rows * model.ensemble().n_features() * model.ensemble().n_outputs(), "out");
    const attributions::Background* over = closed_background(model, background);
    const attributions::TableCache* tables = checked_tables(model, cache);
    interruptible_if(rows.n_rows > max_quick_rows, [&](const base::Interrupt& interrupt) {
        explain::Codes codes = model.no_rows();
        codes.append(rows, {}, n_threads);
        attributions::add_values({model, over, tables, n_threads, interrupt}, codes, out.data());
    });
}

void call_pairs(const attributions::AttributionModel& model, nb::object X, const BackgroundOwner* background,
                Array1<std::int32_t> features, Array1<double> values, Output1<double> out, int n_threads) {
    const RowsArgument table(X, model.axes().kind);
    const table::Rows rows = table.rows();
    const std::size_t n_features = model.ensemble().n_features(), n_outputs = model.ensemble().n_outputs();
    check_features(view(features), n_features);
    check_size(values.size(), rows.n_rows * n_features * n_outputs, "values");
    check_size(out.size(), rows.n_rows * features.size() * features.size() * n_outputs, "out");
    const attributions::Background* over = closed_background(model, background);
    interruptible_if(rows.n_rows > max_quick_rows, [&](const base::Interrupt& interrupt) {
        explain::Codes codes = model.no_rows();
        codes.append(rows, {}, n_threads);
        attributions::write_pairs({model, over, nullptr, n_threads, interrupt}, codes, view(features), values.data(),
                                  out.data());
    });
}

nb::dict call_flat(const CacheOwner& self) {
    attributions::FlatTables flat;
    {
        nb::gil_scoped_release release;
        flat = attributions::flat_tables(self.model, self.tables);
    }
    nb::dict out;
    out["tree_group"] = to_numpy(std::move(flat.tree_group));
    out["group_condition"] = to_numpy(std::move(flat.group_condition));
    out["group_line"] = to_numpy(std::move(flat.group_line));
    out["group_number"] = to_numpy(std::move(flat.group_number));
    out["n_bits"] = to_numpy(std::move(flat.n_bits));
    out["bit"] = to_numpy(std::move(flat.bit));
    out["feature"] = to_numpy(std::move(flat.feature));
    out["cut"] = to_numpy(std::move(flat.cut));
    out["also"] = to_numpy(std::move(flat.also));
    out["left"] = to_numpy(std::move(flat.left));
    out["offset"] = to_numpy(std::move(flat.offset));
    out["lines"] = to_numpy(std::move(flat.lines));
    return out;
}

}  // namespace

void bind_attributions(nb::module_& m) {
    nb::class_<attributions::AttributionModel>(
        m, "AttributionModel",
        "A model planned for attributions. Lower limits make small trees take the general ways, for tests.")
        .def("__init__", &construct_model, "trees"_a, "weight"_a, "missing_routed"_a,
             "max_table"_a = attributions::max_table_features, "max_mask"_a = attributions::max_mask_bits,
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("mean", &call_mean, "background"_a.none(), "n_threads"_a = 1,
             nb::sig("def mean(self, background: AttributionBackground | None, n_threads: int = 1) -> "
                     "numpy.typing.NDArray[numpy.float64]"),
             "Mean of raw over the background, or by the shares of the children; (n_outputs,).")
        .def("add_values", &call_values, "X"_a, "background"_a.none(), "tables"_a.none(), "out"_a, "n_threads"_a = 1,
             "Add the values of every row to zeros (n_rows, n_features, n_outputs), flat.")
        .def("write_pairs", &call_pairs, "X"_a, "background"_a.none(), "features"_a, "values"_a, "out"_a,
             "n_threads"_a = 1,
             "Write the pairs of the features named to zeros (n_rows, features, features, n_outputs), flat; the "
             "diagonal is what they leave of the values.");
    nb::class_<BackgroundOwner>(m, "AttributionBackground", "Rows to average over, as cells.")
        .def(
            "__init__",
            [](BackgroundOwner* self, const attributions::AttributionModel& model) {
                new (self) BackgroundOwner{model, model.no_rows(), std::nullopt};
            },
            "model"_a, nb::keep_alive<1, 2>())
        .def("append", &call_append, "X"_a, "weight"_a.none(), "n_threads"_a = 1,
             "Add rows, with a weight each or None in every call; rows of weight 0 are left out.")
        .def("close", &call_close, "Say that all rows are here.")
        .def("state", &call_state,
             nb::sig("def state(self) -> tuple[numpy.typing.NDArray[numpy.uint8], int, "
                     "numpy.typing.NDArray[numpy.float64]]"),
             "Cells, number of rows and weights, as restore takes them.")
        .def("restore", &call_restore, "cells"_a, "n_rows"_a, "weight"_a, "Read back a state and close.")
        .def_prop_ro("n_rows", [](const BackgroundOwner& self) {
            return self.closed ? self.closed->n_rows() : self.codes.n_rows();
        });
    nb::class_<CacheOwner>(m, "AttributionTables", "Tables of values of a model, kept for many calls.")
        .def("__init__", &construct_cache, "model"_a, "background"_a.none(), "max_bytes"_a, "n_threads"_a = 1,
             nb::keep_alive<1, 2>())
        .def_prop_ro("n_bytes", [](const CacheOwner& self) { return self.tables.n_bytes(); })
        .def("flat", &call_flat, nb::sig("def flat(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "The tables as flat arrays: a pattern per group from its conditions, a line per pattern, and where its "
             "numbers go in a row's result (n_features, n_outputs).");
}

}  // namespace glasswood::bind

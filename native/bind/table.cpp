#include "table.hpp"

#include <nanobind/ndarray.h>

#include <cmath>
#include <cstring>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/table/encoder.hpp"
#include "glasswood/table/sparse_column.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

constexpr double max_code = 2147483647.0;

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

std::string count(std::size_t n, const char* noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

table::ColumnType type_of(const Py_buffer& view, const std::string& what) {
    const char* format = view.format != nullptr ? view.format : "B";
    if (*format == '@' || *format == '=') ++format;
    const bool one = std::strlen(format) == 1;
    if (one && *format == 'd') return table::ColumnType::float64;
    if (one && *format == 'f') return table::ColumnType::float32;
    if (one && (*format == 'i' || *format == 'l') && view.itemsize == 4) return table::ColumnType::code;
    refuse(what + " must be float64, float32 or int32 (category codes), found buffer format '" + format + "'");
}

table::Column column_of(const Buffer& buffer, std::ptrdiff_t offset) {
    const Py_buffer& view = buffer.view();
    return {static_cast<const std::byte*>(view.buf) + offset, view.strides[0], buffer.type()};
}

void check_type(std::size_t feature, table::ColumnType type, table::FeatureKind kind) {
    if (kind == table::FeatureKind::category && type != table::ColumnType::code) {
        refuse("feature " + std::to_string(feature) + " is a category: pass a list of columns with its int32 codes");
    }
    if (kind == table::FeatureKind::number && type == table::ColumnType::code) {
        refuse("feature " + std::to_string(feature) + " is a number: pass float64 or float32, not int32 codes");
    }
}

nb::object call_encode(nb::object column, Array1<double> thresholds, std::int32_t n_levels, bool zero_is_missing) {
    const std::size_t n_cells = n_levels > 0 ? static_cast<std::size_t>(n_levels) : thresholds.size();
    nb::list columns;
    columns.append(column);
    const table::FeatureKind kind = n_levels > 0 ? table::FeatureKind::category : table::FeatureKind::number;
    const RowsArgument table(columns, {&kind, 1});
    const table::Rows rows = table.rows();
    std::vector<std::uint32_t> out(rows.n_rows);
    {
        nb::gil_scoped_release release;
        const std::uint8_t zero = zero_is_missing ? 1 : 0;
        const table::Grid grid{{0, static_cast<std::int64_t>(thresholds.size())},
                               {thresholds.data(), thresholds.data() + thresholds.size()}};
        const table::Encoder encoder(grid, {&n_levels, 1}, {&zero, 1});
        if (encoder.encode(0, rows.columns[0], 0, rows.n_rows, out.data())) {
            encoder.write_missing(0, rows.columns[0], 0, rows.n_rows, static_cast<std::uint32_t>(n_cells + 1),
                                  out.data());
        }
    }
    return to_numpy(std::move(out));
}

void check_stored(const table::Column& column, std::size_t n_rows, const std::string& what) {
    if (!table::are_stored_rows(column.stored, n_rows)) {
        refuse("stored rows of " + what + " must ascend from 0 to below " + std::to_string(n_rows));
    }
    const bool whole = column.fill == std::floor(column.fill) && std::fabs(column.fill) <= max_code;
    if (column.type == table::ColumnType::code && !whole) refuse("fill of " + what + " must be a code");
}

}  // namespace

Buffer::Buffer(nb::handle object, const std::string& what) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        refuse(what + " must be a NumPy array, found " + std::string(nb::str(object.type()).c_str()));
    }
    try {
        type_ = type_of(view_, what);
    } catch (...) {
        PyBuffer_Release(&view_);
        throw;
    }
}

RowsArgument::RowsArgument(nb::handle X, std::span<const table::FeatureKind> kinds) {
    columns_.reserve(kinds.size());
    if (nb::isinstance<nb::list>(X)) {
        borrow_columns(nb::borrow<nb::list>(X), kinds);
    } else if (nb::hasattr(X, "starts")) {
        borrow_sparse(X, kinds);
    } else {
        borrow_matrix(X, kinds);
    }
    for (std::size_t f = 0; f < columns_.size(); ++f) check_type(f, columns_[f].type, kinds[f]);
}

void RowsArgument::borrow_matrix(nb::handle X, std::span<const table::FeatureKind> kinds) {
    buffers_.push_back(std::make_unique<Buffer>(X, "X"));
    const Py_buffer& view = buffers_.back()->view();
    if (view.ndim != 2) refuse("X must have 2 dimensions, found " + std::to_string(view.ndim));
    if (static_cast<std::size_t>(view.shape[1]) != kinds.size()) {
        refuse("X has " + count(static_cast<std::size_t>(view.shape[1]), "column") + ", the model has " +
               count(kinds.size(), "feature"));
    }
    n_rows_ = static_cast<std::size_t>(view.shape[0]);
    for (Py_ssize_t f = 0; f < view.shape[1]; ++f) {
        columns_.push_back(column_of(*buffers_.back(), f * view.strides[1]));
    }
}

void RowsArgument::borrow_sparse(nb::handle X, std::span<const table::FeatureKind> kinds) {
    const auto starts = nb::cast<nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>>(X.attr("starts"));
    if (starts.size() != kinds.size() + 1) {
        refuse("X has " + count(starts.size() - 1, "column") + ", the model has " + count(kinds.size(), "feature"));
    }
    n_rows_ = nb::cast<std::size_t>(X.attr("n_rows"));
    const std::span<const std::int32_t> stored = borrow_rows(X.attr("rows"), "rows of X");
    const Buffer& values = borrow_vector(X.attr("values"), "values of X", false);
    const auto first = std::span(starts.data(), starts.size());
    if (static_cast<std::size_t>(values.view().shape[0]) != stored.size() || !table::are_starts(first, stored.size())) {
        refuse("starts, rows and values of X do not fit together");
    }
    for (std::size_t f = 0; f < kinds.size(); ++f) {
        const auto begin = static_cast<std::size_t>(first[f]);
        table::Column column = column_of(values, static_cast<std::ptrdiff_t>(begin) * values.view().strides[0]);
        column.is_sparse = true;
        column.stored = stored.subspan(begin, static_cast<std::size_t>(first[f + 1]) - begin);
        check_stored(column, n_rows_, "column " + std::to_string(f));
        columns_.push_back(column);
    }
}

void RowsArgument::borrow_columns(nb::list X, std::span<const table::FeatureKind> kinds) {
    if (X.size() != kinds.size()) {
        refuse("X has " + count(X.size(), "column") + ", the model has " + count(kinds.size(), "feature"));
    }
    for (std::size_t f = 0; f < X.size(); ++f) {
        const std::string what = "column " + std::to_string(f);
        const std::size_t length = borrow_column(X[f], what);
        if (f == 0) n_rows_ = length;
        if (length != n_rows_) {
            refuse(what + " has " + count(length, "row") + ", column 0 has " + std::to_string(n_rows_));
        }
    }
}

// One column, plain or sparse; its number of rows.
std::size_t RowsArgument::borrow_column(nb::handle X, const std::string& what) {
    if (!nb::hasattr(X, "fill") || PyObject_CheckBuffer(X.ptr()) != 0) {
        const Buffer& buffer = borrow_vector(X, what, false);
        columns_.push_back(column_of(buffer, 0));
        return static_cast<std::size_t>(buffer.view().shape[0]);
    }
    const auto n_rows = nb::cast<std::size_t>(X.attr("n_rows"));
    const std::span<const std::int32_t> stored = borrow_rows(X.attr("rows"), "rows of " + what);
    const Buffer& values = borrow_vector(X.attr("values"), "values of " + what, false);
    if (static_cast<std::size_t>(values.view().shape[0]) != stored.size()) {
        refuse(what + " has " + count(stored.size(), "stored row") + " and " +
               count(static_cast<std::size_t>(values.view().shape[0]), "value"));
    }
    table::Column column = column_of(values, 0);
    column.is_sparse = true;
    column.stored = stored;
    column.fill = nb::cast<double>(X.attr("fill"));
    check_stored(column, n_rows, what);
    columns_.push_back(column);
    return n_rows;
}

const Buffer& RowsArgument::borrow_vector(nb::handle X, const std::string& what, bool contiguous) {
    buffers_.push_back(std::make_unique<Buffer>(X, what));
    const Py_buffer& view = buffers_.back()->view();
    if (view.ndim != 1) refuse(what + " must have 1 dimension, found " + std::to_string(view.ndim));
    if (contiguous && view.strides[0] != view.itemsize) refuse(what + " must be contiguous");
    return *buffers_.back();
}

std::span<const std::int32_t> RowsArgument::borrow_rows(nb::handle X, const std::string& what) {
    const Buffer& buffer = borrow_vector(X, what, true);
    if (buffer.type() != table::ColumnType::code) refuse(what + " must be int32");
    return {static_cast<const std::int32_t*>(buffer.view().buf), static_cast<std::size_t>(buffer.view().shape[0])};
}

void bind_table(nb::module_& m) {
    m.def("encode", &call_encode, "column"_a, "thresholds"_a, "n_levels"_a = 0, "zero_is_missing"_a = false,
          nb::sig("def encode(column: object, thresholds: numpy.typing.NDArray[numpy.float64], n_levels: int = 0, "
                  "zero_is_missing: bool = False) -> numpy.typing.NDArray[numpy.uint32]"),
          "Codes of one feature: the number of the ascending distinct `thresholds` below each value, or the "
          "level of a\n"
          "category (n_levels if unseen); one more than the largest code if missing.");
}

}  // namespace glasswood::bind

// RowsArgument: a table handed over from Python, borrowed as Rows. Memory is read through the buffer protocol
// at whatever stride it has, so a column of a row-major matrix, a slice or a reversed view costs no copy. A
// SparseMatrix or SparseColumn of tables/_sparse.py is borrowed by its arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "glasswood/table/rows.hpp"

namespace glasswood::bind {

// Keeps the exporter's memory alive; must be destroyed with the GIL held.
class Buffer {
 public:
    Buffer(nanobind::handle object, const std::string& what);
    ~Buffer() { PyBuffer_Release(&view_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    const Py_buffer& view() const { return view_; }
    table::ColumnType type() const { return type_; }

 private:
    Py_buffer view_{};
    table::ColumnType type_{};
};

class RowsArgument {
 public:
    // X: a 2-D float64 or float32 array, a SparseMatrix, or a list of 1-D arrays (float64, float32, int32 codes) and
    // SparseColumns, one per feature. Raises ValueError unless it has n_features columns, with codes or numbers as
    // `kinds` asks.
    RowsArgument(nanobind::handle X, std::span<const table::FeatureKind> kinds);

    table::Rows rows() const { return {columns_, n_rows_}; }

 private:
    void borrow_matrix(nanobind::handle X, std::span<const table::FeatureKind> kinds);
    void borrow_sparse(nanobind::handle X, std::span<const table::FeatureKind> kinds);
    void borrow_columns(nanobind::list X, std::span<const table::FeatureKind> kinds);
    std::size_t borrow_column(nanobind::handle X, const std::string& what);
    const Buffer& borrow_vector(nanobind::handle X, const std::string& what, bool contiguous);
    std::span<const std::int32_t> borrow_rows(nanobind::handle X, const std::string& what);

    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<table::Column> columns_;
    std::size_t n_rows_ = 0;
};

}  // namespace glasswood::bind

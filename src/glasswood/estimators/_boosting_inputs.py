"""Inputs of boosting: categories on request, weights, offsets, row numbers and tables to evaluate on."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import feature_position
from glasswood.ensemble import FeatureSchema
from glasswood.errors import OptionError, TableError
from glasswood.estimators._base import read_sample_weight
from glasswood.tables import CategoryColumn, Columns, check_some_weight, read_vector

Floats = NDArray[np.float64]


def with_categories(table: Columns, wanted: Any) -> Columns:
    """Turn the wanted columns, by position, name or mask, into categories; None leaves the table unchanged."""
    if wanted is None:
        return table
    columns = [table.stored(j) for j in range(table.n_columns)]
    for j in _positions(wanted, table):
        values = table.category(j)
        columns[j] = values
        if not isinstance(values, CategoryColumn):
            labels, codes = np.unique(values[~np.isnan(values)], return_inverse=True)
            full = np.full(len(values), -1, dtype=np.int32)
            full[~np.isnan(values)] = codes
            columns[j] = CategoryColumn(codes=full, labels=tuple(labels.tolist()), declared=False)
    return Columns(n_rows=table.n_rows, names=table.names, matrix=None, columns=tuple(columns), kind=table.kind)


def read_boosting_weight(sample_weight: Any, n_rows: int) -> Floats:
    """Read weights, empty if there are none; at least one must be above 0."""
    weight = read_sample_weight(sample_weight, n_rows)
    if weight is None:
        return np.empty(0)
    check_some_weight(np.count_nonzero(weight))
    return weight


def read_offset(offset: Any, n_rows: int, n_outputs: int) -> Floats | None:
    """Read an offset on the raw scale, (n_rows,) or (n_rows, n_outputs), as (n_outputs, n_rows)."""
    if offset is None:
        return None
    if n_outputs == 1:
        offset = read_vector(offset, n_rows, what="offset")[:, None]
    try:
        values = np.asarray(offset, dtype=np.float64).T
    except (TypeError, ValueError):
        raise TableError("offset must hold numbers") from None
    if values.shape != (n_outputs, n_rows) or not np.isfinite(values).all():
        raise TableError(f"offset must be {n_rows} rows of {n_outputs} finite numbers on the raw scale")
    return np.ascontiguousarray(values)


def read_row_id(row_id: Any, n_rows: int) -> NDArray[np.int64]:
    """Read a unique whole number per row; empty if none is given."""
    if row_id is None:
        return np.empty(0, dtype=np.int64)
    values = read_vector(row_id, n_rows, what="row_id")
    if values.dtype.kind not in "iu" or (values.dtype.kind == "u" and values.max(initial=0) >= 2**63):
        raise TableError(f"row_id must hold whole numbers of 64 bits, found {values.dtype}")
    numbers = np.ascontiguousarray(values, dtype=np.int64)
    if np.all(numbers[1:] > numbers[:-1]):  # mostly so, and sorting is dear
        return numbers
    distinct, count = np.unique(numbers, return_counts=True)
    if len(distinct) < n_rows:
        raise TableError(
            f"row_id must differ from row to row; {distinct[count.argmax()]} stands for {count.max()} rows"
        )
    return numbers


def read_eval_set(eval_set: Any) -> list[tuple[Any, Any, Any, Any]]:
    """Read eval_set, a list of tuples or one tuple, as tuples (X, y, sample_weight, offset)."""
    if eval_set is None:
        return []
    if not isinstance(eval_set, list | tuple):
        raise TableError(f"eval_set must be a list of (X, y) or one of them, found {type(eval_set).__name__}")
    parts = [eval_set] if isinstance(eval_set, tuple) else eval_set
    if not all(isinstance(part, tuple | list) and 2 <= len(part) <= 4 for part in parts):
        raise TableError("eval_set must hold (X, y), (X, y, sample_weight) or (X, y, sample_weight, offset)")
    return [(*part, None, None)[:4] for part in parts]


def _positions(wanted: Any, table: Columns) -> list[int]:
    asked = [wanted] if isinstance(wanted, str) else wanted.tolist() if isinstance(wanted, np.ndarray) else list(wanted)
    if not asked or not all(isinstance(item, bool | np.bool_) for item in asked):
        names = table.names or FeatureSchema.positions(table.n_columns)
        return [feature_position(item, names, "categorical_features", of="the table") for item in asked]
    if len(asked) != table.n_columns:
        raise OptionError(f"categorical_features has {len(asked)} entries for {table.n_columns} features")
    return np.flatnonzero(asked).tolist()

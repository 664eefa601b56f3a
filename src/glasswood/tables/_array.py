"""numpy arrays → Columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import TableError
from glasswood.tables._columns import CategoryColumn, Column, Columns, as_floats
from glasswood.tables._integers import large_integer_column
from glasswood.tables._objects import read_objects

# bool, integers, floats, dates, durations
NUMBER_KINDS = "biufmM"
OBJECT_KINDS = "OUT"


def check_dimensions(X: NDArray[Any]) -> NDArray[Any]:
    """Return the array itself if it can be a table; raise otherwise."""
    if X.dtype.names is not None:
        if X.ndim != 1:
            raise TableError(f"a structured array must have 1 dimension, found {X.ndim}")
    elif X.ndim != 2:
        advice = "; give X.reshape(1, -1) for a single row, X.reshape(-1, 1) for a single column"
        raise TableError(f"a table needs 2 dimensions, found {X.ndim}{advice if X.ndim == 1 else ''}")
    return X


def read_array(X: NDArray[Any]) -> Columns:
    """Read a 2-D array, or a 1-D structured array whose fields are the columns."""
    if X.dtype.names is not None:
        return _read_fields(X)

    def exact(j: int) -> CategoryColumn | None:
        return large_integer_column(X[:, j], f"column {j}")

    if X.dtype.kind in NUMBER_KINDS:
        return Columns(n_rows=X.shape[0], names=None, matrix=_floats(X), columns=(), kind=None, exact=exact)
    columns = tuple(read_vector_array(X[:, j], f"column {j}") for j in range(X.shape[1]))
    return Columns(n_rows=X.shape[0], names=None, matrix=None, columns=columns, kind=None, exact=exact)


def read_vector_array(values: NDArray[Any], where: str) -> Column:
    """Read a 1-D array as one column."""
    kind = values.dtype.kind
    if kind in NUMBER_KINDS:
        return _floats(values)
    if kind in OBJECT_KINDS:
        return read_objects(_missing_where_masked(np.asarray(values).astype(object), values), where)
    raise TableError(f"{where} has dtype {values.dtype}; give numbers, text or dates instead")


def read_list(items: Sequence[Any], where: str) -> NDArray[Any]:
    """Array of a (nested) list."""
    try:
        array = np.asarray(items)
    except ValueError as error:
        raise TableError(f"{where} is ragged: {error}") from None
    # numpy would turn numbers beside text into text
    return np.array(items, dtype=object) if array.dtype.kind in "US" else array


def _floats(X: NDArray[Any]) -> NDArray[Any]:
    return _missing_where_masked(as_floats(np.asarray(X)), X)


def _missing_where_masked(values: NDArray[Any], source: NDArray[Any]) -> NDArray[Any]:
    if not isinstance(source, np.ma.MaskedArray):
        return values
    # None becomes NaN in a float array.
    return np.where(np.ma.getmaskarray(source), np.array(None, dtype=values.dtype), values)


def _read_fields(X: NDArray[Any]) -> Columns:
    names = X.dtype.names or ()
    for name in names:
        if X.dtype[name].shape:
            raise TableError(f"column {name!r} is nested, with shape {X.dtype[name].shape}; give one field per number")
    columns = tuple(read_vector_array(X[name], f"column {name!r}") for name in names)

    def exact(j: int) -> CategoryColumn | None:
        return large_integer_column(X[names[j]], f"column {names[j]!r}")

    return Columns(n_rows=X.shape[0], names=names, matrix=None, columns=columns, kind=None, exact=exact)

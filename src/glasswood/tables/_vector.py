"""Targets and weights: one value per row, as a numpy array."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from glasswood.errors import TableError
from glasswood.tables._array import read_list, read_vector_array
from glasswood.tables._columns import CategoryColumn, Column
from glasswood.tables._series import read_series


def read_vector(y: Any, n_rows: int, *, what: str = "y") -> NDArray[Any]:
    """Read one value per row.

    Parameters
    ----------
    y : 1-D array, series or list
        Numbers, booleans, dates or text.
    n_rows : int
        Number of rows of the table it belongs to.
    what : str
        What to call it in errors.

    Returns
    -------
    ndarray of shape (n_rows,)
        Integers, booleans and float32 keep their dtype; text and categories come as an object array of labels
        (numbers as numbers); a numpy array of text stays as it is.

    Raises
    ------
    TableError
        If the length differs or a value is missing or infinite; the message names the first such row.

    Examples
    --------
    >>> from glasswood.tables import read_vector
    >>> read_vector([1, 0, 1], 3)
    array([1, 0, 1])
    """
    values = _read(y, what)
    if len(values) != n_rows:
        raise TableError(f"{what} has {len(values)} values for a table of {n_rows} rows")
    if values.dtype.kind == "f":
        _refuse_first(np.isnan(values), f"{what} is missing in row {{row}}; fill it in or drop the row")
        _refuse_first(np.isinf(values), f"{what} is infinite in row {{row}}")
    return values


def check_some_weight(n_weighted: int | np.integer[Any]) -> None:
    """Raise `TableError` if no row has a weight above 0."""
    if not n_weighted:
        raise TableError("sample_weight is zero in every row; at least one row must count")


def read_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Read a weight per row, as float64; None stays None.

    Raises
    ------
    TableError
        If the length differs, a weight is text, missing, infinite or negative, or their sum is infinite.

    Examples
    --------
    >>> from glasswood.tables import read_weight
    >>> read_weight([1, 2], 2)
    array([1., 2.])
    """
    if sample_weight is None:
        return None
    weight = read_vector(sample_weight, n_rows, what="sample_weight")
    if weight.dtype.kind not in "biuf":
        raise TableError("sample_weight holds text; it must be numbers")
    weight = weight.astype(np.float64, copy=False)
    _refuse_first(weight < 0, "sample_weight is negative in row {row}")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if np.isinf(total):
        raise TableError("the sum of sample_weight is infinite; divide the weights by a constant")
    return weight


def _read(y: Any, what: str) -> NDArray[Any]:
    wrapped = nw.from_native(y, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(wrapped, nw.Series):
        dtype = wrapped.dtype
        whole = dtype.is_integer() or dtype == nw.Boolean
        if dtype == nw.Object or (whole and wrapped.null_count() == 0):
            return _read_array(wrapped.to_numpy(), what)
        return _plain(read_series(wrapped, what), what)
    if isinstance(wrapped, nw.DataFrame | nw.LazyFrame):
        raise TableError(f"{what} is a frame; give one column of it, such as {what}['name']")
    if isinstance(y, list | tuple):
        return _read_array(read_list(y, what), what)
    if hasattr(y, "__array__"):
        return _read_array(np.asanyarray(y), what)
    raise TableError(f"{what} must be a 1-D array, a series or a list, found {type(y).__name__}")


def _read_array(y: NDArray[Any], what: str) -> NDArray[Any]:
    if y.ndim == 0:
        raise TableError(f"{what} must have 1 dimension, found 0: it is a single value; give one value per row")
    if y.ndim != 1:
        raise TableError(f"{what} must have 1 dimension, found {y.ndim}; give {what}.ravel() if it is one column")
    masked = isinstance(y, np.ma.MaskedArray) and bool(np.ma.getmaskarray(y).any())
    if not masked:
        plain = np.asarray(y)
        if plain.dtype.kind in "biu":
            return plain.astype(plain.dtype.newbyteorder("="), copy=False)
        if plain.dtype.kind == "U":
            return plain
        if plain.dtype.kind == "O" and all(type(item) in (bool, int) for item in plain):
            return np.array(plain.tolist())
    return _plain(read_vector_array(y, what), what)


def _plain(column: Column, what: str) -> NDArray[Any]:
    """Column as an array; if it holds categories, an array of their labels."""
    if not isinstance(column, CategoryColumn):
        return column
    _refuse_first(column.codes < 0, f"{what} is missing in row {{row}}; fill it in or drop the row")
    has_text = {isinstance(label, str) for label in column.labels}
    if len(has_text) == 2:
        raise TableError(f"{what} mixes text and numbers")
    labels = np.array(column.labels, dtype=object if has_text == {True} else None)
    return labels[column.codes]


def _refuse_first(wrong: NDArray[np.bool_], message: str) -> None:
    if wrong.any():
        raise TableError(message.format(row=int(wrong.argmax())))

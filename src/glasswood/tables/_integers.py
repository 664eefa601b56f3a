"""Integers beyond 2**53: float64 cannot tell neighbours apart there, so categories keep their exact values."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from glasswood.tables._columns import CategoryColumn
from glasswood.tables._labels import text_column

_EXACT = 2**53  # float64 holds every integer up to here
_WIDE = (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)


def large_integer_column(values: NDArray[Any], where: str) -> CategoryColumn | None:
    """The column by its exact values if it holds an integer beyond 2**53, also as a Python object; otherwise None."""
    if values.dtype.kind == "O":
        return _of_items(values.tolist(), where)
    plain = np.asarray(values)
    if plain.dtype.kind not in "iu" or plain.dtype.itemsize < 8 or not plain.size:
        return None
    if int(plain.max()) <= _EXACT and int(plain.min()) >= -_EXACT:
        return None
    labels, codes = np.unique(plain, return_inverse=True)
    codes = np.where(np.ma.getmaskarray(values), -1, codes)
    return CategoryColumn(codes=codes.astype(np.int32), labels=tuple(labels.tolist()), declared=False)


def large_integer_series(series: nw.Series[Any], where: str) -> CategoryColumn | None:
    """The same for a column of a frame; missing values stay missing."""
    dtype = series.dtype
    if dtype == nw.Object:
        return _of_items(series.to_list(), where)
    if dtype not in _WIDE or series.null_count() == len(series):
        return None
    if int(series.max()) <= _EXACT and int(series.min()) >= -_EXACT:
        return None
    return _of_items(series.to_list(), where)


def _of_items(items: list[Any], where: str) -> CategoryColumn | None:
    """A column of numbers with an integer beyond 2**53; None if there is no such integer, or if there is text."""
    if not any(isinstance(item, int | np.integer) and abs(int(item)) > _EXACT for item in items):
        return None
    if any(isinstance(item, str) for item in items):
        return None  # such a column is read as text, which keeps the exact values
    position: dict[Any, int] = {}
    codes = [-1 if _missing(item) else position.setdefault(item, len(position)) for item in items]
    return text_column(np.array(codes, dtype=np.int32), position, where)


def _missing(item: Any) -> bool:
    # comparing pandas' NA gives NA, which has no truth value; only a number can be a label here
    return not isinstance(item, int | float | np.number) or item != item

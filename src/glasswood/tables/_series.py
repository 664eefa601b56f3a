"""One column of a frame → Column, by its dtype."""

from typing import Any

import narwhals as nw
import numpy as np

from glasswood.errors import TableError
from glasswood.tables import _arrow, _pandas, _polars
from glasswood.tables._array import NUMBER_KINDS, OBJECT_KINDS, read_vector_array
from glasswood.tables._columns import Column
from glasswood.tables._objects import read_objects

_TIMES = (nw.Datetime, nw.Date, nw.Duration, nw.Time)


def read_series(series: nw.Series[Any], where: str) -> Column:
    """Read one column; `where` names it in errors."""
    implementation = series.implementation
    if implementation.is_polars():
        column = _read_polars(series, where)
    elif implementation.is_pyarrow():
        column = _read_arrow(series.to_native(), series.dtype, where)
    elif type(series.to_native().dtype).__name__ == "ArrowDtype":
        column = _read_arrow(series.to_arrow(), series.dtype, where)
    else:
        column = _read_pandas(series, where)
    if column is not None:
        return column
    if series.null_count() == len(series):
        return np.full(len(series), np.nan)
    native = series.to_native()
    found = native.type if implementation.is_pyarrow() else native.dtype
    raise TableError(f"{where} has dtype {found}; give numbers, text, dates or categories instead")


def _read_polars(series: nw.Series[Any], where: str) -> Column | None:
    dtype, native = series.dtype, series.to_native()
    if dtype.is_numeric() or dtype == nw.Boolean:
        return _polars.floats(series)
    if dtype == nw.Enum:
        return _polars.declared(native, where)
    if dtype in (nw.String, nw.Categorical):
        return _polars.text(native, where)
    if isinstance(dtype, _TIMES):
        return _polars.ticks(native)
    if dtype == nw.Object:
        return read_objects(_object_array(native.to_list()), where)
    return None


def _read_arrow(array: Any, dtype: nw.dtypes.DType, where: str) -> Column | None:
    if dtype.is_numeric() or dtype == nw.Boolean:
        return _arrow.floats(array)
    if dtype in (nw.Categorical, nw.Enum):
        return _arrow.declared(array, where)
    if dtype == nw.String:
        return _arrow.text(array, where)
    if isinstance(dtype, _TIMES):
        return _arrow.ticks(array)
    return None


def _read_pandas(series: nw.Series[Any], where: str) -> Column | None:
    dtype, native = series.dtype, series.to_native()
    if isinstance(native.dtype, np.dtype) and native.dtype.kind in NUMBER_KINDS + OBJECT_KINDS:
        return read_vector_array(native.to_numpy(), where)
    if dtype.is_numeric() or dtype == nw.Boolean:
        return _pandas.floats(native)
    if dtype in (nw.Categorical, nw.Enum):
        return _pandas.declared(native, where)
    if dtype == nw.String:
        return _pandas.text(native, where)
    if isinstance(dtype, nw.Datetime):
        return _pandas.ticks(native, dtype.time_unit)
    if str(native.dtype).startswith("Sparse"):
        dense = nw.from_native(native.sparse.to_dense(), series_only=True)
        return read_series(dense, where)
    return None


def _object_array(items: list[Any]) -> Any:
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out

"""Values of a polars series, as arrays. Uses only methods of the series, so polars is never imported."""

from typing import Any

import narwhals as nw
import numpy as np

from glasswood.tables._columns import CategoryColumn, Floats, microseconds
from glasswood.tables._labels import declared_column, text_column


def floats(series: nw.Series[Any]) -> Floats:
    """Numbers and booleans; zero-copy where they are stored as floats without nulls."""
    if series.dtype not in (nw.Float32, nw.Float64):
        series = series.cast(nw.Float64)
    values: Floats = series.to_numpy()
    return values


def ticks(series: Any) -> Floats:
    """Dates, times and durations as microseconds."""
    dtype = nw.from_native(series, series_only=True).dtype
    unit = "D" if dtype == nw.Date else getattr(dtype, "time_unit", "ns")  # a time of day counts nanoseconds
    values = microseconds(series.to_physical().fill_null(0).to_numpy().astype(np.int64), unit)
    values[series.is_null().to_numpy()] = np.nan
    return values


def declared(series: Any, where: str) -> CategoryColumn:
    """Enum dtype."""
    return declared_column(_physical(series), series.dtype.categories.to_list(), where)


def text(series: Any, where: str) -> CategoryColumn:
    """Text dtype, or Categorical, which lists no categories and whose codes change from process to process."""
    if nw.from_native(series, series_only=True).dtype == nw.String:
        series = nw.from_native(series, series_only=True).cast(nw.Categorical).to_native()
    distinct, first, inverse = np.unique(_physical(series), return_index=True, return_inverse=True)
    labels = nw.from_native(series, series_only=True)[first].cast(nw.String).to_list()
    codes = np.where(distinct < 0, -1, np.arange(len(distinct)))[inverse]
    return text_column(codes, labels, where)


def _physical(series: Any) -> Any:
    codes = nw.from_native(series.to_physical(), series_only=True)
    return codes.cast(nw.Int32).fill_null(-1).to_numpy()

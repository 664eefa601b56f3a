"""Dtypes of a table's columns, as the library that made the table names them."""

from datetime import date
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from glasswood.tables._kind import frame_kind
from glasswood.tables._open import Table, open_table
from glasswood.tables._scipy import check_sparse, is_scipy_sparse


def dtypes_of(X: Table) -> tuple[str, ...]:
    """Dtype of every column as text.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.tables import dtypes_of
    >>> dtypes_of(np.zeros((2, 3)))
    ('float64', 'float64', 'float64')
    """
    if is_scipy_sparse(X):
        return (str(check_sparse(X).dtype),) * int(X.shape[1])
    return _dtypes(open_table(X))


def names_and_dtypes(X: Table) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Names of the columns of a frame, None for anything else, and the dtypes of the columns; the table is opened once.

    For pandas categories the text includes the labels, because they decide how a library reads the column.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.tables import names_and_dtypes
    >>> names_and_dtypes(np.zeros((2, 1)))
    (None, ('float64',))
    """
    if is_scipy_sparse(X):
        return None, dtypes_of(X)
    opened = open_table(X)
    names = None if isinstance(opened, np.ndarray) or frame_kind(X) is None else tuple(opened.columns)
    return names, _dtypes(opened, labels=True)


def date_columns(X: Table) -> tuple[tuple[str, ...] | None, tuple[bool, ...]]:
    """Names of the columns of a frame, None for anything else, and which columns hold dates.

    Examples
    --------
    >>> import pandas as pd
    >>> from glasswood.tables import date_columns
    >>> date_columns(pd.DataFrame({"day": pd.to_datetime(["2014-03-01"]), "n": [1]}))
    (('day', 'n'), (True, False))
    """
    if is_scipy_sparse(X):
        return None, (False,) * int(X.shape[1])
    opened = open_table(X)
    if isinstance(opened, np.ndarray):
        fields = opened.dtype.names
        kinds = [opened.dtype[name].kind for name in fields] if fields else [opened.dtype.kind] * opened.shape[1]
        return None, tuple(kind == "M" for kind in kinds)
    names = None if frame_kind(X) is None else tuple(opened.columns)
    return names, tuple(_holds_dates(series) for series in opened.iter_columns())


def _holds_dates(series: nw.Series[Any]) -> bool:
    if series.dtype != nw.Object:
        return bool(series.dtype == nw.Date or series.dtype == nw.Datetime)
    return isinstance(next((item for item in series.to_list() if item is not None), None), date)


def _dtypes(opened: NDArray[Any] | nw.DataFrame[Any], *, labels: bool = False) -> tuple[str, ...]:
    if isinstance(opened, np.ndarray):
        fields = opened.dtype.names
        n_columns: int = opened.shape[1] if fields is None else 0
        return (str(opened.dtype),) * n_columns if fields is None else tuple(str(opened.dtype[name]) for name in fields)
    return tuple(_dtype(series, labels) for series in opened.iter_columns())


def _dtype(series: nw.Series[Any], labels: bool) -> str:
    native = series.to_native()
    dtype = native.type if series.implementation.is_pyarrow() else native.dtype
    if labels and series.implementation.is_pandas() and hasattr(dtype, "categories"):
        return f"{dtype} of {dtype.categories.tolist()}"
    return str(dtype)

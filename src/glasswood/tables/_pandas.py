"""Values of pandas' own dtypes, as arrays. Uses only methods of the series, so pandas is never imported."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.tables._columns import CategoryColumn, Floats, as_floats
from glasswood.tables._labels import declared_column, text_column
from glasswood.tables._sparse import SparseColumn


def floats(series: Any) -> Floats:
    """Nullable numbers and booleans; zero-copy where they are floats without nulls."""
    wanted = np.float32 if series.dtype.name == "Float32" else np.float64
    values: Floats = series.to_numpy(dtype=wanted, na_value=np.nan)
    return values


def ticks(series: Any, unit: str) -> Floats:
    """Times with a zone as microseconds; `unit` is that of the column."""
    # without asking for UTC, a column with a time zone would give Timestamp objects
    return as_floats(series.to_numpy(dtype=f"datetime64[{unit}]"))


def declared(series: Any, where: str) -> CategoryColumn:
    """Category dtype."""
    return declared_column(series.cat.codes.to_numpy(), series.cat.categories.tolist(), where)


def text(series: Any, where: str) -> CategoryColumn:
    """Text dtype."""
    codes, labels = series.factorize()
    return text_column(codes, labels.tolist(), where)


def sparse_numbers(series: Any) -> SparseColumn | None:
    """A Sparse column of numbers as it is stored, with its fill value; None for any other column."""
    dtype = series.dtype
    if type(dtype).__name__ != "SparseDtype" or dtype.subtype.kind not in "biuf":
        return None
    stored = series.array
    # pandas stores either the rows or blocks of rows
    index = stored.sp_index if hasattr(stored.sp_index, "indices") else stored.sp_index.to_int_index()
    values = as_floats(stored.sp_values)
    fill = float(as_floats(np.array([dtype.fill_value], dtype=dtype.subtype))[0])
    return SparseColumn(rows=index.indices, values=values, fill=fill, n_rows=len(series))


def whole_matrix(frame: Any) -> NDArray[Any] | None:
    """View of a frame whose columns are numbers of one numpy dtype, or None."""
    dtypes = set(frame.dtypes)
    if len(dtypes) != 1:
        return None
    (dtype,) = dtypes
    if not isinstance(dtype, np.dtype) or dtype.kind not in "biuf":
        return None
    # columns that were added one by one are stored apart: a matrix would be a copy, single columns are not
    if frame.iloc[:, 0].to_numpy().base is not frame.iloc[:, -1].to_numpy().base:
        return None
    matrix: NDArray[Any] = frame.to_numpy()
    return matrix

"""A frame that narwhals supports → Columns."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from glasswood.errors import TableError
from glasswood.tables._columns import CategoryColumn, Column, Columns, as_floats
from glasswood.tables._integers import large_integer_series
from glasswood.tables._kind import FrameKind
from glasswood.tables._pandas import sparse_numbers, whole_matrix
from glasswood.tables._series import read_series
from glasswood.tables._sparse import SparseColumn


def read_frame(frame: nw.DataFrame[Any], kind: FrameKind | None) -> Columns:
    """Read a frame; the index of a pandas frame is ignored."""
    n_rows, n_columns = frame.shape
    names = _names(frame.columns)

    def exact(j: int) -> CategoryColumn | None:
        return large_integer_series(frame[:, j], f"column {frame.columns[j]!r}")

    if frame.implementation.is_pandas_like() and n_columns:
        matrix = whole_matrix(frame.to_native())
        if matrix is not None:
            return Columns(
                n_rows=n_rows,
                names=names,
                matrix=as_floats(matrix),
                columns=(),
                kind=kind,
                exact=exact,
            )
    places = [f"column {name if names is None else str(name)!r}" for name in frame.columns]
    columns = tuple(_read(series, where) for series, where in zip(frame.iter_columns(), places, strict=True))
    return Columns(n_rows=n_rows, names=names, matrix=None, columns=columns, kind=kind, exact=exact)


def _read(series: nw.Series[Any], where: str) -> Column | SparseColumn:
    """One column; pandas' Sparse columns of numbers stay sparse."""
    sparse = sparse_numbers(series.to_native()) if series.implementation.is_pandas_like() else None
    return read_series(series, where) if sparse is None else sparse


def check_unique(names: Sequence[Any]) -> None:
    """Raise an error that names the columns with the same name."""
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise TableError(f"the table has two columns named {name!r}; rename or drop one")
        seen.add(name)


def _names(names: Sequence[Any]) -> tuple[str, ...] | None:
    """Names as text; None if they are only the numbers of the columns, as in pandas by default."""
    if len(names) > 0 and list(names) == list(range(len(names))):
        return None
    out = tuple(map(str, names))
    check_unique(out)
    return out

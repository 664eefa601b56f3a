"""Rows of a table of any kind: their number, and some of them, for work that goes chunk by chunk."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glasswood.tables._columns import CategoryColumn, Column, Columns
from glasswood.tables._kind import frame_kind
from glasswood.tables._open import Table, open_table
from glasswood.tables._scipy import by_rows, check_sparse, checked_lines, is_scipy_sparse
from glasswood.tables._sparse import SparseColumn


def n_rows_of(X: Table | Columns) -> int:
    """Count the rows of a table.

    This uses up a stream that can be read only once; make a pyarrow table of it first.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.tables import n_rows_of
    >>> n_rows_of(np.zeros((3, 2)))
    3
    """
    if isinstance(X, Columns):
        return X.n_rows
    if is_scipy_sparse(X):
        return int(check_sparse(X).shape[0])
    # a frame knows its size; opening it takes longer than explaining a row
    shape: tuple[int, ...] = getattr(X, "shape", ()) if frame_kind(X) is not None else ()
    return int(shape[0]) if len(shape) == 2 else len(open_table(X))


def take_rows(X: Table | Columns, start: int, stop: int) -> Table:
    """Rows `start` to `stop` (exclusive) of a table, as a table of the same kind; a view if the library supports it.

    An object that is converted, to numpy or through an Arrow stream, comes back as what it was converted to.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.tables import take_rows
    >>> take_rows(np.array([[1], [2], [3]]), 1, 3)
    array([[2],
           [3]])
    """
    rows = slice(start, stop)
    if isinstance(X, Columns):
        return _take_columns(X, rows)
    if is_scipy_sparse(X):
        first, last, _ = rows.indices(check_sparse(X).shape[0])
        return X if (first, last) == (0, X.shape[0]) else checked_lines(by_rows(X), first, max(first, last))[rows]
    opened = open_table(X)
    if isinstance(X, list | tuple):
        return X[rows]
    return opened[rows] if isinstance(opened, np.ndarray) else opened[rows].to_native()


def replayable(X: Table) -> Table:
    """The table itself; for a stream that can be read only once (a pyarrow RecordBatchReader), a table of its rows.

    Examples
    --------
    >>> import pyarrow
    >>> from glasswood.tables import replayable
    >>> replayable(pyarrow.table({"a": [1.0, 2.0]}).to_reader()).num_rows
    2
    """
    one_shot = hasattr(X, "__arrow_c_stream__") and hasattr(X, "read_next_batch")
    return X.read_all() if one_shot else X


def pick_rows(X: Table | Columns, rows: NDArray[np.integer]) -> Table:
    """Rows of a table by their numbers, in the order given, as a frame or array of the same kind.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.tables import pick_rows
    >>> pick_rows(np.array([[1], [2], [3]]), np.array([2, 0, 2]))
    array([[3],
           [1],
           [3]])
    """
    if isinstance(X, Columns):
        return _take_columns(X, rows)
    if is_scipy_sparse(X):
        return checked_lines(by_rows(check_sparse(X)))[rows]
    opened = open_table(X)
    if isinstance(opened, np.ndarray):
        return opened[rows]
    return opened[rows.tolist()].to_native()


def _take_columns(table: Columns, rows: slice | NDArray[np.integer]) -> Columns:
    def exact(j: int) -> CategoryColumn | None:
        whole = table.exact(j)
        return None if whole is None else replace(whole, codes=whole.codes[rows])

    return replace(
        table,
        n_rows=len(range(table.n_rows)[rows]) if isinstance(rows, slice) else len(rows),
        matrix=None if table.matrix is None else table.matrix[rows],
        columns=tuple(_take(column, rows) for column in table.columns),
        exact=exact,
        sparse=None if table.sparse is None else table.sparse[rows],
    )


def _take(column: Column | SparseColumn, rows: slice | NDArray[np.integer]) -> Column | SparseColumn:
    return replace(column, codes=column.codes[rows]) if isinstance(column, CategoryColumn) else column[rows]

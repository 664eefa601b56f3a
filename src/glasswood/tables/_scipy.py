"""Sparse tables of scipy, in any format → SparseMatrix. scipy itself is never imported."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import TableError
from glasswood.tables._columns import CategoryColumn, Columns, as_floats
from glasswood.tables._integers import large_integer_column
from glasswood.tables._sparse import SparseMatrix

_MAX_ROWS = 2**31 - 1  # row numbers take 4 bytes
_PIECE = 1 << 16  # values converted at once


def is_scipy_sparse(X: Any) -> bool:
    """Whether X is a sparse array or matrix of scipy.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from glasswood.tables import is_scipy_sparse
    >>> is_scipy_sparse(csr_array((2, 3)))
    True
    """
    return any(base.__module__.startswith("scipy.sparse") for base in type(X).__mro__) and hasattr(X, "tocoo")


def check_sparse(X: Any) -> Any:
    """Return the sparse table itself if it can be read: it needs two dimensions and real numbers."""
    if X.ndim != 2:
        raise TableError(f"a table needs 2 dimensions, found {X.ndim}; give X.reshape(1, -1) for a single row")
    if X.dtype.kind not in "biuf":
        raise TableError(f"the sparse table has dtype {X.dtype}; give real numbers instead")
    if X.shape[0] > _MAX_ROWS:
        raise TableError(f"the sparse table has {X.shape[0]:,} rows; give up to {_MAX_ROWS:,} at a time")
    return X


def read_sparse(X: Any) -> Columns:
    """Read a sparse table column by column; without a copy if it is CSC, sorted and of floats."""
    check_sparse(X)
    starts, rows, values, owned = _by_column(X)
    matrix = SparseMatrix(starts, rows, _floats(values, owned), X.shape[0])

    def exact(j: int) -> CategoryColumn | None:
        if X.dtype.kind not in "iu" or X.dtype.itemsize < 8:
            return None
        return large_integer_column(X.tocsc()[:, [j]].toarray().ravel(), f"column {j}")

    return Columns(n_rows=X.shape[0], names=None, matrix=None, columns=(), kind=None, exact=exact, sparse=matrix)


def by_rows(X: Any) -> Any:
    """The table itself, or a CSR copy of a sparse table in another format, from which rows are slow to take.

    Examples
    --------
    >>> from scipy.sparse import csc_array
    >>> from glasswood.tables import by_rows
    >>> by_rows(csc_array((2, 3))).format
    'csr'
    """
    if not is_scipy_sparse(X) or X.format == "csr":
        return X
    return checked_lines(X).tocsr() if X.format == "csc" else _entries(X).tocsr()


def _by_column(X: Any) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any], bool]:
    """Starts, rows and values of the columns, and whether the values are a copy."""
    if X.format in ("csr", "csc"):
        checked_lines(X)
        # from CSR, scipy counts the entries of each column and writes them in the order of the rows
        by_column, owned = (X, False) if X.format == "csc" else (X.tocsc(), True)
        starts = by_column.indptr.astype(np.int64, copy=False)
        rows = by_column.indices[: starts[-1]].astype(np.int32, copy=False)
        values = by_column.data[: starts[-1]]
    else:
        entries = _entries(X)
        order = np.argsort(entries.col, kind="stable")
        counts = np.bincount(entries.col, minlength=X.shape[1])
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        rows, values, owned = entries.row[order].astype(np.int32, copy=False), entries.data[order], True
    if _ascends(starts, rows):
        return starts, rows, values, owned
    return (*_sorted(starts, rows, values), True)


def checked_lines(X: Any, first: int = 0, last: int | None = None) -> Any:
    """Return a CSR or CSC table itself if the values of these lines lie within it; scipy may read other memory."""
    pointers, n_stored = X.indptr, min(len(X.indices), len(X.data))
    (n_lines, n_others), other = (X.shape, "column") if X.format == "csr" else (X.shape[::-1], "row")
    if len(pointers) != n_lines + 1 or pointers[0] != 0 or np.any(pointers[1:] < pointers[:-1]):
        raise TableError(f"the sparse table is damaged: indptr must have {n_lines + 1} entries that ascend from 0")
    if pointers[-1] > n_stored:
        raise TableError(
            f"the sparse table is damaged: indptr ends at {pointers[-1]}, but {n_stored} values are stored"
        )
    _check_range(X.indices[slice(*pointers[[first, n_lines if last is None else last]])], n_others, other)
    return X


def _entries(X: Any) -> Any:
    """The table as COO, whose values lie within it."""
    try:
        entries = X.tocoo()
    except ValueError as error:
        raise TableError(f"the sparse table is damaged: {error}") from None
    _check_range(entries.row, X.shape[0], "row")
    _check_range(entries.col, X.shape[1], "column")
    return entries


def _check_range(numbers: NDArray[Any], n: int, what: str) -> None:
    if len(numbers) and (numbers.min() < 0 or numbers.max() >= n):
        wrong = numbers.min() if numbers.min() < 0 else numbers.max()
        raise TableError(f"the sparse table is damaged: it has a value in {what} {wrong}, but only {n} of them")


def _ascends(starts: NDArray[np.int64], rows: NDArray[np.int32]) -> bool:
    if len(rows) < 2:
        return True
    rises = rows[1:] > rows[:-1]
    borders = starts[(starts > 0) & (starts < len(rows))]
    rises[borders - 1] = True
    return bool(rises.all())


def _sorted(
    starts: NDArray[np.int64], rows: NDArray[np.int32], values: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    """Rows ascending in each column; values at one place are added in the order they are stored, as `toarray` does."""
    column = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((rows, column))
    rows, column = rows[order], column[order]
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (rows[1:] != rows[:-1]) | (column[1:] != column[:-1])
    total = np.zeros(np.count_nonzero(is_first), dtype=values.dtype)
    np.add.at(total, np.cumsum(is_first) - 1, values[order])
    return np.searchsorted(column[is_first], np.arange(len(starts))), rows[is_first], total


def _floats(values: NDArray[Any], owned: bool) -> NDArray[Any]:
    """Values as floats; 64-bit integers that we own are converted in place."""
    if not (owned and values.dtype.kind in "iu" and values.dtype.itemsize == 8 and values.dtype.isnative):
        return as_floats(values)
    if not (values.flags.c_contiguous and values.flags.writeable):
        return as_floats(values)
    floats = values.view(np.float64)
    for at in range(0, len(values), _PIECE):
        floats[at : at + _PIECE] = values[at : at + _PIECE].astype(np.float64)
    return floats

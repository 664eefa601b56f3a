"""Columns: a table as the kernels take it, one matrix, dense or sparse, or one array per column."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from glasswood.tables._kind import FrameKind
from glasswood.tables._sparse import SparseColumn, SparseMatrix

Label: TypeAlias = str | int | float | bool

Floats: TypeAlias = NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CategoryColumn:
    """Text or categories, as positions in a list of distinct labels."""

    codes: NDArray[np.int32]  # (n_rows,) position of the row's label; −1 where missing
    labels: tuple[Label, ...]  # distinct; sorted where they were gathered from text
    declared: bool  # the caller's dtype lists the labels, so a code means the same in another table of that dtype


Column: TypeAlias = Floats | CategoryColumn


def _nothing(j: int) -> None:
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A table after reading.

    Arrays are native float32 or float64, aligned, of any strides, and may be read-only views of the caller's
    memory. A missing number is NaN.
    """

    n_rows: int
    names: tuple[str, ...] | None  # None if the columns have no names
    matrix: Floats | None  # (n_rows, n_columns) if the table is one matrix of numbers
    columns: tuple[Column | SparseColumn, ...]  # else one entry per column, each (n_rows,); empty beside a matrix
    kind: FrameKind | None  # the library of the caller's frame; results come back as frames of this library
    # for a column with an integer that float64 would round: the column by its exact values; otherwise None
    exact: Callable[[int], CategoryColumn | None] = _nothing
    sparse: SparseMatrix | None = None  # set if the table is one sparse matrix

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        if self.sparse is not None:
            return self.sparse.n_columns
        return len(self.columns) if self.matrix is None else int(self.matrix.shape[1])

    def column(self, j: int) -> Column:
        """Column at position `j`: floats of all rows, or a `CategoryColumn`."""
        column = self.stored(j)
        return column.dense() if isinstance(column, SparseColumn) else column

    def stored(self, j: int) -> Column | SparseColumn:
        """Column at position `j`, without making a sparse one dense."""
        if self.sparse is not None:
            return self.sparse.column(j)
        return self.columns[j] if self.matrix is None else self.matrix[:, j]

    def category(self, j: int) -> Column:
        """Column at position `j` for a feature that is a category: large integers by their exact values."""
        column = self.column(j)
        exact = None if isinstance(column, CategoryColumn) else self.exact(j)
        return column if exact is None else exact


def as_floats(values: NDArray[Any]) -> Floats:
    """Numbers, booleans, dates or durations as floats that a kernel can read, without a copy if they already are.

    Integers beyond 2**53 are rounded to the nearest float64, as in every tree library. Dates and durations become
    microseconds (since 1970 for dates) whatever their unit, so that one instant is one number; NaT becomes NaN.
    """
    dtype = values.dtype
    if dtype.char in "fd":
        if dtype.isnative and values.flags.aligned:
            return values
        return values.astype(dtype.newbyteorder("="))
    if dtype.kind in "mM":
        unit, step = np.datetime_data(dtype)
        if unit in "YM":  # months differ in length, so they are converted to days first
            values, unit, step = values.astype(f"{dtype.kind}8[D]"), "D", 1
        counts = microseconds(values.astype(np.int64) * step, unit)
        counts[np.isnat(values)] = np.nan
        return counts
    return values.astype(np.float64)


_MICROSECONDS = {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "D": 86_400_000_000}


def microseconds(counts: NDArray[np.int64], unit: str) -> NDArray[np.float64]:
    """Counts of a unit of time as microseconds, the finest unit in which present-day instants are exact in float64."""
    if unit == "W":
        counts, unit = counts * 7, "D"
    if unit == "ns":
        # in integers first: float64 rounds nanoseconds since 1970 to multiples of 256
        return np.asarray(counts // 1000 + (counts % 1000) / 1000, dtype=np.float64)
    return np.asarray(counts * float(_MICROSECONDS[unit]), dtype=np.float64)

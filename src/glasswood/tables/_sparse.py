"""Sparse columns: some values are stored with their rows; all other rows hold one value, usually 0."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = slice | NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class SparseColumn:
    """One column, of numbers or of category codes."""

    rows: NDArray[np.int32]  # (n_stored,) ascending, each once
    values: NDArray[Any]  # (n_stored,) float32, float64, or int32 codes
    fill: float  # the value of all other rows
    n_rows: int

    def __len__(self) -> int:
        return self.n_rows

    def dense(self) -> NDArray[Any]:
        """All values, (n_rows,)."""
        out = np.full(self.n_rows, self.fill, dtype=self.values.dtype)
        out[self.rows] = self.values
        return out

    def __getitem__(self, rows: Rows) -> "SparseColumn":
        """Some rows, in the order given, as a new column."""
        _, stored, moved, n_rows = _take(np.array([0, len(self.rows)]), self.rows, self.n_rows, rows)
        return SparseColumn(moved, self.values[stored], self.fill, n_rows)


@dataclass(frozen=True, slots=True, eq=False)
class SparseMatrix:
    """Columns of numbers one after the other; what is not stored is 0."""

    starts: NDArray[np.int64]  # (n_columns + 1,) column j is stored at [starts[j], starts[j + 1])
    rows: NDArray[np.int32]  # (n_stored,) ascending in a column, each once
    values: NDArray[Any]  # (n_stored,) float32 or float64
    n_rows: int

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.starts) - 1

    def column(self, j: int) -> SparseColumn:
        """Column at position `j`."""
        part = slice(self.starts[j], self.starts[j + 1])
        return SparseColumn(self.rows[part], self.values[part], 0.0, self.n_rows)

    def __getitem__(self, rows: Rows) -> "SparseMatrix":
        """Some rows, in the order given, as a new matrix."""
        starts, stored, moved, n_rows = _take(self.starts, self.rows, self.n_rows, rows)
        return SparseMatrix(starts, moved, self.values[stored], n_rows)


def _take(
    starts: NDArray[np.int64], rows: NDArray[np.int32], n_rows: int, wanted: Rows
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], int]:
    """Starts of the columns among the wanted rows, the stored values that stay, their new rows, and the row count."""
    numbers = np.arange(n_rows)[wanted] if isinstance(wanted, slice) else np.where(wanted < 0, wanted + n_rows, wanted)
    n_wanted = len(numbers)
    if np.all(numbers[1:] > numbers[:-1]):
        moved = np.full(n_rows, -1, dtype=np.int32)
        moved[numbers] = np.arange(n_wanted, dtype=np.int32)
        stored = np.flatnonzero(moved[rows] >= 0)
        return np.searchsorted(stored, starts), stored, moved[rows[stored]], n_wanted
    # the same row may be wanted several times, and in any order
    order = np.argsort(numbers, kind="stable")
    times = np.bincount(numbers, minlength=n_rows)
    first = np.cumsum(times) - times
    copies = times[rows]
    stored = np.repeat(np.arange(len(rows)), copies)
    copy = np.arange(len(stored)) - np.repeat(np.cumsum(copies) - copies, copies)
    new = order[first[rows[stored]] + copy]
    column = np.searchsorted(starts, stored, side="right") - 1
    by_column = np.lexsort((new, column))
    new_starts = np.searchsorted(column[by_column], np.arange(len(starts)))
    return new_starts, stored[by_column], new[by_column].astype(np.int32), n_wanted

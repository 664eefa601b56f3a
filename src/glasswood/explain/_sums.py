"""RowSums: what effects need to know about the rows, gathered chunk by chunk; the first half of every explanation.

Rows are encoded as cells and added in blocks that do not depend on how the tables were cut, so neither does the result.
"""

import numpy as np
from numpy.typing import NDArray

from glasswood._native import BLOCK_ROWS, FIXED, FOLLOWED, FREE, Codes, Failing, Shares
from glasswood.ensemble import align
from glasswood.errors import TableError
from glasswood.explain._grid import Grid
from glasswood.tables import Table

_MOST_WEIGHT = 1e140


def roles(grid: Grid, tuples: NDArray[np.int32], role: int) -> NDArray[np.uint8]:
    """Role of every feature: `role` for those of the tuples, fixed for the others."""
    out = np.full(len(grid.ensemble.features), FIXED, dtype=np.uint8)
    out[np.unique(tuples)] = role
    return out


def check_total(weight: NDArray[np.float64]) -> None:
    """Refuse weights that add up to nothing, or to more than a number can say."""
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not total > 0:
        raise TableError("X has no row with a weight above 0")
    if not 1 / _MOST_WEIGHT <= total <= _MOST_WEIGHT:  # squares of weights must be numbers too
        what = "infinite" if np.isinf(total) else f"{total:g}"
        raise TableError(f"the sum of sample_weight is {what}; scale the weights, effects stay the same")


class Moments:
    """Mean and scatter of raw in the cells of tables that stand one after the other."""

    def __init__(self, n_cells: int, n_outputs: int) -> None:
        self.weight, self.squared = np.zeros(n_cells), np.zeros(n_cells)
        self.mean, self.scatter = np.zeros(n_cells * n_outputs), np.zeros(n_cells * n_outputs)

    def finish(self, n_outputs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and its standard error, (n_outputs, n_cells); NaN without rows, the error also below two."""
        with np.errstate(invalid="ignore", divide="ignore"):
            effective = self.weight**2 / self.squared
            freedom = np.where(effective - 1 > 1e-12, effective - 1, np.nan)
            variance = self.scatter.reshape(-1, n_outputs).T / self.weight
            error = np.sqrt(variance / freedom)
            mean = np.where(self.weight > 0, self.mean.reshape(-1, n_outputs).T, np.nan)
        return mean, error


class RowSums:
    """Sums over rows for the tables of `tuples`: cell weights, and what the methods asked for need."""

    def __init__(self, grid: Grid, tuples: NDArray[np.int32], *, exact: bool, observed: bool, n_threads: int) -> None:
        self._grid, self._tuples, self._n_threads = grid, tuples, n_threads
        self._codes = Codes(grid.paths)
        n_cells = int(grid.n_cells(tuples).sum())
        self.weight = np.zeros(n_cells)
        self.moments = Moments(n_cells, grid.ensemble.n_outputs) if observed else None
        self._failing = self._make_failing() if exact else []

    def _make_failing(self) -> list[Failing]:
        degree = self._tuples.shape[1]
        if degree <= 2:
            return [Failing(self._grid.paths, roles(self._grid, self._tuples, FREE), degree)]
        # beyond pairs each tuple is a pass of its own, with its features followed
        return [Failing(self._grid.paths, roles(self._grid, row, FOLLOWED), 0) for row in self._tuples]

    def add(self, X: Table, weight: NDArray[np.float64] | None) -> None:
        """Add the rows of a table."""
        rows = align(X, self._grid.ensemble.features)
        before = self._codes.n_rows
        self._codes.append(rows.data, weight, self._n_threads)
        after = self._codes.n_rows
        self._codes.count(self._tuples, before, after, self.weight, self._n_threads)
        if self.moments is not None:
            raw = self._grid.ensemble.plan().predict_raw(rows.data, self._n_threads)
            kept = raw if weight is None else raw[weight != 0]
            self._codes.add_moments(
                self._tuples,
                before,
                np.ascontiguousarray(kept),
                self.moments.weight,
                self.moments.squared,
                self.moments.mean,
                self.moments.scatter,
                self._n_threads,
            )
        self._flush(after // BLOCK_ROWS * BLOCK_ROWS)

    def _flush(self, n_rows: int) -> None:
        for failing in self._failing:
            failing.add(self._codes, 0, n_rows, self._n_threads)
        self._codes.drop(n_rows)

    def finish(self) -> list[Shares]:
        """Shares of each pass, after the last row."""
        self._flush(self._codes.n_rows)
        check_total(self.weight[: int(self._grid.n_cells(self._tuples[:1])[0])])
        return [failing.shares() for failing in self._failing]

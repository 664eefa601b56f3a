"""RowSums: what effects need to know about the rows, added up chunk by chunk.

Rows are encoded as cells and added as whole numbers, so the result depends neither on their order nor on the chunks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_sum
from glasswood._native import BLOCK_ROWS, FIXED, FREE, REPLACED, CellMoments, Codes, LeafShares, RowShares, to_numbers
from glasswood.ensemble import AlignedRows, Ensemble, align
from glasswood.errors import TableError
from glasswood.explain.effects._cell_grid import CellGrid
from glasswood.tables import Table

Words = NDArray[np.uint64]  # (n, n_words) long numbers, lowest word first

_MAX_WEIGHT = 1e140


def roles(grid: CellGrid, tuples: NDArray[np.int32], role: int) -> NDArray[np.uint8]:
    """Role of every feature: `role` for the features of the tuples, fixed for the others."""
    out = np.full(len(grid.ensemble.features), FIXED, dtype=np.uint8)
    out[np.unique(tuples)] = role
    return out


def largest_change(ensemble: Ensemble) -> float:
    """Largest possible distance of raw from the baseline: the sum of the largest |leaf value| of each tree."""
    return ensemble._cached("largest change", _largest_change)


def _largest_change(ensemble: Ensemble) -> float:
    size = np.abs(np.where((ensemble.feature < 0)[:, None], ensemble.value, 0.0)).max(axis=1, initial=0.0)
    return float(np.maximum.reduceat(size, ensemble.tree_start[:-1]).sum()) if ensemble.n_trees else 0.0


def check_total(total: float) -> None:
    """Refuse a sum of weights that is zero or too large."""
    if not total > 0:
        raise TableError("X has no row with a weight above 0")
    if not 1 / _MAX_WEIGHT <= total <= _MAX_WEIGHT:  # squares of weights must be finite too
        what = "infinite" if np.isinf(total) else f"{total:g}"
        raise TableError(f"the sum of sample_weight is {what}; scale the weights, effects stay the same")


class RowSums:
    """Sums over rows for the tables of `tuples`: cell weights and, if `exact`, the shares for partial dependence.

    Weights are added as whole multiples of `unit`. For an iterator of tables the unit is known only after the last
    weight; its rows are stored as cells, one or two bytes per value, until `finish`.
    """

    def __init__(
        self,
        grid: CellGrid,
        tuples: NDArray[np.int32],
        *,
        exact: bool,
        n_threads: int,
        unit: float | None = None,
    ) -> None:
        self._grid, self._tuples, self._n_threads = grid, tuples, n_threads
        self._codes = Codes(grid.paths)
        if unit is not None:
            self._codes.fix(unit)
        self._unit = unit
        self._waiting: list[NDArray[np.float64]] = []  # raw of the stored rows
        self._whole = np.zeros(int(grid.n_cells(tuples).sum()), dtype=np.int64)
        self._row_shares = self._make_row_shares() if exact else []

    def _make_row_shares(self) -> list[RowShares]:
        degree = self._tuples.shape[1]
        if degree <= 2:
            return [RowShares(self._grid.paths, roles(self._grid, self._tuples, FREE), degree)]
        # for more than two features, each tuple needs its own pass in which its features are replaced
        return [RowShares(self._grid.paths, roles(self._grid, row, REPLACED), 0) for row in self._tuples]

    def add(self, X: Table, weight: NDArray[np.float64] | None) -> None:
        """Add the rows of a table."""
        rows = align(X, self._grid.ensemble.features)
        before = self._codes.n_rows
        self._codes.append(rows.data, weight, self._n_threads)
        raw = self._raw(rows, weight)
        if weight is not None and self._unit is None:
            self._waiting.append(raw)
            return
        self._count(before, raw)
        self._flush(self._codes.n_rows // BLOCK_ROWS * BLOCK_ROWS)

    def _raw(self, rows: AlignedRows, weight: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """Raw of the rows that count, if it is needed."""
        return np.zeros((0, self._grid.ensemble.n_outputs))

    def _count(self, before: int, raw: NDArray[np.float64]) -> None:
        self._codes.count(self._tuples, before, self._codes.n_rows, self._whole, self._n_threads)

    def _flush(self, n_rows: int) -> None:
        for row_shares in self._row_shares:
            row_shares.add(self._codes, 0, n_rows, self._n_threads)
        self._codes.drop(n_rows)

    def part(self) -> "PartSums":
        """What these rows add to the sums over more rows, for `merge`; weights need the unit of all rows."""
        self._end()
        return PartSums(self._whole, [row_shares.sums() for row_shares in self._row_shares], self._moment_sums())

    def _moment_sums(self) -> tuple[Words, Words]:
        return np.zeros((0, 5), dtype=np.uint64), np.zeros((0, 2), dtype=np.uint64)

    def merge(self, part: "PartSums") -> None:
        """Add rows that were counted elsewhere, in the same unit."""
        self._whole += part.cells
        for row_shares, (sums, total) in zip(self._row_shares, part.shares, strict=True):
            row_shares.add_sums(sums, total)

    def finish(self) -> "FinishedSums":
        """Sums after the last row."""
        unit = self._end()
        return FinishedSums(self._cell_weight(unit), self._shares())

    def _end(self) -> float:
        """Add the stored rows; returns the unit of the weights."""
        if self._waiting:
            self._codes.fix(None)
            self._count(0, np.concatenate(self._waiting))
        unit = self._codes.unit if self._unit is None else self._unit
        self._flush(self._codes.n_rows)
        return unit

    def _cell_weight(self, unit: float) -> NDArray[np.float64]:
        to_numbers(self._whole, unit)
        weight = self._whole.view(np.float64)
        check_total(exact_sum(weight[: int(self._grid.n_cells(self._tuples[:1])[0])]))
        return weight

    def _shares(self) -> list[LeafShares]:
        return [row_shares.shares() for row_shares in self._row_shares]


class ObservedSums(RowSums):
    """The same sums, and mean and standard error of raw in each cell."""

    def __init__(
        self, grid: CellGrid, tuples: NDArray[np.int32], *, exact: bool, n_threads: int, unit: float | None = None
    ) -> None:
        super().__init__(grid, tuples, exact=exact, n_threads=n_threads, unit=unit)
        self._moments = CellMoments(len(self._whole), grid.ensemble.baseline, largest_change(grid.ensemble))

    def _raw(self, rows: AlignedRows, weight: NDArray[np.float64] | None) -> NDArray[np.float64]:
        raw = self._grid.ensemble._plan().predict_raw(rows.data, self._n_threads)
        return raw if weight is None else raw[weight != 0]

    def _count(self, before: int, raw: NDArray[np.float64]) -> None:
        super()._count(before, raw)
        self._moments.add(self._codes, self._tuples, before, np.ascontiguousarray(raw), self._n_threads)

    def _moment_sums(self) -> tuple[Words, Words]:
        return self._moments.sums()

    def merge(self, part: "PartSums") -> None:
        """Add rows that were counted elsewhere, in the same unit."""
        super().merge(part)
        self._moments.merge(*part.moments)

    def finish(self) -> "FinishedMoments":
        """Sums after the last row."""
        unit = self._end()
        mean, error = self._moments.finish(self._whole)
        return FinishedMoments(self._cell_weight(unit), self._shares(), mean, error)


@dataclass(frozen=True, slots=True, eq=False)
class PartSums:
    """Sums over some of the rows, as whole numbers of units: sums of any parts are the sums of all their rows."""

    cells: NDArray[np.int64]  # weight of each cell, table after table
    shares: list[tuple[NDArray[np.int64], int]]  # of each pass: weight of each slot and of all rows
    moments: tuple[Words, Words]  # of raw in each cell, as `CellMoments.sums` returns them; empty unless observed

    def plus(self, other: "PartSums") -> "PartSums":
        """Sums over the rows of both; neither is changed."""
        both = zip(self.shares, other.shares, strict=True)
        (a, b), (c, d) = self.moments, other.moments
        shares = [(one + two, n + m) for (one, n), (two, m) in both]
        return PartSums(self.cells + other.cells, shares, (long_sums(a, c), long_sums(b, d)))


def long_sums(one: Words, other: Words) -> Words:
    """Sums of long numbers, row by row, each of several words of 64 bits, lowest first."""
    if not len(one) or not len(other):  # nothing was added
        return one if len(one) else other
    out, carry = np.empty_like(one), np.zeros(len(one), dtype=np.uint64)
    for k in range(one.shape[1]):
        part = one[:, k] + other[:, k]
        out[:, k] = part + carry
        carry = ((part < one[:, k]) | (out[:, k] < part)).astype(np.uint64)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class FinishedSums:
    """Sums over all rows, table after table."""

    weight: NDArray[np.float64]  # (n_cells,)
    shares: list[LeafShares]  # of each pass; empty unless `exact`


@dataclass(frozen=True, slots=True, eq=False)
class FinishedMoments(FinishedSums):
    """The same, with the mean of raw over the rows of each cell."""

    mean: NDArray[np.float64]  # (n_outputs, n_cells)
    error: NDArray[np.float64]  # (n_outputs, n_cells) of the mean

"""Tables: value, spread, weight and H² of tuples of features by every method; the second half of every explanation."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.explain._grid import Grid
from glasswood.explain._sums import FOLLOWED, FREE, RowSums, roles

Array = NDArray[np.float64]

_GROUP_CELLS = 8_000_000  # cells of one call: enough to fill all threads, little enough to show progress
_FORMULAS = {"shared": 0, "leafmean": 1, "treemind": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One tuple of features; arrays are (n_outputs, cells …)."""

    features: NDArray[np.int32]  # (degree,)
    value: Array
    spread: Array
    weight: Array
    h2: Array  # (n_outputs,)


def make_tables(
    grid: Grid, tuples: NDArray[np.int32], method: str, sums: RowSums | None, n_threads: int
) -> Iterator[list[Table]]:
    """Tables of all tuples, a group at a time."""
    shares = [] if sums is None else sums.finish()
    source = _Source(grid, tuples, method, sums, shares, n_threads)
    for first, last in groups(grid, tuples):
        yield source.tables(first, last)


def groups(grid: Grid, tuples: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    cells = grid.n_cells(tuples) * grid.ensemble.n_outputs
    first, total = 0, 0
    for i, n in enumerate(cells.tolist()):
        if total + n > _GROUP_CELLS and i > first:
            yield first, i
            first, total = i, 0
        total += n
    if len(cells):
        yield first, len(cells)


class _Source:
    """Everything the tables are made from, prepared once."""

    def __init__(
        self,
        grid: Grid,
        tuples: NDArray[np.int32],
        method: str,
        sums: RowSums | None,
        shares: list[_native.Shares],
        n_threads: int,
    ) -> None:
        self._grid, self._tuples, self._method, self._n_threads = grid, tuples, method, n_threads
        self._degree, self._n_outputs = tuples.shape[1], grid.ensemble.n_outputs
        self._start = np.concatenate([[0], np.cumsum(grid.n_cells(tuples))])
        self._counts = None if sums is None else sums.weight
        self._moments = None if sums is None or sums.moments is None else sums.moments.finish(self._n_outputs)
        self._shares = shares
        self._last_h2 = np.zeros((0, self._n_outputs))
        if method == "path" and self._degree <= 2:
            self._by_weight = _native.path_shares(grid.paths, roles(grid, tuples, FREE), self._degree)

    def tables(self, first: int, last: int) -> list[Table]:
        """Tables of tuples [first, last)."""
        group = self._tuples[first:last]
        value, spread, mass = self._values(first, last)
        weight = self._counted(first, last) if self._counts is not None else mass
        h2 = self._h2(first, last)
        return [Table(*parts) for parts in zip(group, value, spread, weight, h2, strict=True)]

    def _values(self, first: int, last: int) -> tuple[list[Array], list[Array], list[Array]]:
        """Value, spread and, without rows, training mass."""
        group = self._tuples[first:last]
        if self._method == "observed":
            return (*self._observed(first, last), [])
        if self._method in _FORMULAS:
            flats = self._zeros(group), self._zeros(group), self._zeros(group)
            _native.leaf_tables(self._grid.paths, group, _FORMULAS[self._method], *flats, self._n_threads)
            value, spread, mass = (self._grid.split(flat, group, self._n_outputs) for flat in flats)
            for table in value:
                table += self._grid.ensemble.baseline.reshape(-1, *[1] * self._degree)
            return value, spread, mass
        value = self._joint(first, last) if self._degree > 2 else self._partial(first, last)
        return value, [_nothing(table) for table in value], [] if self._counts is not None else self._mass(group)

    def _partial(self, first: int, last: int) -> list[Array]:
        """Partial dependence of single features or pairs, by rows or by training weight."""
        group = self._tuples[first:last]
        shares = self._shares[0] if self._method == "interventional" else self._by_weight
        if self._degree == 1:
            flat = _native.effect_terms(self._grid.paths, shares, group)
            mean = _native.mean_raw(self._grid.paths, shares)
            return [table + mean[:, None] for table in self._grid.split(flat, group, self._n_outputs)]
        counts = self._counts_of(first, last) if self._method == "interventional" else None
        flat = self._zeros(group)
        self._last_h2 = _native.pair_tables(self._grid.paths, shares, group, counts, flat, self._n_threads)
        return self._grid.split(flat, group, self._n_outputs)

    def _observed(self, first: int, last: int) -> tuple[list[Array], list[Array]]:
        assert self._moments is not None
        group, cells = self._tuples[first:last], slice(self._start[first], self._start[last])
        ends = self._start[first + 1 : last] - self._start[first]
        parts = [np.split(moment[:, cells], ends, axis=1) for moment in self._moments]
        mean, error = (
            [part.reshape(-1, *self._grid.size[row]) for part, row in zip(some, group, strict=True)] for some in parts
        )
        return mean, error

    def _joint(self, first: int, last: int) -> list[Array]:
        """Beyond pairs: one pass per tuple."""
        out = []
        for i in range(first, last):
            row = self._tuples[i : i + 1]
            if self._method == "path":
                shares = _native.path_shares(self._grid.paths, roles(self._grid, row, FOLLOWED), 0)
            else:
                shares = self._shares[i]
            flat = _native.joint_table(self._grid.paths, shares, row)
            table = self._grid.split(flat, row, self._n_outputs)[0]
            out.append(table + self._grid.ensemble.baseline.reshape(-1, *[1] * self._degree))
        return out

    def _counts_of(self, first: int, last: int) -> Array:
        assert self._counts is not None
        return self._counts[self._start[first] : self._start[last]]

    def _counted(self, first: int, last: int) -> list[Array]:
        tables = self._grid.split(self._counts_of(first, last), self._tuples[first:last], 1)
        return [np.broadcast_to(table, (self._n_outputs, *table.shape[1:])) for table in tables]

    def _mass(self, group: NDArray[np.int32]) -> list[Array]:
        flat = self._zeros(group)
        if self._degree <= 2:
            _native.shared_mass(self._grid.paths, group, flat, self._n_threads)
        else:
            rest = self._zeros(group), self._zeros(group)
            _native.leaf_tables(self._grid.paths, group, _FORMULAS["shared"], *rest, flat, self._n_threads)
        return self._grid.split(flat, group, self._n_outputs)

    def _h2(self, first: int, last: int) -> Array:
        """Friedman's H², always of exact partial dependence, (n_tuples, n_outputs)."""
        if self._degree != 2 or not self._shares:
            return np.full((last - first, self._n_outputs), np.nan)
        if self._method == "interventional":
            return self._last_h2
        group, counts = self._tuples[first:last], self._counts_of(first, last)
        unused = self._zeros(group)
        return _native.pair_tables(self._grid.paths, self._shares[0], group, counts, unused, self._n_threads)

    def _zeros(self, group: NDArray[np.int32]) -> Array:
        """Memory for the tables of a group: numpy's, which asks for large pages."""
        return np.zeros(int(self._grid.n_cells(group).sum()) * self._n_outputs)


def largest_raw(grid: Grid) -> float:
    """Largest |baseline| and |leaf value| of each tree, added up: no raw is larger."""
    e = grid.ensemble
    base = float(np.abs(e.baseline).max(initial=0.0))
    size = np.abs(np.where((e.feature < 0)[:, None], e.value, 0.0)).max(axis=1, initial=0.0)
    return base + (float(np.maximum.reduceat(size, e.tree_start[:-1]).sum()) if e.n_trees else 0.0)


def _nothing(table: Array) -> Array:
    return np.broadcast_to(np.float64(np.nan), table.shape)

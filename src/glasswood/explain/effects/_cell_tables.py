"""CellTable: value, spread, weight and H² of a tuple of features by every method; the second half of explanations."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._native import FREE, REPLACED
from glasswood._powers import times_power
from glasswood.explain.effects._cell_grid import Grid
from glasswood.explain.effects._row_sums import FinishedSums, roles
from glasswood.results import weighted_mean

Array = NDArray[np.float64]

_FORMULAS = _native.formula_names()
_GROUP_CELLS = 8_000_000  # cells of one call: enough to fill all threads, little enough to show progress


@dataclass(frozen=True, slots=True, eq=False)
class CellTable:
    """One tuple of features; arrays are (n_outputs, cells …)."""

    features: NDArray[np.int32]  # (degree,)
    value: Array
    spread: Array
    weight: Array
    baseline: Array  # (n_outputs,) weighted mean of value
    h2: Array  # (n_outputs,) NaN where it has no meaning
    term_sd: Array  # (n_outputs,) likewise


def _groups(grid: Grid, tuples: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    cells = grid.n_cells(tuples) * grid.ensemble.n_outputs
    first, total = 0, 0
    for i, n in enumerate(cells.tolist()):
        if total + n > _GROUP_CELLS and i > first:
            yield first, i
            first, total = i, 0
        total += n
    if len(cells):
        yield first, len(cells)


class TableSource:
    """Everything the tables of tuples are made from, prepared once."""

    def __init__(
        self, grid: Grid, tuples: NDArray[np.int32], method: str, sums: FinishedSums | None, n_threads: int
    ) -> None:
        self._grid, self._tuples, self._method, self._n_threads = grid, tuples, method, n_threads
        self._degree, self._n_outputs = tuples.shape[1], grid.ensemble.n_outputs
        self._start = np.concatenate([[0], np.cumsum(grid.n_cells(tuples))])
        self._counts = None if sums is None else sums.weight
        self._moments = None if sums is None else sums.moments
        self._shares = [] if sums is None else sums.shares
        if method == "path" and self._degree <= 2:
            self._by_weight = _native.path_shares(grid.paths, roles(grid, tuples, FREE), self._degree)

    def groups(self) -> Iterator[list[CellTable]]:
        """Tables of all tuples, a group at a time."""
        for first, last in _groups(self._grid, self._tuples):
            yield self._tables(first, last)

    def margins(self) -> dict[int, Array]:
        """Effect of every single feature of the pairs, as `effects` gives it, (n_outputs, cells)."""
        singles = np.unique(self._tuples).astype(np.int32).reshape(-1, 1)
        value, weight = self._observed_margins(singles) if self._moments is not None else self._margins(singles)
        base = self._baselines(value, weight)
        power = self._grid.value_power
        return {int(f): times_power(v - b[:, None], power) for (f,), v, b in zip(singles, value, base, strict=True)}

    def _margins(self, singles: NDArray[np.int32]) -> tuple[list[Array], list[Array]]:
        mass: list[Array] = []
        if self._method in _FORMULAS:
            flats = self._zeros(singles), self._zeros(singles), self._zeros(singles)
            _native.leaf_tables(self._grid.paths, singles, self._method, *flats, self._n_threads)
            value, _, mass = (self._grid.split(flat, singles, self._n_outputs) for flat in flats)
        else:
            value = self._single(singles)
        if self._counts is not None:
            return value, [np.tile(count, (self._n_outputs, 1)) for count in self._single_counts(singles)]
        if self._method == "path":
            flat = self._zeros(singles)
            _native.single_mass(self._grid.paths, singles, flat, self._n_threads)
            mass = self._grid.split(flat, singles, self._n_outputs)
        return value, mass

    def _observed_margins(self, singles: NDArray[np.int32]) -> tuple[list[Array], list[Array]]:
        """Means of the rows in the cells of one feature, from those in the cells of pairs."""
        assert self._moments is not None
        value, weight = [], []
        for f, counts in zip(singles[:, 0], self._single_counts(singles), strict=True):
            p, d = self._pair_with(int(f))
            shape = (self._n_outputs, *self._grid.size[self._tuples[p]])
            mean = self._moments[0][:, self._start[p] : self._start[p + 1]].reshape(shape)
            count = self._counted(p, p + 1)[0]
            with np.errstate(invalid="ignore", divide="ignore"):
                value.append(np.sum(np.where(count > 0, count * mean, 0.0), axis=2 - d) / counts)
            weight.append(np.tile(counts, (self._n_outputs, 1)))
        return value, weight

    def _single_counts(self, singles: NDArray[np.int32]) -> list[Array]:
        """Weight of the rows in the cells of single features, from those of pairs."""
        out = []
        for f in singles[:, 0]:
            p, d = self._pair_with(int(f))
            out.append(self._counted(p, p + 1)[0][0].sum(axis=1 - d))
        return out

    def _pair_with(self, feature: int) -> tuple[int, int]:
        """Some tuple that holds the feature, and where."""
        at = np.argwhere(self._tuples == feature)[0]
        return int(at[0]), int(at[1])

    def _tables(self, first: int, last: int) -> list[CellTable]:
        """Tables of tuples [first, last)."""
        group = self._tuples[first:last]
        value, spread, mass, scores = self._values(first, last)
        weight = self._counted(first, last) if self._counts is not None else mass
        if scores is None:
            scores = [self._baselines(value, weight), *self._row_scores(first, last)]
        tables = [CellTable(*parts) for parts in zip(group, value, spread, weight, *scores, strict=True)]
        return [self._of_the_model(table) for table in tables]

    def _of_the_model(self, table: CellTable) -> CellTable:
        """A table in the model's own numbers instead of those of ordinary size."""
        power, weight_power = self._grid.value_power, self._grid.weight_power if self._counts is None else 0
        if not power and not weight_power:
            return table
        return CellTable(
            features=table.features,
            value=times_power(table.value, power),
            spread=times_power(table.spread, power),
            weight=times_power(table.weight, weight_power),
            baseline=times_power(table.baseline, power),
            h2=table.h2,
            term_sd=times_power(table.term_sd, power),
        )

    def _values(self, first: int, last: int) -> tuple[list[Array], list[Array], list[Array], list[Array] | None]:
        """Value, spread and, without rows, training mass; with baseline, H² and sd of the term where at hand."""
        group = self._tuples[first:last]
        if self._method == "observed":
            return (*self._observed(first, last), [], None)
        if self._method in _FORMULAS:
            return self._published(group)
        if self._degree == 2:
            return self._pairs(first, last)
        value = self._joint(first, last) if self._degree > 2 else self._single(group)
        nothing = [_nothing(table) for table in value]
        return value, nothing, [] if self._counts is not None else self._mass(group), None

    def _published(self, group: NDArray[np.int32]) -> tuple[list[Array], list[Array], list[Array], list[Array] | None]:
        flats = self._zeros(group), self._zeros(group), self._zeros(group)
        baseline = _native.leaf_tables(self._grid.paths, group, self._method, *flats, self._n_threads)
        value, spread, mass = (self._grid.split(flat, group, self._n_outputs) for flat in flats)
        unknown = np.full(baseline.shape, np.nan)
        return value, spread, mass, None if self._counts is not None else [baseline, unknown, unknown]

    def _single(self, group: NDArray[np.int32]) -> list[Array]:
        """Partial dependence of single features, by rows or by training weight."""
        shares = self._shares[0] if self._method == "interventional" else self._by_weight
        flat = _native.effect_terms(self._grid.paths, shares, group)
        mean = _native.mean_raw(self._grid.paths, shares)
        return [table + mean[:, None] for table in self._grid.split(flat, group, self._n_outputs)]

    def _pairs(self, first: int, last: int) -> tuple[list[Array], list[Array], list[Array], list[Array] | None]:
        """Partial dependence of pairs, by rows or by training weight."""
        group = self._tuples[first:last]
        split = partial(self._grid.split, tuples=group, n_outputs=self._n_outputs)
        paths, out = self._grid.paths, self._empty(group)
        if self._method == "interventional":
            counts = self._counts_of(first, last)
            scores = list(_native.pair_tables(paths, self._shares[0], group, counts, out, None, self._n_threads))
            value = split(out)
            return value, [_nothing(table) for table in value], [], scores
        mass = self._empty(group)
        scores = list(_native.pair_tables(paths, self._by_weight, group, None, out, mass, self._n_threads))
        value = split(out)
        return value, [_nothing(table) for table in value], split(mass), None if self._counts is not None else scores

    def _baselines(self, value: list[Array], weight: list[Array]) -> Array:
        return np.array(
            [[weighted_mean(v, w) for v, w in zip(*both, strict=True)] for both in zip(value, weight, strict=True)]
        )

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
                shares = _native.path_shares(self._grid.paths, roles(self._grid, row, REPLACED), 0)
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
        if self._degree == 1:
            _native.single_mass(self._grid.paths, group, flat, self._n_threads)
        else:
            rest = self._zeros(group), self._zeros(group)
            _native.leaf_tables(self._grid.paths, group, "shared", *rest, flat, self._n_threads)
        return self._grid.split(flat, group, self._n_outputs)

    def _row_scores(self, first: int, last: int) -> list[Array]:
        """H² and sd of the term, always of exact partial dependence at the rows, (n_tuples, n_outputs) each."""
        if self._degree != 2 or not self._shares:
            return [np.full((last - first, self._n_outputs), np.nan)] * 2
        group, counts = self._tuples[first:last], self._counts_of(first, last)
        unused = self._empty(group)
        found = _native.pair_tables(self._grid.paths, self._shares[0], group, counts, unused, None, self._n_threads)
        return list(found[1:])

    def _zeros(self, group: NDArray[np.int32]) -> Array:
        """Memory for the tables of a group: numpy's, which asks for large pages."""
        return np.zeros(int(self._grid.n_cells(group).sum()) * self._n_outputs)

    def _empty(self, group: NDArray[np.int32]) -> Array:
        """The same, for kernels that write every cell."""
        return np.empty(int(self._grid.n_cells(group).sum()) * self._n_outputs)


def _nothing(table: Array) -> Array:
    return np.broadcast_to(np.float64(np.nan), table.shape)

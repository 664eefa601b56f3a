"""Coarse pairs: exact joint effects of pairs, averaged over the rows of quantile cells, and what that leaves out."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_group_sums, exact_mean
from glasswood._powers import times_power
from glasswood.explain.effects._coarse_cells import CoarseCells, coarse_cells
from glasswood.explain.effects._purify import purify_outputs
from glasswood.explain.effects._row_terms import RowTerms, TermRows, rounding_noise
from glasswood.results import Interaction, Interactions, LazyTable, outputs_last

Array = NDArray[np.float64]


def coarse_interactions(terms: RowTerms, resolution: int) -> Interactions:
    """Tables of all pairs whose terms have a column."""
    coarse = CoarsePairs(terms.rows, resolution)
    return coarse.result(coarse.tables(terms))


class CoarsePairs:
    """Makes the tables of pairs whose terms are known at the rows."""

    def __init__(self, rows: TermRows, resolution: int) -> None:
        self._rows, self._resolution = rows, resolution
        self._mean = rows.moments(rows.raw)[0]
        self._known: dict[int, tuple[CoarseCells, NDArray[np.int64]]] = {}

    def tables(self, terms: RowTerms) -> list[Interaction]:
        """Tables of all pairs that have a column."""
        return [self._table(terms, tuple(pair), terms.columns[p]) for p, pair in enumerate(terms.pairs.tolist())]

    def result(self, tables: list[Interaction]) -> Interactions:
        """Put all tables together."""
        ensemble = self._rows.grid.ensemble
        return Interactions(
            tables=tuple(tables),
            names=ensemble.feature_names,
            degree=2,
            method="interventional",
            outputs=ensemble.outputs,
            kind=self._rows.kind,
            resolution=self._resolution,
        )

    def _axis(self, feature: int) -> tuple[CoarseCells, NDArray[np.int64]]:
        """Cells of a feature, and the one that each row is in."""
        if feature not in self._known:
            cell, cells = self._rows.cell(feature), self._rows.grid.cells[feature]
            coarse = coarse_cells(cells, exact_group_sums(cell, self._rows.weight, len(cells)), self._resolution)
            self._known[feature] = coarse, coarse.owner[cell]
        return self._known[feature]

    def _table(self, terms: RowTerms, pair: tuple[int, ...], term: Array) -> Interaction:
        rows, n_outputs = self._rows, self._rows.raw.shape[1]
        axes, at = zip(*(self._axis(f) for f in pair), strict=True)
        shape = tuple(len(axis.cells) for axis in axes)
        cell = np.ravel_multi_index(at, shape)
        weight = exact_group_sums(cell, rows.weight, int(np.prod(shape)))
        alone = [rows.at_rows(f, terms.singles[f]) for f in pair]
        joint = alone[0] + alone[1] + term
        exact = np.stack([self._mean[o] + self._averages(cell, joint[:, o], weight) for o in range(n_outputs)])
        scores = [self._scores(cell, term[:, o], joint[:, o], weight) for o in range(n_outputs)]
        h2, term_sd, kept = (np.array(part) for part in zip(*scores, strict=True))
        power = rows.grid.value_power
        baseline = _one_or_all(times_power(np.array([exact_mean(table, weight) for table in exact]), power))
        value = times_power(outputs_last(exact.reshape(n_outputs, *shape)), power)
        of_cells = outputs_last(np.broadcast_to(weight.reshape(shape), (n_outputs, *shape)))
        return Interaction(
            features=tuple(axis.cells.feature for axis in axes),
            cells=tuple(axis.cells for axis in axes),
            value=value,
            spread=np.broadcast_to(np.float64(np.nan), shape if n_outputs == 1 else (*shape, n_outputs)),
            weight=of_cells,
            baseline=baseline,
            h2=_one_or_all(h2),
            term_sd=_one_or_all(times_power(term_sd, power)),
            alone=tuple(
                times_power(outputs_last(self._effect(f, by_row)), power) for f, by_row in zip(pair, alone, strict=True)
            ),
            method="interventional",
            outputs=rows.grid.ensemble.outputs,
            kind=rows.kind,
            kept=_one_or_all(kept),
            _effect=LazyTable(partial(np.subtract, value, baseline)),
            _interaction=LazyTable(partial(purify_outputs, value, of_cells, n_outputs)),
        )

    def _averages(self, cell: NDArray[np.int64], values: Array, weight: Array) -> Array:
        """Weighted mean of the rows of each cell; NaN where there are none."""
        total = exact_group_sums(cell, self._rows.weight * values, len(weight))
        return np.asarray(np.divide(total, weight, out=np.full(len(weight), np.nan), where=weight > 0))

    def _effect(self, feature: int, by_row: Array) -> Array:
        """Effect of one feature in its coarse cells, (n_outputs, cells)."""
        axis, at = self._axis(feature)
        weight = exact_group_sums(at, self._rows.weight, len(axis.cells))
        means = [exact_mean(column, self._rows.weight) for column in by_row.T]
        return np.stack([self._averages(at, by_row[:, o] - mean, weight) for o, mean in enumerate(means)])

    def _scores(self, cell: NDArray[np.int64], term: Array, joint: Array, weight: Array) -> tuple[float, float, float]:
        """H², sd of the exact term at the rows, and the share of its variance that the means of the cells keep."""
        of_term, of_joint = (self._variance(values) for values in (term, joint))
        noise = rounding_noise(self._rows.grid)
        h2 = 0.0 if of_joint <= noise else of_term / of_joint
        if of_term <= noise:
            return h2, 0.0, 1.0
        within = exact_mean((term - self._averages(cell, term, weight)[cell]) ** 2, self._rows.weight)
        return h2, float(np.sqrt(of_term)), max(0.0, 1.0 - within / of_term)

    def _variance(self, values: Array) -> float:
        mean = exact_mean(values, self._rows.weight)
        return exact_mean((values - mean) ** 2, self._rows.weight)


def _one_or_all(values: Array) -> Any:
    """The number of the only output, or those of all."""
    return float(values[0]) if len(values) == 1 else values

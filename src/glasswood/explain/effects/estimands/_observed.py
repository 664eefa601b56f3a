"""Observed: the mean prediction of the rows in each cell."""

import numpy as np

from glasswood.explain.effects._row_sums import FinishedMoments
from glasswood.explain.effects.estimands._tables import Array, CellTable, Tuples
from glasswood.explain.effects.estimands._weighing import ByRows


class Observed:
    """Means of raw over the rows in a cell, and their standard errors."""

    def __init__(self, tuples: Tuples, rows: ByRows, moments: FinishedMoments) -> None:
        self._tuples, self._rows, self._moments = tuples, rows, moments

    def singles(self, some: slice) -> list[CellTable]:
        """Tables of single features."""
        mean = self._split(self._moments.mean, some)
        error = self._split(self._moments.error, some)
        return self._tuples[some].tables(mean, error, self._rows.weigh(some, mean), self._rows.power)

    def pairs(self, some: slice) -> list[CellTable]:
        """Tables of pairs."""
        mean = self._split(self._moments.mean, some)
        error = self._split(self._moments.error, some)
        return self._tuples[some].tables(mean, error, self._rows.weigh_pairs(some, mean), self._rows.power)

    def joint(self, some: slice) -> list[CellTable]:
        """Tables of more than two features."""
        return self.singles(some)

    def margins(self) -> dict[int, Array]:
        """Effect of every feature, from the means in the cells of a pair that contains it."""
        singles = self._tuples.singles()
        value = []
        for f, counts in zip(singles.features[:, 0].tolist(), self._rows.margin_counts(singles), strict=True):
            p, d = self._rows.pair_with(f)
            pair = slice(p, p + 1)
            mean, count = self._split(self._moments.mean, pair)[0], self._rows.weights(pair)[0]
            with np.errstate(invalid="ignore", divide="ignore"):
                value.append(np.sum(np.where(count > 0, count * mean, 0.0), axis=2 - d) / counts)
        return singles.margins(value, self._rows.weigh_margins(singles))

    def _split(self, moment: Array, some: slice) -> list[Array]:
        """Tables of some tuples from an array over all cells, (n_outputs, n_cells)."""
        group = self._tuples[some]
        ends = np.cumsum(group.grid.n_cells(group.features))[:-1]
        parts = np.split(moment[:, self._rows.cells(some)], ends, axis=1)
        return [part.reshape(-1, *group.grid.size[row]) for part, row in zip(parts, group.features, strict=True)]

"""Interval: the published formulas, which spread the value of each leaf over the cells of its interval."""

import numpy as np

from glasswood import _native
from glasswood.explain.effects.estimands._tables import Array, CellTable, Scores, Tuples, Weighed
from glasswood.explain.effects.estimands._weighing import Weighing


class Interval:
    """One of the formulas `shared`, `leafmean` and `treemind`; they need no rows and have no interactions."""

    def __init__(self, tuples: Tuples, weighing: Weighing, formula: str) -> None:
        self._tuples, self._weighing, self._formula = tuples, weighing, formula

    def singles(self, some: slice) -> list[CellTable]:
        """Tables of single features."""
        group = self._tuples[some]
        value, spread, own = self._by_formula(group)
        return group.tables(value, spread, self._weighing.weigh(some, value, lambda: own), self._weighing.power)

    def pairs(self, some: slice) -> list[CellTable]:
        """Tables of pairs."""
        group = self._tuples[some]
        value, spread, own = self._by_formula(group)
        return group.tables(value, spread, self._weighing.weigh_pairs(some, value, lambda: own), self._weighing.power)

    def joint(self, some: slice) -> list[CellTable]:
        """Tables of more than two features."""
        return self.singles(some)

    def margins(self) -> dict[int, Array]:
        """Effect of every feature of the pairs."""
        singles = self._tuples.singles()
        value, _, own = self._by_formula(singles)
        return singles.margins(value, self._weighing.weigh_margins(singles, lambda: own.weight))

    def _by_formula(self, group: Tuples) -> tuple[list[Array], list[Array], Weighed]:
        """Values, spreads, and training weights with the weighted means."""
        flats = group.zeros(), group.zeros(), group.zeros()
        baseline = _native.leaf_tables(group.grid.paths, group.features, self._formula, *flats, group.n_threads)
        value, spread, mass = (group.split(flat) for flat in flats)
        return value, spread, Weighed(mass, Scores.of_means(np.asarray(baseline)))

"""Path: partial dependence with the training weights of the nodes instead of rows."""

from collections.abc import Callable
from typing import Any

from glasswood import _native
from glasswood._derived import derived
from glasswood._native import FREE, REPLACED, LeafShares
from glasswood.explain.effects._row_sums import roles
from glasswood.explain.effects.estimands._partial_dependence import joint_tables, single_tables
from glasswood.explain.effects.estimands._tables import Array, CellTable, Scores, Tuples, Weighed, means, no_spread
from glasswood.explain.effects.estimands._weighing import Weighing


class PathDependent:
    """The mean of raw, where splits on other features average both sides by their training weights."""

    def __init__(self, tuples: Tuples, weighing: Weighing) -> None:
        self._tuples, self._weighing = tuples, weighing
        self._derived: dict[str, Any] = {}

    def singles(self, some: slice) -> list[CellTable]:
        """Tables of single features."""
        group = self._tuples[some]
        value = single_tables(group, self._shares())
        return self._tables(some, value, lambda: _single_mass(group))

    def pairs(self, some: slice) -> list[CellTable]:
        """Tables of pairs."""
        group = self._tuples[some]
        out, mass = group.empty(), group.empty()
        scores = Scores(
            *_native.pair_tables(group.grid.paths, self._shares(), group.features, None, out, mass, group.n_threads)
        )
        value = group.split(out)
        weighed = self._weighing.weigh_pairs(some, value, lambda: Weighed(group.split(mass), scores))
        return group.tables(value, no_spread(value), weighed, self._weighing.power)

    def joint(self, some: slice) -> list[CellTable]:
        """Tables of more than two features."""
        group = self._tuples[some]
        grid = group.grid
        rows = (group.features[i : i + 1] for i in range(len(group)))
        shares = (_native.path_shares(grid.paths, roles(grid, row, REPLACED), 0) for row in rows)
        return self._tables(some, joint_tables(group, shares), lambda: _joint_mass(group))

    def margins(self) -> dict[int, Array]:
        """Effect of every feature of the pairs."""
        singles = self._tuples.singles()
        weight = self._weighing.weigh_margins(singles, lambda: _single_mass(singles))
        return singles.margins(single_tables(singles, self._shares()), weight)

    def _shares(self) -> LeafShares:
        """Shares of single features and of pairs, computed once."""
        grid, features, degree = self._tuples.grid, self._tuples.features, self._tuples.degree
        return derived(
            self._derived, "shares", lambda: _native.path_shares(grid.paths, roles(grid, features, FREE), degree)
        )

    def _tables(self, some: slice, value: list[Array], mass: Callable[[], list[Array]]) -> list[CellTable]:
        def own() -> Weighed:
            weight = mass()
            return Weighed(weight, Scores.of_means(means(value, weight)))

        weighed = self._weighing.weigh(some, value, own)
        return self._tuples[some].tables(value, no_spread(value), weighed, self._weighing.power)


def _single_mass(group: Tuples) -> list[Array]:
    """Training weight in the cells of single features."""
    flat = group.zeros()
    _native.single_mass(group.grid.paths, group.features, flat, group.n_threads)
    return group.split(flat)


def _joint_mass(group: Tuples) -> list[Array]:
    """Training weight in the cells of several features; that of each leaf is spread evenly over its cells."""
    flat = group.zeros()
    _native.leaf_tables(group.grid.paths, group.features, "shared", group.zeros(), group.zeros(), flat, group.n_threads)
    return group.split(flat)

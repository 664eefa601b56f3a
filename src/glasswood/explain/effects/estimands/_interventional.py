"""Interventional: partial dependence over the rows of the table."""

from glasswood import _native
from glasswood._native import LeafShares
from glasswood.explain.effects.estimands._partial_dependence import joint_tables, single_tables
from glasswood.explain.effects.estimands._tables import Array, CellTable, Scores, Tuples, Weighed, no_spread
from glasswood.explain.effects.estimands._weighing import ByRows


class Interventional:
    """The mean of raw over the rows when the features of a tuple take the values of a cell."""

    def __init__(self, tuples: Tuples, rows: ByRows, shares: list[LeafShares]) -> None:
        self._tuples, self._rows = tuples, rows
        self._shares = shares  # one for all single features or pairs; for more features, one per tuple

    def singles(self, some: slice) -> list[CellTable]:
        """Tables of single features."""
        group = self._tuples[some]
        value = single_tables(group, self._shares[0])
        return group.tables(value, no_spread(value), self._rows.weigh(some, value), self._rows.power)

    def pairs(self, some: slice) -> list[CellTable]:
        """Tables of pairs."""
        group, out = self._tuples[some], self._tuples[some].empty()
        counts = self._rows.counts(some)
        scores = Scores(
            *_native.pair_tables(group.grid.paths, self._shares[0], group.features, counts, out, None, group.n_threads)
        )
        value = group.split(out)
        return group.tables(value, no_spread(value), Weighed(self._rows.weights(some), scores), self._rows.power)

    def joint(self, some: slice) -> list[CellTable]:
        """Tables of more than two features."""
        group = self._tuples[some]
        value = joint_tables(group, self._shares[some])
        return group.tables(value, no_spread(value), self._rows.weigh(some, value), self._rows.power)

    def margins(self) -> dict[int, Array]:
        """Effect of every feature of the pairs."""
        singles = self._tuples.singles()
        return singles.margins(single_tables(singles, self._shares[0]), self._rows.weigh_margins(singles))

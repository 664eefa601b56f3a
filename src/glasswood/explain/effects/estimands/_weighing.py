"""Weighing: whether the cells of a table are weighted by the given rows or by the training rows."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from glasswood import _native
from glasswood.explain.effects._row_sums import FinishedSums
from glasswood.explain.effects.estimands._tables import Array, Scores, Tuples, Weighed, means


class Weighing(Protocol):
    """Weights of cells. `own` computes the weights of an estimand itself, from training weights."""

    @property
    def power(self) -> int:
        """Power of two by which the weights are scaled."""

    def weigh(self, some: slice, value: Sequence[Array], own: Callable[[], Weighed]) -> Weighed:
        """Weigh tables of single features, or of more than two."""

    def weigh_pairs(self, some: slice, value: Sequence[Array], own: Callable[[], Weighed]) -> Weighed:
        """Weigh tables of pairs, which have an H²."""

    def weigh_margins(self, singles: Tuples, own: Callable[[], Sequence[Array]]) -> Sequence[Array]:
        """Weights of the cells of every single feature of the pairs."""


class ByTraining:
    """Cells are weighted by the training rows in them, as far as the nodes of the model tell."""

    def __init__(self, tuples: Tuples) -> None:
        self._power = tuples.grid.weight_power

    @property
    def power(self) -> int:
        """Power of two by which the weights of nodes are scaled."""
        return self._power

    def weigh(self, some: slice, value: Sequence[Array], own: Callable[[], Weighed]) -> Weighed:
        """Take the weights of the estimand."""
        return own()

    def weigh_pairs(self, some: slice, value: Sequence[Array], own: Callable[[], Weighed]) -> Weighed:
        """Take the weights of the estimand."""
        return own()

    def weigh_margins(self, singles: Tuples, own: Callable[[], Sequence[Array]]) -> Sequence[Array]:
        """Take the weights of the estimand."""
        return own()


class ByRows:
    """Cells are weighted by the given rows, for every estimand; H² is that of exact partial dependence."""

    power = 0

    def __init__(self, tuples: Tuples, sums: FinishedSums) -> None:
        self._tuples, self._sums = tuples, sums
        self._start = np.concatenate([[0], np.cumsum(tuples.grid.n_cells(tuples.features))])

    def cells(self, some: slice) -> slice:
        """Positions of the cells of some tuples among those of all tuples."""
        return slice(int(self._start[some.start]), int(self._start[some.stop]))

    def counts(self, some: slice) -> Array:
        """Weight of the rows in each cell, table after table."""
        return self._sums.weight[self.cells(some)]

    def weights(self, some: slice) -> list[Array]:
        """The same as tables, equal for all outputs."""
        group = self._tuples[some]
        tables = group.grid.split(self.counts(some), group.features, 1)
        return [np.broadcast_to(table, (group.n_outputs, *table.shape[1:])) for table in tables]

    def weigh(self, some: slice, value: Sequence[Array], own: object = None) -> Weighed:
        """Weigh by rows."""
        weight = self.weights(some)
        return Weighed(weight, Scores.of_means(means(value, weight)))

    def weigh_pairs(self, some: slice, value: Sequence[Array], own: object = None) -> Weighed:
        """Weigh by rows, with H² and the standard deviation of the term at the rows."""
        group, weight = self._tuples[some], self.weights(some)
        _, h2, term_sd = _native.pair_tables(
            group.grid.paths,
            self._sums.shares[0],
            group.features,
            self.counts(some),
            group.empty(),
            None,
            group.n_threads,
        )
        return Weighed(weight, Scores(means(value, weight), h2, term_sd))

    def weigh_margins(self, singles: Tuples, own: object = None) -> list[Array]:
        """Add up the weights of the cells of a pair that contains the feature."""
        return [np.tile(count, (singles.n_outputs, 1)) for count in self.margin_counts(singles)]

    def margin_counts(self, singles: Tuples) -> list[Array]:
        """Weight of the rows in the cells of every single feature of the pairs."""
        out = []
        for f in singles.features[:, 0].tolist():
            p, d = self.pair_with(f)
            out.append(self.weights(slice(p, p + 1))[0][0].sum(axis=1 - d))
        return out

    def pair_with(self, feature: int) -> tuple[int, int]:
        """A pair that contains the feature, and its position there."""
        at = np.argwhere(self._tuples.features == feature)[0]
        return int(at[0]), int(at[1])

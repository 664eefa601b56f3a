"""Rounds: the trees of one round of boosting, from gradients and draws to the update of raw."""

import time

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.team import ALONE, Exchange, add_up, draw_rows
from glasswood.train.boosting._boosted_table import BoostedTable
from glasswood.train.boosting._losses import Loss
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._round_threads import RoundThreads
from glasswood.train.boosting._tree_source import OutputRows, TreeSource

_COLUMN_STREAM = 2**62  # streams of random numbers from here on draw columns, smaller ones draw rows
_ROUNDING_STREAM = 2**32  # from here on, one stream per tree for the rounding of gradients
_BY_POSITION = np.empty(0, dtype=np.int64)


class Rounds:
    """Grows the trees of one round and adds them to the raw values of the training table."""

    def __init__(
        self,
        train: BoostedTable,
        trees: TreeSource,
        loss: Loss,
        options: BoostingOptions,
        seed: int,
        n_threads: int,
        team: Exchange = ALONE,
    ) -> None:
        self.train, self.trees, self.loss, self.options = train, trees, loss, options
        self.seed, self.round_threads = seed, RoundThreads(n_threads)
        self.gradient, self.hessian = np.empty_like(train.raw_by_output), np.empty_like(train.raw_by_output)
        weight = train.table.weight
        self.rows = np.flatnonzero(weight > 0).astype(np.uint32) if len(weight) else train.all_rows
        self.team, self.n_rows = team, int(add_up(team, [len(self.rows)])[0])  # of all members
        # rows without weight are not trained on, but their raw is updated
        self.resting = np.flatnonzero(weight == 0).astype(np.uint32)
        self.columns = np.arange(train.bins.shape[1], dtype=np.uint32)

    def grow(self, number: int) -> list[_native.GrownTree]:
        """Grow one tree per output."""
        begun = time.perf_counter()
        trees = self._grow(number, self.round_threads.threads)
        self.round_threads.note(time.perf_counter() - begun)
        return trees

    def _grow(self, number: int, threads: int) -> list[_native.GrownTree]:
        table, raw_by_output = self.train.table, self.train.raw_by_output
        self.loss.fill(table.y, raw_by_output, table.weight, self.gradient, self.hessian, threads)
        n_drawn = max(1, round(self.options.subsample * self.n_rows))
        drawn, left_out = self.rows, self.rows[:0]
        if n_drawn < self.n_rows:
            drawn, left_out = draw_rows(self.team, self.rows, table.row_id, n_drawn, self.seed, number)
        first = number * len(raw_by_output)
        columns = [self._columns(first + k) for k in range(len(raw_by_output))]
        if self.loss.leaf_quantile is None:
            given = OutputRows(
                self.gradient,
                self.hessian,
                raw_by_output,
                drawn,
                columns,
                first_stream=_ROUNDING_STREAM + first,
                rate=self.options.learning_rate,
            )
            trees = self.trees.grow_outputs(given, threads)
        else:
            trees = [self._grow_quantile(drawn, columns[0], _ROUNDING_STREAM + first, threads)]
        for tree, raw in zip(trees, raw_by_output, strict=True):
            self.train.add(tree, left_out, raw, threads)
            self.train.add(tree, self.resting, raw, threads)
        return trees

    def _grow_quantile(
        self, rows: NDArray[np.uint32], columns: NDArray[np.uint32], stream: int, threads: int
    ) -> _native.GrownTree:
        """Grow the tree of a loss with one output whose leaves are quantiles of residuals."""
        (raw,), quantile = self.train.raw_by_output, self.loss.leaf_quantile
        assert quantile is not None
        tree = self.trees.grow(self.gradient[0], self.hessian[0], rows, columns, stream, threads)
        self.trees.refit_leaves(tree, raw, quantile, threads)
        tree.scale(self.options.learning_rate)
        self.trees.add(tree, raw, threads)
        return tree

    def _columns(self, tree: int) -> NDArray[np.uint32]:
        wanted = max(1, round(self.options.colsample * len(self.columns)))
        if wanted >= len(self.columns):
            return self.columns
        return _native.choose_rows(self.columns, _BY_POSITION, wanted, self.seed, _COLUMN_STREAM + tree)[0]

"""Rounds: the trees of one round of boosting, from gradients and draws to the update of raw."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import AlignedRows
from glasswood.team import ALONE, Exchange
from glasswood.train.boosting._boosted_table import BoostedTable, WatchedTable, start_table
from glasswood.train.boosting._draws import ROUNDING_STREAM, Draws
from glasswood.train.boosting._fit_plan import FitPlan
from glasswood.train.boosting._losses import Loss
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._round_threads import RoundThreads
from glasswood.train.boosting._table import BoostingTable
from glasswood.train.boosting._tree_source import LocalTrees, OutputRows, TreeSource, TreeSourceMaker, make_rules


class RoundSource(Protocol):
    """Grows rounds; only the source itself looks into a grown tree."""

    @property
    def tables(self) -> Sequence[WatchedTable]:
        """The training table first."""
        ...

    @property
    def n_outputs(self) -> int:
        """Trees per round."""
        ...

    @property
    def threads(self) -> int:
        """Threads of the next round."""
        ...

    def grow(self, number: int) -> Sequence[Any]:
        """Grow one tree per output and add it to the raw of every table."""
        ...

    def record(self, trees: Sequence[Any]) -> dict[str, NDArray[Any]] | None:
        """The trees of a round for `replay`; None if another fit cannot go on after them."""
        ...

    def replay(self, trees: Mapping[str, NDArray[Any]]) -> Sequence[Any]:
        """Add the trees of a round that was grown before, as `record` returned them, to the raw of every table."""
        ...

    def stop(self) -> None:
        """Wait for what is under way; called when rounds end before their time, by an error or Ctrl-C."""
        ...

    def join(self, trees: Sequence[Any]) -> dict[str, NDArray[Any]]:
        """The arrays of the given trees, as `_native.join_trees` returns them."""
        ...


class RoundSourceMaker(Protocol):
    """Prepares the rounds of a fit."""

    def __call__(self, plan: FitPlan, done: int) -> RoundSource:
        """Start after `done` earlier rounds."""
        ...


class Rounds:
    """Grows the trees of one round and adds them to the raw values of every table."""

    def __init__(
        self,
        tables: Sequence[BoostedTable],  # the training table first
        trees: TreeSource,
        loss: Loss,
        options: BoostingOptions,
        seed: int,
        n_threads: int,
        team: Exchange = ALONE,
        *,
        shared: bool = False,
    ) -> None:
        self.tables, self.train, self.trees, self.loss, self.options = tables, tables[0], trees, loss, options
        self.shared = shared
        self.round_threads = RoundThreads(n_threads)
        self.gradient, self.hessian = np.empty_like(self.train.raw_by_output), np.empty_like(self.train.raw_by_output)
        self.draws = Draws(self.train.table, self.train.bins.shape[1], options, seed, team)

    @property
    def n_outputs(self) -> int:
        """Trees per round."""
        return len(self.train.raw_by_output)

    @property
    def threads(self) -> int:
        """Threads of the next round."""
        return self.round_threads.threads

    def stop(self) -> None:
        """Nothing: a round is done when `grow` returns."""

    def join(self, trees: Sequence[_native.GrownTree]) -> dict[str, NDArray[Any]]:
        """Join the arrays of trees."""
        return _native.join_trees(list(trees))

    def grow(self, number: int) -> list[_native.GrownTree]:
        """Grow one tree per output and add it to every table."""
        begun = time.perf_counter()
        trees = self._grow(number, self.threads)
        self.round_threads.note(time.perf_counter() - begun)
        for table in self.tables[1:]:
            for tree, raw in zip(trees, table.raw_by_output, strict=True):
                table.add(tree, table.all_rows, raw, self.threads)
        return trees

    def record(self, trees: Sequence[_native.GrownTree]) -> dict[str, NDArray[Any]]:
        """The arrays of the trees."""
        return self.join(trees)

    def replay(self, trees: Mapping[str, NDArray[Any]]) -> list[_native.GrownTree]:
        """Let all rows walk down trees that were grown before: the same additions in the same order."""
        grown = _native.part_trees(**trees)
        for table in self.tables:
            for tree, raw in zip(grown, table.raw_by_output, strict=True):
                table.add(tree, table.all_rows, raw, self.threads)
        return grown

    def _grow(self, number: int, threads: int) -> list[_native.GrownTree]:
        table, raw_by_output = self.train.table, self.train.raw_by_output
        self.loss.fill(table.y, raw_by_output, table.weight, self.gradient, self.hessian, threads)
        drawn, others = self.draws.rows(number)
        first = number * len(raw_by_output)
        if self.shared:
            columns = [self.draws.columns(first)] * len(raw_by_output)
        else:
            columns = [self.draws.columns(first + k) for k in range(len(raw_by_output))]
        if self.loss.leaf_quantile is None:
            given = OutputRows(
                self.gradient,
                self.hessian,
                raw_by_output,
                drawn,
                columns,
                first_stream=ROUNDING_STREAM + first,
                rate=self.options.learning_rate,
                shared=self.shared,
            )
            trees = self.trees.grow_outputs(given, threads)
        else:
            trees = [self._grow_quantile(drawn, columns[0], ROUNDING_STREAM + first, threads)]
        for tree, raw in zip(trees, raw_by_output, strict=True):
            self.train.add(tree, others, raw, threads)
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


def start_rounds(plan: FitPlan, make_trees: TreeSourceMaker) -> Rounds:
    """Prepare rounds in this process; `make_trees` makes the source of trees."""
    binning, options, loss, train = plan.binning, plan.options, plan.loss, plan.train
    by_column = np.empty((0, 0), dtype=np.uint8)
    bins: NDArray[np.uint8] | _native.BundledRows
    if isinstance(train.rows, AlignedRows) and train.rows.is_sparse and make_trees is LocalTrees:
        bins = binning.bundle(train.rows, with_unseen=False)
    else:
        bins, by_column = binning.apply_both(train.rows, plan.n_threads)
    binned = [(train, bins), *((table, _bins_to_walk(plan, table)) for table in plan.tables[1:])]
    tables = [
        start_table(table, its_bins, plan.baseline, plan.grown, plan.n_threads, binning.apply_wide(table.rows))
        for table, its_bins in binned
    ]
    rules = make_rules(binning, loss, options, plan.constraints, weighted=plan.weighted, symmetric=plan.symmetric)
    trees = make_trees(tables[0], by_column, rules, exact=options.statistics == "exact", seed=plan.seed)
    return Rounds(tables, trees, loss, options, plan.seed, plan.n_threads, plan.team, shared=plan.shared)


def _bins_to_walk(plan: FitPlan, table: BoostingTable) -> NDArray[np.uint8] | _native.BundledRows:
    if isinstance(table.rows, AlignedRows) and table.rows.is_sparse:
        return plan.binning.bundle(table.rows, with_unseen=True)
    return plan.binning.apply(table.rows, plan.n_threads)

"""TreeSource: grows the trees of boosting.

`LocalTrees` grows them in this process. Many machines or a GPU can implement the same methods; the loop around
them stays the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import IDENTITY
from glasswood.train.boosting._binning import Binning
from glasswood.train.boosting._boosted_table import BoostedTable
from glasswood.train.boosting._constraints import Constraints
from glasswood.train.boosting._losses import Loss
from glasswood.train.boosting._options import BoostingOptions

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint32]

_LARGEST_STEP = 13.8  # log 10⁶, the largest step of a leaf on a log or logit scale: hessians are at least 10⁻⁶
_NO_LIMIT = 2**32 - 1  # more levels or leaves than there can be rows


@dataclass(frozen=True, slots=True, eq=False)
class OutputRows:
    """What the trees of one round are grown from, one tree per output."""

    gradient: Floats  # (n_outputs, n), as the next two
    hessian: Floats
    raw: Floats
    rows: Numbers
    columns: Sequence[Numbers]  # of each output
    first_stream: int  # that of output k is first_stream + k
    rate: float
    shared: bool = False  # whether the trees ask the same questions; then all outputs have the same columns


class TreeSource(Protocol):
    """Grows trees on the rows of the training table."""

    def grow(
        self, gradient: Floats, hessian: Floats, rows: Numbers, columns: Numbers, stream: int, n_threads: int
    ) -> _native.GrownTree:
        """Grow a tree on these rows and features; `gradient` and `hessian` are (n,), for every row of the table.

        The stream decides how quantised gradients are rounded.
        """
        ...

    def refit_leaves(self, tree: _native.GrownTree, raw: Floats, quantile: float, n_threads: int) -> None:
        """Set the leaves of the last tree to this quantile of the residuals of their rows; `raw` is (n,)."""
        ...

    def add(self, tree: _native.GrownTree, raw: Floats, n_threads: int) -> None:
        """Add the values of the last tree to the raw of the rows it was grown on; `raw` is (n,)."""
        ...

    def grow_outputs(self, given: OutputRows, n_threads: int) -> list[_native.GrownTree]:
        """Grow a tree per output, scale its values by the rate and add them to raw."""
        ...


class TreeSourceMaker(Protocol):
    """Makes a source of trees for a fit."""

    def __call__(
        self,
        train: BoostedTable,
        by_column: NDArray[np.uint8],
        rules: _native.NodeRules,
        *,
        exact: bool,
        seed: int,
    ) -> TreeSource:
        """Take the training rows, their bins feature by feature unless they are bundled, and the rules for growing."""
        ...


class LocalTrees:
    """Grows trees in this process."""

    def __init__(
        self,
        train: BoostedTable,
        by_column: NDArray[np.uint8],
        rules: _native.NodeRules,
        *,
        exact: bool,
        seed: int,
        **columns: Any,  # how features share them, for tests: it changes no tree
    ) -> None:
        self._table, self._seed, self._exact = train.table, seed, exact
        self._statistics = _native.RowStatistics(exact)
        if isinstance(train.bins, _native.BundledRows):
            self._grower = _native.Grower(train.bins, rules, train.wide)
        else:
            self._grower = _native.Grower(train.bins, by_column, rules, train.wide, **columns)
        # one pair per thread, for trees of several outputs side by side; statistics per output, where these share their
        # questions
        self._growers, self._all_statistics = [self._grower], [self._statistics]
        self._shared: _native.SharedGrower | None = None

    def grow(
        self, gradient: Floats, hessian: Floats, rows: Numbers, columns: Numbers, stream: int, n_threads: int
    ) -> _native.GrownTree:
        """Grow a tree."""
        weight, row_id = self._table.weight, self._table.row_id
        self._statistics.set(gradient, hessian, weight, row_id, self._seed, stream, n_threads)
        return self._grower.grow(self._statistics, rows, columns, n_threads)

    def refit_leaves(self, tree: _native.GrownTree, raw: Floats, quantile: float, n_threads: int) -> None:
        """Replace the values of leaves by quantiles of residuals."""
        tree.refit_leaves(self._grower, self._table.y, raw, self._table.weight, quantile, n_threads)

    def add(self, tree: _native.GrownTree, raw: Floats, n_threads: int) -> None:
        """Add the values to the rows of the tree."""
        tree.add_to_grown(self._grower, raw, n_threads)

    def grow_outputs(self, given: OutputRows, n_threads: int) -> list[_native.GrownTree]:
        """Grow a tree per output: side by side where there are more of them than threads, else one after the other."""
        if given.shared:
            return self._grow_shared(given, n_threads)
        if n_threads == 1 or len(given.raw) < 2 * n_threads - 1:
            return grow_in_turn(self, given, n_threads)
        while len(self._growers) < n_threads:
            self._growers.append(self._grower.twin())
            self._all_statistics.append(_native.RowStatistics(self._exact))
        weight, row_id = self._table.weight, self._table.row_id
        return _native.grow_outputs(
            self._growers, self._all_statistics, given.gradient, given.hessian, weight, row_id, self._seed,
            given.first_stream, given.rows, list(given.columns), given.rate, given.raw,
        )  # fmt: skip

    def _grow_shared(self, given: OutputRows, n_threads: int) -> list[_native.GrownTree]:
        n_outputs = len(given.raw)
        if self._shared is None:
            self._shared = _native.SharedGrower(self._grower, n_outputs)
        while len(self._all_statistics) < n_outputs:
            self._all_statistics.append(_native.RowStatistics(self._exact))
        weight, row_id = self._table.weight, self._table.row_id
        for k, statistics in enumerate(self._all_statistics):
            stream = given.first_stream + k
            statistics.set(given.gradient[k], given.hessian[k], weight, row_id, self._seed, stream, n_threads)
        trees = self._shared.grow(self._all_statistics, given.rows, given.columns[0], n_threads)
        for tree, raw in zip(trees, given.raw, strict=True):
            tree.scale(given.rate)
            tree.add_to_grown(self._shared, raw, n_threads)
        return trees


def grow_in_turn(trees: TreeSource, given: OutputRows, n_threads: int) -> list[_native.GrownTree]:
    """Grow the trees of all outputs one after the other, with all threads for each."""
    grown = []
    for k, raw in enumerate(given.raw):
        stream = given.first_stream + k
        tree = trees.grow(given.gradient[k], given.hessian[k], given.rows, given.columns[k], stream, n_threads)
        tree.scale(given.rate)
        trees.add(tree, raw, n_threads)
        grown.append(tree)
    return grown


def largest_step(loss: Loss) -> float:
    """Largest value of a leaf."""
    return np.inf if loss.link == IDENTITY else _LARGEST_STEP


def min_weight_of_leaf(options: BoostingOptions, *, weighted: bool) -> float:
    """Smallest weight of a leaf.

    Without weights the histograms already hold the number of rows; with weights the scans must count them.
    """
    return options.min_weight_leaf if weighted else max(options.min_weight_leaf, float(options.min_samples_leaf))


def make_rules(
    binning: Binning,
    loss: Loss,
    options: BoostingOptions,
    constraints: Constraints,
    *,
    weighted: bool,
    symmetric: bool = False,
) -> _native.NodeRules:
    """Make the rules for growing trees, which are the same for every source."""
    return _native.NodeRules(
        binning.n_bins,
        binning.features.is_category,
        constraints.monotone,
        constraints.groups,
        options.gain,
        options.l2,
        loss.variance_power,
        largest_step(loss),
        options.rho,
        min_weight_of_leaf(options, weighted=weighted),
        options.min_gain,
        _NO_LIMIT if options.max_depth is None else min(options.max_depth, _NO_LIMIT),
        min(options.max_leaf_nodes or 0, _NO_LIMIT),
        options.min_samples_leaf if weighted else 1,
        binning.n_wide,
        symmetric,
    )

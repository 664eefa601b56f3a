"""Rounds: the trees of one round of boosting, and the raw values they are added to."""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import IDENTITY, Ensemble
from glasswood.train.boosting._binning import Binning
from glasswood.train.boosting._constraints import Constraints
from glasswood.train.boosting._losses import AnyLoss
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._pace import Pace
from glasswood.train.boosting._table import BoostingTable

Floats = NDArray[np.float64]
_LARGEST_STEP = 13.8  # log 10⁶, of a leaf on a log or logit scale: as far as hessians, at least 10⁻⁶, can tell
_NO_LIMIT = 2**32 - 1  # more levels or leaves than there can be rows
_COLUMN_STREAM = 2**62  # streams of random numbers from here on draw columns, those below rows
_ROUNDING_STREAM = 2**32  # from here on, one per tree: rounding of gradients
_BY_POSITION = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A table and the raw values that rounds add to."""

    table: BoostingTable
    bins: NDArray[np.uint8]
    raw: Floats  # (n_outputs, n)
    all_rows: NDArray[np.uint32]

    def loss(self, loss: AnyLoss, n_threads: int) -> float:
        """Weighted mean of the loss."""
        return loss.mean(self.table.y, self.raw, self.table.weight, n_threads)


def start_state(
    table: BoostingTable, bins: NDArray[np.uint8], baseline: Floats, before: Ensemble | None, n_threads: int
) -> State:
    """Raw before the first round, or after the rounds `before`."""
    n = table.rows.n_rows
    if before is None:
        raw = np.repeat(baseline[:, None], n, axis=1)
    else:
        raw = np.ascontiguousarray(before._plan().predict_raw(table.rows.data, n_threads).T)
    if table.offset is not None:
        raw += table.offset
    return State(table, bins, raw, np.arange(n, dtype=np.uint32))


class Rounds:
    """Grows the trees of one round and adds them to the training raw."""

    def __init__(
        self,
        train: State,
        by_column: NDArray[np.uint8],
        binning: Binning,
        loss: AnyLoss,
        options: BoostingOptions,
        constraints: Constraints,
        seed: int,
        n_threads: int,
    ) -> None:
        self.train, self.loss, self.options, self.seed, self.pace = train, loss, options, seed, Pace(n_threads)
        self.gradient, self.hessian = np.empty_like(train.raw), np.empty_like(train.raw)
        self.statistics = _native.RowStatistics(options.statistics == "exact")
        weight = train.table.weight
        self.rows = np.flatnonzero(weight > 0).astype(np.uint32) if len(weight) else train.all_rows
        self.resting = np.flatnonzero(weight == 0).astype(np.uint32)  # rows without weight only follow
        self.columns = np.arange(len(binning.features), dtype=np.uint32)
        self.grower = _native.Grower(
            train.bins,
            by_column,
            binning.n_bins,
            binning.features.is_category,
            constraints.monotone,
            constraints.groups,
            options.gain,
            options.l2,
            loss.variance_power,
            np.inf if loss.link == IDENTITY else _LARGEST_STEP,
            options.rho,
            # without weights a weight is a number of rows, which histograms hold; else scans count the rows
            options.min_weight_leaf if len(weight) else max(options.min_weight_leaf, float(options.min_samples_leaf)),
            options.min_gain,
            _NO_LIMIT if options.max_depth is None else min(options.max_depth, _NO_LIMIT),
            min(options.max_leaf_nodes or 0, _NO_LIMIT),
            options.min_samples_leaf if len(weight) else 1,
        )

    def grow(self, number: int) -> list[_native.GrownTree]:
        """Grow one tree per output."""
        begun = time.perf_counter()
        trees = self._grow(number, self.pace.threads)
        self.pace.note(time.perf_counter() - begun)
        return trees

    def _grow(self, number: int, threads: int) -> list[_native.GrownTree]:
        table, raw = self.train.table, self.train.raw
        self.loss.fill(table.y, raw, table.weight, self.gradient, self.hessian, threads)
        n_drawn = max(1, round(self.options.subsample * len(self.rows)))
        drawn, left_out = self.rows, self.rows[:0]
        if n_drawn < len(self.rows):
            drawn, left_out = _native.choose_rows(self.rows, table.row_id, n_drawn, self.seed, number)
        trees = []
        for k in range(len(raw)):
            place = number * len(raw) + k
            self.statistics.set(
                self.gradient[k],
                self.hessian[k],
                table.weight,
                table.row_id,
                self.seed,
                _ROUNDING_STREAM + place,
                threads,
            )
            tree = self.grower.grow(self.statistics, drawn, self._columns(place), threads)
            if self.loss.renews is not None:
                tree.renew(self.grower, table.y, raw[k], table.weight, self.loss.renews, threads)
            tree.scale(self.options.learning_rate)
            tree.add_to_grown(self.grower, raw[k], threads)
            tree.add_to_rows(self.train.bins, left_out, raw[k], threads)
            tree.add_to_rows(self.train.bins, self.resting, raw[k], threads)
            trees.append(tree)
        return trees

    def _columns(self, tree: int) -> NDArray[np.uint32]:
        wanted = max(1, round(self.options.colsample * len(self.columns)))
        if wanted >= len(self.columns):
            return self.columns
        return _native.choose_rows(self.columns, _BY_POSITION, wanted, self.seed, _COLUMN_STREAM + tree)[0]

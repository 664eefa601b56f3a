"""BoostedTable: a table, its bins, and the raw values to which rounds of boosting add."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import LOG, AlignedRows, Ensemble
from glasswood.train.boosting._losses import Loss
from glasswood.train.boosting._table import BoostingTable

Floats = NDArray[np.float64]

MAX_LOG = 700.0  # e to this power is still finite
_NONE_WIDE = np.empty((0, 0), dtype=np.uint16)


class WatchedTable(Protocol):
    """A table whose predictions are watched from round to round."""

    @property
    def table(self) -> BoostingTable:
        """Its rows."""
        ...

    @property
    def raw_by_output(self) -> Floats:
        """Raw values, (n_outputs, n)."""
        ...

    def loss(self, loss: Loss, n_threads: int) -> float:
        """Weighted mean of the loss."""
        ...

    def predicts_numbers(self, loss: Loss) -> bool:
        """Whether no prediction is infinite."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTable:
    """The training table or an evaluation table during boosting."""

    table: BoostingTable
    bins: NDArray[np.uint8] | _native.BundledRows
    raw_by_output: Floats  # (n_outputs, n)
    all_rows: NDArray[np.uint32]
    wide: NDArray[np.uint16]  # (n_wide_features, n) bins of wide categories

    def add(self, tree: _native.GrownTree, rows: NDArray[np.uint32], raw: Floats, n_threads: int) -> None:
        """Add the values of a tree to rows that walk down it; `raw` is (n,)."""
        tree.add_to_rows(self.bins, rows, raw, n_threads, self.wide)

    def loss(self, loss: Loss, n_threads: int) -> float:
        """Weighted mean of the loss."""
        return loss.mean(self.table.y, self.raw_by_output, self.table.weight, n_threads)

    def predicts_numbers(self, loss: Loss) -> bool:
        """Whether no prediction is infinite."""
        if loss.link == LOG:
            return float(self.raw_by_output.max(initial=0.0)) <= MAX_LOG
        # output by output: a byte per row and class would be the largest of all temporary arrays
        return all(bool(np.isfinite(raw).all()) for raw in self.raw_by_output)


def start_table(
    table: BoostingTable,
    bins: NDArray[np.uint8] | _native.BundledRows,
    baseline: Floats,
    before: Ensemble | None,
    n_threads: int,
    wide: NDArray[np.uint16] = _NONE_WIDE,
) -> BoostedTable:
    """A table with its raw values before the first round, or after the rounds of `before`."""
    raw_by_output = start_raw(table, baseline, before, n_threads)
    return BoostedTable(table, bins, raw_by_output, np.arange(table.rows.n_rows, dtype=np.uint32), wide)


def start_raw(table: BoostingTable, baseline: Floats, before: Ensemble | None, n_threads: int) -> Floats:
    """Raw values before the first round, or after the rounds of `before`."""
    n = table.rows.n_rows
    if before is None:
        raw_by_output = np.repeat(baseline[:, None], n, axis=1)
    else:
        rows = table.rows if isinstance(table.rows, AlignedRows) else table.rows.gathered()
        raw_by_output = np.ascontiguousarray(before._plan().predict_raw(rows.data, n_threads).T)
    if table.offset is not None:
        raw_by_output += table.offset
    return raw_by_output

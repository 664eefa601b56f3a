"""CountedParts: rows that lie in parts, each counted where it lies, for effects and tables of pairs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.explain._parts import Parts
from glasswood.explain.effects._cell_grid import CellGrid, make_grid
from glasswood.explain.effects._row_stream import RowCounter, cut
from glasswood.explain.effects._row_sums import FinishedSums, ObservedSums, PartSums, RowSums
from glasswood.tables import FrameKind, Table, n_rows_of, read_weight


@dataclass(frozen=True, slots=True, eq=False)
class PartTask:
    """What to count in a part. It can be sent to where the part lies."""

    ensemble: Ensemble
    tuples: NDArray[np.int32]
    unit: float | None  # of the weights of all rows; None without weights
    n_threads: int
    exact: bool = True  # with the shares for partial dependence
    observed: bool = False  # with the moments of raw in each cell

    def count(self, X: Table, sample_weight: Any) -> PartSums:
        """Sums over the rows of a part."""
        sums = self.row_sums(make_grid(self.ensemble))
        for rows, weight in cut(X, read_weight(sample_weight, n_rows_of(X))):
            sums.add(rows, weight)
        return sums.part()

    def row_sums(self, grid: CellGrid) -> RowSums:
        """Sums without rows."""
        kind = ObservedSums if self.observed else RowSums
        return kind(grid, self.tuples, exact=self.exact, n_threads=self.n_threads, unit=self.unit)


class CountedParts(RowCounter):
    """Parts that are tables with weights or None; the sums are those of all rows in one table, to the bit."""

    def __init__(self, parts: Parts, kind: FrameKind | None, unit: float | None) -> None:
        self._parts, self.kind = parts, kind
        self._unit = unit  # of all weights

    def count(self, grid: CellGrid, tuples: NDArray[np.int32], n_threads: int) -> FinishedSums:
        """Rows in the cells of each tuple, and the shares of the leaves."""
        return self.count_for("interventional", grid, tuples, exact=True, n_threads=n_threads)

    def count_for(
        self, method: str, grid: CellGrid, tuples: NDArray[np.int32], *, exact: bool, n_threads: int
    ) -> FinishedSums:
        """What a method needs to know about the rows."""
        task = PartTask(grid.ensemble, tuples, self._unit, n_threads, exact, method == "observed")
        sums = task.row_sums(grid)
        sums.merge(self._parts.merged(PartSums.plus, _count, task))
        return sums.finish()


def _count(part: tuple[Table, Any], task: PartTask) -> PartSums:
    return task.count(*part)

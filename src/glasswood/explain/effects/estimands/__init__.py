"""Estimands: what an effect averages over, one class for each; `make_estimand` chooses one."""

from typing import Protocol

from glasswood.explain.effects._row_stream import RowCounter, Rows, gather
from glasswood.explain.effects._row_sums import FinishedMoments, ObservedSums, RowSums
from glasswood.explain.effects.estimands._interval import Interval
from glasswood.explain.effects.estimands._interventional import Interventional
from glasswood.explain.effects.estimands._observed import Observed
from glasswood.explain.effects.estimands._path import PathDependent
from glasswood.explain.effects.estimands._tables import Array, CellTable, Tuples
from glasswood.explain.effects.estimands._weighing import ByRows, ByTraining, Weighing

__all__ = ["CellTable", "Estimand", "Tuples", "make_estimand"]


class Estimand(Protocol):
    """Computes the tables of the tuples it was made for, one group at a time."""

    def singles(self, some: slice) -> list[CellTable]:
        """Tables of single features."""

    def pairs(self, some: slice) -> list[CellTable]:
        """Tables of pairs, with H² if there are rows."""

    def joint(self, some: slice) -> list[CellTable]:
        """Tables of more than two features."""

    def margins(self) -> dict[int, Array]:
        """Effect of every feature of the pairs, as `singles` would give it, (n_outputs, cells)."""


def make_estimand(method: str, tuples: Tuples, rows: Rows | RowCounter | None, *, progress: bool) -> Estimand:
    """Choose the estimand of a method, and add up the rows for it."""
    if rows is None:
        return _without_rows(method, tuples, ByTraining(tuples))
    grid, features, n_threads = tuples.grid, tuples.features, tuples.n_threads
    # H² of pairs needs exact partial dependence for every method
    exact = method == "interventional" or tuples.degree == 2
    if isinstance(rows, RowCounter):
        sums = rows.count_for(method, grid, features, exact=exact, n_threads=n_threads)
    else:
        make = ObservedSums if method == "observed" else RowSums
        row_sums = make(grid, features, exact=exact, n_threads=n_threads, unit=rows.unit)
        gather(row_sums, rows, progress=progress)
        sums = row_sums.finish()
    weighing = ByRows(tuples, sums)
    if isinstance(sums, FinishedMoments):
        return Observed(tuples, weighing, sums)
    if method == "interventional":
        return Interventional(tuples, weighing, sums.shares)
    return _without_rows(method, tuples, weighing)


def _without_rows(method: str, tuples: Tuples, weighing: Weighing) -> Estimand:
    """An estimand whose values need no rows; rows may still weigh its cells."""
    return PathDependent(tuples, weighing) if method == "path" else Interval(tuples, weighing, method)

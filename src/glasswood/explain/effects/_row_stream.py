"""Rows: the rows to explain with, in chunks, from one table or from an iterator of tables."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import fixed_numbers, lost_weights
from glasswood._progress import Progress
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError, PrecisionWarning, TableError, warn
from glasswood.explain.effects._cell_grid import CellGrid
from glasswood.explain.effects._row_sums import FinishedSums, RowSums
from glasswood.readers import as_ensemble
from glasswood.tables import (
    Columns,
    FrameKind,
    Table,
    by_rows,
    frame_kind,
    is_scipy_sparse,
    n_rows_of,
    read_weight,
    take_rows,
)

_CHUNK_ROWS = 262_144  # rows of a table encoded at a time: codes then take a few MB per feature
_CHUNK_CODES = 1 << 26  # codes of a sparse table, which may have many features, computed at a time
_MIN_ROWS = 4096  # rows of a sparse table encoded at a time, however many features it has


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A sequence of tables, each with its weights or None."""

    first: Table | None  # the table to check a model against, if there is one
    kind: FrameKind | None
    parts: Iterator[tuple[Table, NDArray[np.float64] | None]]
    n_parts: int | None  # None for an iterator
    unit: float | None = None  # of the weights; None without weights and for an iterator


class RowCounter(ABC):
    """Rows of weight 1 that lie elsewhere, on a GPU for example, and are counted there.

    A class to derive from, not a protocol: a frame with a column called "kind" has all names of the protocol.
    """

    kind: FrameKind | None  # of frames to answer with

    @abstractmethod
    def count(self, grid: CellGrid, tuples: NDArray[np.int32], n_threads: int) -> FinishedSums:
        """Count rows for the tables of single features or pairs, with the shares for partial dependence."""

    def count_for(
        self, method: str, grid: CellGrid, tuples: NDArray[np.int32], *, exact: bool, n_threads: int
    ) -> FinishedSums:
        """Count rows for a method; `exact` asks for the shares. For ``"observed"`` these are `FinishedMoments`."""
        if method != "interventional":
            raise OptionError(f"rows that are counted elsewhere give interventional effects; got method={method!r}")
        return self.count(grid, tuples, n_threads)


def make_rows(X: Table | Iterator[Table], sample_weight: Any, name: str = "X", *, as_shares: bool = False) -> Rows:
    """Cut a table into chunks, or take the tables of an iterator one by one; messages call them `name`.

    `as_shares` says that the weights are used as shares of the largest.
    """
    if isinstance(X, Iterator):
        return _from_iterator(X, sample_weight, name)
    if isinstance(X, list | tuple) and X and _is_table(X[0]):
        raise TableError(
            f"{name} is a {type(X).__name__} of tables; pass iter({name}), and iter(sample_weight) if there is any"
        )
    weight = read_weight(sample_weight, n_rows_of(X))
    unit = None if weight is None else weight_unit(weight, as_shares=as_shares)
    return Rows(first=X, kind=frame_kind(X), parts=cut(X, weight), n_parts=n_chunks(X), unit=unit)


def weight_unit(weight: NDArray[np.float64], *, as_shares: bool = False) -> float:
    """The unit of the weights of all rows; warns of weights that count for nothing beside larger ones."""
    if lost := lost_weights(weight, as_shares=as_shares):
        warn(lost, PrecisionWarning)
    return fixed_numbers(weight)[1]


def cut(X: Table, weight: NDArray[np.float64] | None) -> Iterator[tuple[Table, NDArray[np.float64] | None]]:
    """The chunks of a table with their weights."""
    n_rows, step = n_rows_of(X), chunk_rows(X)
    if 0 < n_rows <= step:
        yield X, weight
        return
    whole = by_rows(X)
    for at in range(0, n_rows, step):
        yield take_rows(whole, at, at + step), None if weight is None else weight[at : at + step]


def n_chunks(X: Table) -> int:
    """How many chunks `cut` makes."""
    return -(-n_rows_of(X) // chunk_rows(X))


def chunk_rows(X: Table | Columns) -> int:
    """Number of rows of a table to encode at a time, with one or two bytes per row and feature."""
    if isinstance(X, Columns):
        n_columns = 0 if X.sparse is None else X.n_columns
    else:
        n_columns = X.shape[1] if is_scipy_sparse(X) else 0
    return int(np.clip(_CHUNK_CODES // max(1, n_columns), _MIN_ROWS, _CHUNK_ROWS))


def _is_table(item: Any) -> bool:
    return frame_kind(item) is not None or getattr(item, "ndim", 0) == 2


def _from_iterator(X: Iterator[Table], sample_weight: Any, name: str) -> Rows:
    if sample_weight is not None and not isinstance(sample_weight, Iterator):
        raise TableError(
            f"{name} is an iterator of tables: sample_weight must be an iterator of their weights, or None"
        )
    try:
        first = next(X)
    except StopIteration:
        raise TableError(f"{name} is an iterator without a table") from None
    return Rows(first, frame_kind(first), _paired(chain([first], X), sample_weight, name), None)


def _paired(
    tables: Iterator[Table], weights: Iterator[Any] | None, name: str
) -> Iterator[tuple[Table, NDArray[np.float64] | None]]:
    end = object()
    for table in tables:
        if weights is None:
            yield table, None
            continue
        given = next(weights, end)
        if given is end:
            raise TableError(f"sample_weight ends before {name} does")
        if given is None:
            raise TableError(f"sample_weight must hold weights for every table of {name}, found None")
        yield table, read_weight(given, n_rows_of(table))
    if weights is not None and next(weights, end) is not end:
        raise TableError(f"{name} ends before sample_weight does")


def open_rows(
    model: Any, X: Table | Iterator[Table] | RowCounter | None, sample_weight: Any
) -> tuple[Ensemble, Rows | RowCounter | None]:
    """Read the model, check it against the first table, and prepare the rows."""
    if isinstance(X, RowCounter):
        return as_ensemble(model), X
    if X is None:
        if sample_weight is not None:
            raise TableError("sample_weight has no meaning without X")
        return as_ensemble(model), None
    rows = make_rows(X, sample_weight)
    return as_ensemble(model, rows.first), rows


def gather(sums: RowSums, rows: Rows, *, progress: bool) -> None:
    """Add all rows to the sums."""
    with Progress("rows", rows.n_parts, show=progress) as bar:
        for table, weight in rows.parts:
            sums.add(table, weight)
            bar.step()

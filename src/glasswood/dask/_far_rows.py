"""FarRows: rows of a collection that stay where they are until a result is asked to show some of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.dask._collections import is_array, need_dask, pieces_of
from glasswood.dask._member import joined
from glasswood.results import AttributedRows, RowSource
from glasswood.tables import Table


@dataclass(frozen=True, slots=True, eq=False)
class FarRows:
    """A collection and the number of rows of each of its partitions."""

    collection: Any
    n_rows: tuple[int, ...]

    def pick(self, rows: NDArray[np.integer]) -> Table:
        """Rows by their numbers, in the order given, as a table in this process."""
        ends = np.cumsum(self.n_rows)
        part = np.searchsorted(ends, rows, side="right")
        take = need_dask("dask").delayed(_take, pure=False)
        pieces = pieces_of(self.collection)
        needed = np.unique(part).tolist() or [0]
        asked = [take(pieces[k], rows[part == k] - (ends[k] - self.n_rows[k])) for k in needed]
        table = joined(need_dask("dask").compute(*asked))
        place = np.empty(len(rows), dtype=np.int64)
        place[np.concatenate([np.flatnonzero(part == k) for k in needed])] = np.arange(len(rows))
        return _take(table, place)

    def index(self) -> Any:
        """Index of a frame; None for an array."""
        return None if is_array(self.collection) else self.collection.index.compute()


@dataclass(frozen=True, slots=True, eq=False)
class FarSource(RowSource):
    """Rows to show as neighbours, fetched from the workers."""

    table: FarRows

    def pick(self, rows: NDArray[np.integer]) -> Table:
        """Rows as a table in this process."""
        return self.table.pick(rows)


@dataclass(frozen=True, slots=True, eq=False)
class FarAttributedRows(AttributedRows):
    """Rows whose attributions are shown, fetched from the workers."""

    table: FarRows

    def pick(self, rows: NDArray[np.integer] | None) -> Table:
        """Rows as a table in this process."""
        return self.table.pick(np.arange(sum(self.table.n_rows)) if rows is None else rows)

    def index(self) -> Any:
        """Index of a frame."""
        return self.table.index()


def _take(part: Any, rows: NDArray[np.integer]) -> Any:
    """Rows of a partition. Runs on a worker."""
    return part[rows] if isinstance(part, np.ndarray) else part.iloc[rows]

"""PartedRows: rows in several parts, of which one at a time is in memory."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows

Places = NDArray[np.int64]

_CACHED = 2**16  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class PartedRows:
    """Rows in the model's feature order, part after part.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.ensemble import AlignedRows
    >>> from glasswood.train import PartedRows
    >>> parts = [AlignedRows(2, np.array([[1.0], [2.0]])), AlignedRows(1, np.array([[3.0]]))]
    >>> rows = PartedRows.of([2, 1], parts.__getitem__, AlignedRows(0, np.empty((0, 1))))
    >>> rows.take(np.array([1, 2])).gathered().column(0)
    array([2., 3.])
    """

    load: Callable[[int], AlignedRows]  # a part, which is not kept
    empty: AlignedRows  # no rows
    chosen: Sequence[Places | None]  # rows of each part, ascending; None: all
    lengths: Sequence[int]  # how many these are

    @classmethod
    def of(cls, n_rows: Sequence[int], load: Callable[[int], AlignedRows], empty: AlignedRows) -> "PartedRows":
        """All rows of parts with so many rows each."""
        return cls(load, empty, [None] * len(n_rows), list(n_rows))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(self.lengths)

    def take(self, rows: NDArray[np.integer]) -> "PartedRows":
        """Some rows, which must ascend."""
        starts = np.cumsum([0, *self.lengths])
        cuts = np.searchsorted(rows, starts)
        chosen: list[Places | None] = []
        for k, own in enumerate(self.chosen):
            places = rows[cuts[k] : cuts[k + 1]].astype(np.int64) - starts[k]
            chosen.append(places if own is None else own[places])
        return PartedRows(self.load, self.empty, chosen, np.diff(cuts).tolist())

    def parts(self) -> Iterator[tuple[slice, AlignedRows]]:
        """Each part with rows, and the places of its rows among all."""
        for place, rows, own in self._loaded():
            yield place, rows if own is None else rows.take(own)

    def _loaded(self) -> Iterator[tuple[slice, AlignedRows, Places | None]]:
        """The same before rows are taken from the part."""
        at = 0
        for k, (own, n) in enumerate(zip(self.chosen, self.lengths, strict=True)):
            if n:
                yield slice(at, at + n), self.load(k), own
            at += n

    def gathered(self, features: Sequence[int] | None = None) -> AlignedRows:
        """All rows in memory; only some of the features if these are given."""
        if features is not None:
            lists = [[rows.column(f) for f in features] for _, rows in self.parts()]
            lists = lists or [[self.empty.column(f) for f in features]]
            return AlignedRows(self.n_rows, [np.concatenate(columns) for columns in zip(*lists, strict=True)])
        found = None
        for place, rows, own in self._loaded():
            if not isinstance(rows.data, np.ndarray):
                return self._by_feature([part for _, part in self.parts()])
            if found is None:
                # column by column: drawn rows are read one feature after the other
                found = np.empty((rows.data.shape[1], self.n_rows), dtype=rows.data.dtype).T
            _copy(rows.data, own, found[place])
        return self.empty if found is None else AlignedRows(self.n_rows, found)

    def _by_feature(self, parts: Sequence[AlignedRows]) -> AlignedRows:
        n_features = max(len(part.data) for part in parts if isinstance(part.data, list))
        return AlignedRows(self.n_rows, [np.concatenate([part.column(f) for part in parts]) for f in range(n_features)])


def _copy(matrix: NDArray[Any], rows: Places | None, out: NDArray[Any]) -> None:
    """Copy rows of a matrix, all or some, to one that is stored by column, as many at a time as a cache holds."""
    n_at_once = max(1, _CACHED // max(matrix.shape[1] * matrix.itemsize, 1))
    for start in range(0, len(out), n_at_once):
        block = slice(start, start + n_at_once)
        out[block] = matrix[block if rows is None else rows[block]]

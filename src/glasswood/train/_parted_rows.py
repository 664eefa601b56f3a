"""PartedRows: rows in several parts, of which one at a time is in memory."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows

Places = NDArray[np.int64]


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
        at = 0
        for k, (own, n) in enumerate(zip(self.chosen, self.lengths, strict=True)):
            if n:
                rows = self.load(k)
                yield slice(at, at + n), rows if own is None else rows.take(own)
            at += n

    def gathered(self, features: Sequence[int] | None = None) -> AlignedRows:
        """All rows in memory; only some of the features if these are given."""
        if features is not None:
            lists = [[rows.column(f) for f in features] for _, rows in self.parts()]
            lists = lists or [[self.empty.column(f) for f in features]]
            return AlignedRows(self.n_rows, [np.concatenate(columns) for columns in zip(*lists, strict=True)])
        parts = list(self.parts()) or [(slice(0, 0), self.empty)]
        matrices = [(place, part.data) for place, part in parts if isinstance(part.data, np.ndarray)]
        if len(matrices) < len(parts):
            return self._by_feature([part for _, part in parts])
        # column by column: drawn rows are read one feature after the other
        found = np.empty((matrices[0][1].shape[1], self.n_rows), dtype=matrices[0][1].dtype).T
        for place, matrix in matrices:
            found[place] = matrix
        return AlignedRows(self.n_rows, found)

    def _by_feature(self, parts: Sequence[AlignedRows]) -> AlignedRows:
        n_features = max(len(part.data) for part in parts if isinstance(part.data, list))
        return AlignedRows(self.n_rows, [np.concatenate([part.column(f) for part in parts]) for f in range(n_features)])

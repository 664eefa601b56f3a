"""NodeRows: the rows of a table that reach each node of a tree, and their values closest to its threshold."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows, Ensemble, unpack_set
from glasswood.errors import UnsupportedModelError


@dataclass(frozen=True, slots=True, eq=False)
class RowLists:
    """Rows of every node; the rows of a node are contiguous, so one list of all rows is enough."""

    order: NDArray[np.int64]  # (n_rows,) rows, leaf by leaf
    first: NDArray[np.int64]  # (n_nodes,) position of the node's first row
    last: NDArray[np.int64]  # (n_nodes,) position after its last row

    def __getitem__(self, node: int) -> NDArray[np.int64]:
        """Rows of a node, ascending."""
        return np.sort(self.unordered(node), kind="stable")  # a merge of few sorted runs

    def unordered(self, node: int) -> NDArray[np.int64]:
        """Rows of a node in any order."""
        return self.order[self.first[node] : self.last[node]]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of rows of each node, (n_nodes,)."""
        return self.last - self.first

    def __len__(self) -> int:
        return len(self.first)

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        return (self[node] for node in range(len(self)))


@dataclass(frozen=True, slots=True, eq=False)
class NodeRows:
    """Rows of every node of a tree."""

    rows: RowLists  # per node
    low: NDArray[np.float64]  # (n_nodes,) largest value that goes left; −inf if there is none, NaN for a category
    high: NDArray[np.float64]  # (n_nodes,) smallest value that goes right; inf if there is none, NaN for a category
    missing: NDArray[np.bool_]  # (n_nodes,) some row lacks the split feature


def node_rows(ensemble: Ensemble, table: AlignedRows) -> NodeRows:
    """Send the rows of a table through a tree."""
    if ensemble.features.zero_is_missing.any():
        raise UnsupportedModelError("the tree takes zero for missing; its nodes cannot be shown with rows")
    n = ensemble.n_nodes
    order = np.arange(table.n_rows)
    first, last = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    last[0] = table.n_rows
    low, high, missing = np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, dtype=bool)
    for node in np.flatnonzero(ensemble.feature >= 0):
        place = slice(first[node], last[node])
        rows = order[place]
        values = table.column(int(ensemble.feature[node]))[rows]
        if ensemble.category_set[node] >= 0:
            absent = values < 0
            unseen = values >= ensemble.features.n_levels[ensemble.feature[node]]
            goes_left = np.isin(values, levels_left(ensemble, int(node))) | (unseen & ensemble.unseen_left[node])
        else:
            absent = np.isnan(values)
            goes_left = values <= ensemble.threshold[node]
            low[node] = values[goes_left].max(initial=-np.inf)
            high[node] = values[~goes_left & ~absent].min(initial=np.inf)
        goes_left = np.where(absent, ensemble.missing_left[node], goes_left)
        missing[node] = absent.any()
        left, right = ensemble.left[node], ensemble.right[node]
        order[place] = np.concatenate([rows[goes_left], rows[~goes_left]])
        first[left], last[right] = first[node], last[node]
        last[left] = first[right] = first[node] + np.count_nonzero(goes_left)
    return NodeRows(rows=RowLists(order, first, last), low=low, high=high, missing=missing)


def levels_left(ensemble: Ensemble, node: int) -> NDArray[np.int64]:
    """Codes whose rows go left at a category split."""
    first, last = ensemble.set_start[ensemble.category_set[node] : ensemble.category_set[node] + 2]
    return np.flatnonzero(unpack_set(ensemble.set_bits[first:last]))

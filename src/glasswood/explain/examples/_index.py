"""ExampleIndex: finds training rows by the leaves they share with a query."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import whole_number
from glasswood._jobs import resolve_n_jobs
from glasswood._words import counted
from glasswood.ensemble import AlignedRows, Ensemble, align, column_order, model_table
from glasswood.errors import MissingDependencyError, NoNeighbourWarning, warn
from glasswood.explain.examples._leaf_rows import LeafRows, reached_leaves
from glasswood.results import Neighbours, RowSource
from glasswood.tables import FrameKind, Table, frame_kind, read_table, take_rows


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class ExampleIndex:
    """Finds the training rows that are most similar to a query; `glasswood.examples` makes one.

    The similarity of training row i to a query x is the sum of unit_t(x)·weight_i over the trees in which both reach
    the same leaf, divided by the total weight of the trees whose leaf of x is not empty.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> index = gw.examples(tree, X, [0.0, 1.0, 2.0, 6.0], method="leaf_weight")
    >>> index.nearest([[0.9, 0.8]], k=1).row.tolist()
    [[3]]
    >>> index.weights([[0.9, 0.8]]).toarray()
    array([[0., 0., 0., 1.]])
    """

    numbered: Ensemble  # its leaves are numbered across all trees
    leaves: LeafRows
    unit: NDArray[np.float64]  # (n_leaves,) what an entry of weight 1 adds
    tree_weight: NDArray[np.float64]  # (n_trees,)
    row_weight: NDArray[np.float64] | None  # (n_rows,) None for 1 each
    table: Table  # the training table, as it was given
    target: NDArray[Any] | None  # (n_rows,)
    n_rows: int
    method: str
    min_rows_per_leaf: int
    n_jobs: int | None

    def nearest(self, X: Table, k: int = 5) -> Neighbours:
        """Training rows most similar to each row of X.

        Parameters
        ----------
        X : table
            The queries.
        k : int
            Rows per query, at most the number of training rows. If fewer rows share a leaf with a query, the rest is
            row −1 with similarity 0.

        Returns
        -------
        Neighbours
            Most similar first; equal ones by row number. The result for a query does not depend on the other queries.

        Examples
        --------
        >>> import glasswood as gw
        >>> X, y = np.arange(8.0).reshape(-1, 1), np.arange(8.0)
        >>> index = gw.examples(gw.TreeRegressor(max_depth=2).fit(X, y), X, y)
        >>> index.nearest(np.array([[2.2]]), k=2).row.tolist()
        [[2, 3]]
        """
        found = find_nearest(self, X, k)
        _warn_about(int(np.count_nonzero(found.row[:, 0] < 0)), len(found.row), self.min_rows_per_leaf)
        return found

    def _find(self, X: Table, k: int) -> Neighbours:
        k = min(whole_number("k", k, 1), self.n_rows)
        rows = align(X, self.numbered.features)
        found = [self._nearest(leaf, k) for _, leaf in self._reached(rows)]
        row = np.concatenate([np.empty((0, k), np.int64), *(part[0] for part in found)])
        similarity = np.concatenate([np.empty((0, k)), *(part[1] for part in found)])
        target = None
        if self.target is not None:
            target = np.ma.masked_array(self.target[np.maximum(row, 0)], mask=row < 0)
        return Neighbours(
            row=row,
            similarity=similarity,
            target=target,
            method=self.method,
            features=self.numbered.feature_names,
            train=self._train(),
            queries=row_source(X, self.numbered),
            kind=frame_kind(X) or self._kind(),
        )

    def weights(self, X: Table) -> Any:
        """Similarity of every training row to each row of X.

        Parameters
        ----------
        X : table
            The queries.

        Returns
        -------
        scipy.sparse.csr_array of float64, (n_queries, n_rows)
            Rows sum to 1 except for ``method="breiman"``; they are 0 if no leaf of the query contains a training row.

        Examples
        --------
        >>> import glasswood as gw
        >>> X, y = np.arange(8.0).reshape(-1, 1), np.arange(8.0)
        >>> index = gw.examples(gw.TreeRegressor(max_depth=2).fit(X, y), X, y)
        >>> index.weights(np.array([[2.2]])).toarray()[0]
        array([0. , 0. , 0.5, 0.5, 0. , 0. , 0. , 0. ])
        """
        try:
            from scipy.sparse import csr_array
        except ImportError:
            raise MissingDependencyError("weights needs scipy: pip install glasswood[sklearn]") from None
        rows = align(X, self.numbered.features)
        parts = [self._similar(leaf) for _, leaf in self._reached(rows)]
        count = np.concatenate([np.empty(0, np.int64), *(part[0] for part in parts)])
        column = np.concatenate([np.empty(0, np.int32), *(part[1] for part in parts)])
        similarity = np.concatenate([np.empty(0), *(part[2] for part in parts)])
        _warn_about(int(np.count_nonzero(count == 0)), len(count), self.min_rows_per_leaf)
        # scipy needs the same dtype for both index arrays
        start = np.concatenate([[0], np.cumsum(count)])
        start = start if start[-1] > np.iinfo(np.int32).max else start.astype(np.int32)
        return csr_array((similarity, column.astype(start.dtype, copy=False), start), shape=(len(count), self.n_rows))

    def most(self, X: Table) -> NDArray[np.float64]:
        """Largest possible similarity to each row of X: that of a training row of weight 1 in all the same leaves.

        Examples
        --------
        >>> import glasswood as gw
        >>> X, y = np.arange(8.0).reshape(-1, 1), np.arange(8.0)
        >>> index = gw.examples(gw.TreeRegressor(max_depth=2).fit(X, y), X, y)
        >>> index.most(np.array([[2.2]]))
        array([0.5])
        """
        found = [np.empty(0)]
        for _, leaf in self._reached(align(X, self.numbered.features)):
            total = np.where(self.leaves.kept[leaf], self.tree_weight, 0.0).sum(axis=1)
            own = np.where(self.leaves.kept[leaf], self.unit[leaf], 0.0).sum(axis=1)
            found.append(np.divide(own, total, out=np.zeros_like(own), where=total > 0))
        return np.concatenate(found)

    @property
    def _n_threads(self) -> int:
        return resolve_n_jobs(self.n_jobs)

    def _reached(self, rows: AlignedRows) -> Iterator[tuple[int, NDArray[np.int32]]]:
        return reached_leaves(self.numbered, rows, self._n_threads)

    def _nearest(self, leaf: NDArray[np.int32], k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Numbers and similarities of the k most similar rows, (n_queries, k) each."""
        return nearest_in(self._arrays(), leaf, k, np.empty(0), self._n_threads)

    def _similar(self, leaf: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Number of similar rows of each query, their numbers and similarities."""
        return similar_in(self._arrays(), leaf, np.empty(0), self._n_threads)

    def _train(self) -> RowSource:
        return row_source(self.table, self.numbered)

    def _kind(self) -> FrameKind | None:
        return frame_kind(self.table)

    def _arrays(self) -> "IndexArrays":
        """The arrays of the index for the kernels."""
        weight = np.empty(0) if self.row_weight is None else self.row_weight
        return self.leaves.start, self.leaves.row, self.unit, self.tree_weight, weight, self.n_rows

    def __repr__(self) -> str:
        return (
            f"<ExampleIndex method={self.method!r}: {counted(self.n_rows, 'row')} in "
            f"{int(self.leaves.kept.sum()):,} leaves of {counted(self.numbered.n_trees, 'tree')}>"
        )


# first entry of each leaf, rows, what an entry adds, weights of trees and rows, number of rows
IndexArrays: TypeAlias = tuple[
    NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int
]


def nearest_in(
    arrays: IndexArrays, leaf: NDArray[np.int32], k: int, total: NDArray[np.float64], n_threads: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The most similar of some rows; `total` of each query, if the others count too."""
    return _native.nearest_rows(leaf, *arrays, k, total, n_threads)


def similar_in(
    arrays: IndexArrays, leaf: NDArray[np.int32], total: NDArray[np.float64], n_threads: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """All similar ones of some rows; `total` of each query, if the others count too."""
    return _native.similar_rows(leaf, *arrays, total, n_threads)


def find_nearest(index: ExampleIndex, X: Table, k: int) -> Neighbours:
    """Like `nearest`, but without a warning if a query has no neighbour."""
    return index._find(X, k)


def row_source(table: Table, numbered: Ensemble) -> RowSource:
    """A table from which rows are fetched to be shown."""
    features = numbered.features
    order = column_order(read_table(model_table(take_rows(table, 0, 1), features)), features)
    return RowSource(table=table, order=tuple(order), features=features)


def _warn_about(n_empty: int, n_queries: int, min_rows_per_leaf: int) -> None:
    if n_empty:
        shared = "with a training row" if min_rows_per_leaf == 1 else f"of at least {min_rows_per_leaf} training rows"
        warn(f"{n_empty} of {n_queries} queries share no leaf {shared}; their similarities are 0", NoNeighbourWarning)

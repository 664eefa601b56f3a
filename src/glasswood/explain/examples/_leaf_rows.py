"""LeafRows: the inverted index of a table, from every leaf to the rows that reach it."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import fixed_numbers
from glasswood._progress import Progress
from glasswood.ensemble import AlignedRows, Ensemble

_CHUNK_LEAVES = 1 << 22  # leaf numbers held at once: 16 MB, whatever the number of trees
_CHUNK_ROWS = 1 << 15


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LeafRows:
    """Rows of every leaf, one list after the other. Leaves are numbered through all trees."""

    start: NDArray[np.int64]  # (n_leaves + 1,) first entry of each leaf
    row: NDArray[np.uint32]  # (n_entries,) row numbers, ascending in a leaf, a row as often as it was drawn
    mass: NDArray[np.float64]  # (n_leaves,) Σ weight × draws of all rows that reach the leaf, kept or not

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Leaves that list their rows, (n_leaves,)."""
        return np.diff(self.start) > 0


def number_leaves(ensemble: Ensemble) -> Ensemble:
    """The same trees whose `apply` numbers leaves through all trees, in node order; kept with the model."""
    return ensemble._cached("numbered", _number)


def _number(ensemble: Ensemble) -> Ensemble:
    leaf = ensemble.feature < 0
    return dataclasses.replace(ensemble, leaf_id=np.where(leaf, np.cumsum(leaf) - 1, -1).astype(np.int32))


def reached_leaves(numbered: Ensemble, rows: AlignedRows, n_threads: int) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """Leaves of a table piece by piece: the first row of the piece, and its (n_rows, n_trees) leaves."""
    step = max(1, min(_CHUNK_ROWS, _CHUNK_LEAVES // max(1, numbered.n_trees)))
    plan = numbered._plan()
    for first in range(0, rows.n_rows, step):
        piece = rows if step >= rows.n_rows else rows.take(slice(first, first + step))
        yield first, plan.apply(piece.data, n_threads)


def leaf_rows(
    numbered: Ensemble,
    rows: AlignedRows,
    *,
    weight: NDArray[np.float64] | None,
    copies: NDArray[np.unsignedinteger] | None,
    min_rows_per_leaf: int,
    n_threads: int,
    progress: bool = False,
) -> LeafRows:
    """List the rows of every leaf that holds at least `min_rows_per_leaf` of them.

    Rows are sent down the trees twice, once to count and once to list: that costs less than to keep where they went.

    Parameters
    ----------
    numbered : Ensemble
        From `number_leaves`.
    rows : AlignedRows
    weight : ndarray of float64, (n_rows,), optional
        A row of weight 0 is left out.
    copies : ndarray of unsigned int, (n_rows, n_trees), optional
        How often each tree drew each row; a row that was not drawn is left out.
    min_rows_per_leaf : int
        Leaves with fewer distinct rows list none.
    n_threads : int
    progress : bool
        Show a bar on stderr; every row is a step of each pass.
    """
    n_leaves = numbered.n_leaves
    n_rows, n_entries, whole = (np.zeros(n_leaves, np.int64) for _ in range(3))
    most = 1 if copies is None else int(copies.max(initial=1))
    unit = 1.0 if weight is None else fixed_numbers(weight * most)[1]
    with Progress("rows", 2 * rows.n_rows, show=progress) as bar:
        for first, leaf in reached_leaves(numbered, rows, n_threads):
            counted = _mass(weight, copies, first, len(leaf))
            _native.count_leaf_rows(leaf, *counted, n_rows, n_entries, whole, unit, n_threads)
            bar.step(len(leaf))
        kept = n_rows >= max(1, min_rows_per_leaf)
        start = np.concatenate([[0], np.cumsum(np.where(kept, n_entries, 0))])
        row = np.empty(start[-1], dtype=np.uint32)
        following = np.where(kept, start[:-1], -1)
        for first, leaf in reached_leaves(numbered, rows, n_threads):
            _native.fill_leaf_rows(leaf, *_mass(weight, copies, first, len(leaf)), first, following, row, n_threads)
            bar.step(len(leaf))
    return LeafRows(start=start, row=row, mass=whole.astype(np.float64) * unit)


def _mass(
    weight: NDArray[np.float64] | None, copies: NDArray[np.unsignedinteger] | None, first: int, n: int
) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """What a piece of rows counts, as the kernels take it: empty is 1 each."""
    piece = slice(first, first + n)
    return (
        np.empty(0) if weight is None else np.ascontiguousarray(weight[piece]),
        np.empty((0, 0), np.uint32) if copies is None else np.ascontiguousarray(copies[piece], dtype=np.uint32),
    )

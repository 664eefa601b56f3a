"""LeafRows: lists for every leaf the rows that reach it."""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import fixed_numbers
from glasswood._progress import Progress
from glasswood.ensemble import AlignedRows, Ensemble

_CHUNK_LEAVES = 1 << 22  # leaf numbers in memory at a time: 16 MB for any number of trees
_CHUNK_ROWS = 1 << 15


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LeafRows:
    """Rows of every leaf, one list after the other. Leaves are numbered across all trees."""

    start: NDArray[np.int64]  # (n_leaves + 1,) first entry of each leaf
    row: NDArray[np.uint32]  # (n_entries,) row numbers, ascending within a leaf, each as often as it was drawn
    mass: NDArray[np.float64]  # (n_leaves,) Σ weight × draws of all rows that reach the leaf, listed or not

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Leaves whose rows are listed, (n_leaves,)."""
        return np.diff(self.start) > 0


def number_leaves(ensemble: Ensemble) -> Ensemble:
    """The same trees, but `apply` numbers leaves across all trees in node order; kept with the model."""
    return ensemble._cached("numbered", _number)


def _number(ensemble: Ensemble) -> Ensemble:
    leaf = ensemble.feature < 0
    return dataclasses.replace(ensemble, leaf_id=np.where(leaf, np.cumsum(leaf) - 1, -1).astype(np.int32))


def _chunk_rows(numbered: Ensemble) -> int:
    return max(1, min(_CHUNK_ROWS, _CHUNK_LEAVES // max(1, numbered.n_trees)))


def _n_chunks(numbered: Ensemble, rows: AlignedRows) -> int:
    return -(-rows.n_rows // _chunk_rows(numbered))


def reached_leaves(numbered: Ensemble, rows: AlignedRows, n_threads: int) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """Leaves of a table in chunks: the first row of the chunk, and its (n_rows, n_trees) leaves."""
    step = _chunk_rows(numbered)
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
    """List the rows of every leaf with at least `min_rows_per_leaf` rows.

    A large table is sent through the trees twice, once to count and once to list, which costs less than storing its
    leaves; those of a table that fits in one chunk are kept.

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
        Show a bar on stderr; every row is one step in each of the two passes.
    """
    most = 1 if copies is None else int(copies.max(initial=1))
    unit = 1.0 if weight is None else fixed_numbers(weight * most)[1]
    found: Iterable[tuple[int, NDArray[np.int32]]] = reached_leaves(numbered, rows, n_threads)
    if _n_chunks(numbered, rows) == 1:
        found = list(found)
    with Progress("rows", 2 * rows.n_rows, show=progress) as bar:
        counts = _counted(numbered, found, weight, copies, unit, n_threads, bar)
        kept = counts.kept(min_rows_per_leaf)
        again = found if isinstance(found, list) else reached_leaves(numbered, rows, n_threads)
        start, row = _listed(again, counts, kept, weight, copies, n_threads, bar)
    return LeafRows(start=start, row=row, mass=counts.mass(unit))


@dataclass(frozen=True, slots=True, eq=False)
class LeafCounts:
    """Sums over rows in every leaf, as whole numbers; those of parts of the rows are added up."""

    n_rows: NDArray[np.int64]  # distinct rows
    n_entries: NDArray[np.int64]  # rows, each as often as it was drawn
    whole: NDArray[np.int64]  # Σ weight × draws in units

    def plus(self, other: "LeafCounts") -> "LeafCounts":
        """Sums over the rows of both."""
        return LeafCounts(self.n_rows + other.n_rows, self.n_entries + other.n_entries, self.whole + other.whole)

    def kept(self, min_rows_per_leaf: int) -> NDArray[np.bool_]:
        """Leaves whose rows are listed."""
        return self.n_rows >= max(1, min_rows_per_leaf)

    def mass(self, unit: float) -> NDArray[np.float64]:
        """Σ weight × draws."""
        return self.whole.astype(np.float64) * unit


def leaf_counts(
    numbered: Ensemble,
    rows: AlignedRows,
    weight: NDArray[np.float64] | None,
    copies: NDArray[np.unsignedinteger] | None,
    unit: float,
    n_threads: int,
) -> LeafCounts:
    """Count a part of the rows; `unit` is that of the weights times draws of all rows, 1 without weights."""
    with Progress("rows", rows.n_rows, show=False) as bar:
        return _counted(numbered, reached_leaves(numbered, rows, n_threads), weight, copies, unit, n_threads, bar)


def part_rows(
    numbered: Ensemble,
    rows: AlignedRows,
    weight: NDArray[np.float64] | None,
    copies: NDArray[np.unsignedinteger] | None,
    kept: NDArray[np.bool_],
    n_threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Lists of a part of the rows, numbered from 0, in the leaves that are kept: first entry of each leaf, and rows."""
    counts = leaf_counts(numbered, rows, weight, copies, 1.0 if weight is None else _any_unit(weight), n_threads)
    with Progress("rows", rows.n_rows, show=False) as bar:
        return _listed(reached_leaves(numbered, rows, n_threads), counts, kept, weight, copies, n_threads, bar)


def _any_unit(weight: NDArray[np.float64]) -> float:
    """A unit in which no sum overflows; the sums are not looked at."""
    return max(float(weight.max(initial=0.0)), 1.0)


def _counted(
    numbered: Ensemble,
    found: Iterable[tuple[int, NDArray[np.int32]]],
    weight: NDArray[np.float64] | None,
    copies: NDArray[np.unsignedinteger] | None,
    unit: float,
    n_threads: int,
    bar: Progress,
) -> LeafCounts:
    n_rows = np.zeros(numbered.n_leaves, np.int64)
    # without weights and draws, rows, entries and mass are the same number
    plain = weight is None and copies is None
    n_entries, whole = (n_rows if plain else np.zeros(numbered.n_leaves, np.int64) for _ in range(2))
    for first, leaf in found:
        counted = _mass(weight, copies, first, len(leaf))
        _native.count_leaf_rows(leaf, *counted, n_rows, n_entries, whole, unit, n_threads)
        bar.step(len(leaf))
    return LeafCounts(n_rows, n_entries, whole)


def _listed(
    found: Iterable[tuple[int, NDArray[np.int32]]],
    counts: LeafCounts,
    kept: NDArray[np.bool_],
    weight: NDArray[np.float64] | None,
    copies: NDArray[np.unsignedinteger] | None,
    n_threads: int,
    bar: Progress,
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    start = np.concatenate([[0], np.cumsum(np.where(kept, counts.n_entries, 0))])
    row = np.empty(start[-1], dtype=np.uint32)
    following = np.where(kept, start[:-1], -1)
    for first, leaf in found:
        _native.fill_leaf_rows(leaf, *_mass(weight, copies, first, len(leaf)), first, following, row, n_threads)
        bar.step(len(leaf))
    return start, row


def _mass(
    weight: NDArray[np.float64] | None, copies: NDArray[np.unsignedinteger] | None, first: int, n: int
) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """Weights and draws of a chunk of rows for the kernels; empty means 1 each."""
    piece = slice(first, first + n)
    return (
        np.empty(0) if weight is None else np.ascontiguousarray(weight[piece]),
        np.empty((0, 0), np.uint32) if copies is None else np.ascontiguousarray(copies[piece], dtype=np.uint32),
    )

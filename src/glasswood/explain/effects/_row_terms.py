"""RowTerms: terms of partial dependence at the rows, for every feature and for pairs, computed some trees at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import exact_column_means, exact_sum
from glasswood._native import FREE
from glasswood._progress import Progress
from glasswood.ensemble import align
from glasswood.explain.effects._cell_grid import CellGrid
from glasswood.explain.effects._row_stream import Rows
from glasswood.explain.effects._row_sums import check_total, largest_change, roles
from glasswood.tables import FrameKind

Array = NDArray[np.float64]
Pairs = NDArray[np.int32]  # (n_pairs, 2)
LeafSums = tuple[NDArray[np.int64], int]  # weight in each slot of the leaves, and of all rows

_MAX_SLOTS = 32_000_000  # shares of leaves that are in memory at the same time: 16 bytes each
_MAX_LEAVES = 8_000_000  # leaves of the pairs that are processed together: 32 bytes each
_ROUNDING = 1e-13
TABLE_CELLS = 50_000_000  # tables of pairs with more cells than this are not made to look up terms


@dataclass(frozen=True, slots=True, eq=False)
class TermRows:
    """The rows as cells, with raw of each row; in units of the powers of two of the grid."""

    grid: CellGrid
    codes: _native.Codes
    raw: Array  # (n_rows, n_outputs)
    weight: Array  # (n_rows,)
    kind: FrameKind | None

    def moments(self, values: Array) -> tuple[Array, Array]:
        """Weighted mean and variance of each output of (n_rows, n_outputs)."""
        mean = exact_column_means(values, self.weight)
        return mean, exact_column_means((values - mean) ** 2, self.weight)

    def cell(self, feature: int) -> NDArray[np.int64]:
        """Cell of every row in one feature."""
        n_outputs = self.grid.ensemble.n_outputs
        numbers = np.tile(np.arange(self.grid.size[feature], dtype=np.float64), n_outputs)
        return self._look_up(feature, -numbers)[:, 0].astype(np.int64)

    def at_rows(self, feature: int, table: Array) -> Array:
        """Entry of each row's cell, (n_rows, n_outputs), of a table (n_outputs, cells) of one feature."""
        return self._look_up(feature, -table.ravel())

    def _look_up(self, feature: int, table: Array) -> Array:
        out = np.zeros(self.raw.size)
        self.codes.subtract(np.array([[feature]], dtype=np.int32), table, out)
        return out.reshape(self.raw.shape)


@dataclass(frozen=True, slots=True, eq=False)
class RowTerms:
    """f_j = PD_j − PD_∅ of every feature in its cells, and f_jk = PD_jk − PD_j − PD_k + PD_∅ of pairs at the rows."""

    rows: TermRows
    singles: list[Array]  # (n_outputs, cells) of each feature
    pairs: Pairs  # those that have a column of their own
    columns: Array  # (n_pairs, n_rows, n_outputs)
    others: Array  # (n_rows, n_outputs) sum of all other pairs that were asked for


def rounding_noise(grid: CellGrid) -> float:
    """Variances up to this one are rounding errors."""
    ensemble = grid.ensemble
    largest = float(np.abs(ensemble.baseline).max(initial=0.0)) + largest_change(ensemble)
    return (_ROUNDING * largest) ** 2


def read_term_rows(grid: CellGrid, rows: Rows, n_threads: int, *, progress: bool) -> TermRows:
    """All rows as cells, and raw of those with weight; `TableError` if no row has weight."""
    found = read_part_rows(grid, rows, n_threads, progress=progress)
    check_total(exact_sum(found.weight))
    return found


def read_part_rows(grid: CellGrid, rows: Rows, n_threads: int, *, progress: bool = False) -> TermRows:
    """The same of rows that may be a part; then the weights have the unit of all rows."""
    codes = _native.Codes(grid.paths)
    parts = [np.zeros((0, grid.ensemble.n_outputs))]
    with Progress("rows", rows.n_parts, show=progress) as bar:
        for table, weight in rows.parts:
            aligned = align(table, grid.ensemble.features)
            codes.append(aligned.data, weight, n_threads)
            raw = grid.ensemble._plan().predict_raw(aligned.data, n_threads)
            parts.append(raw if weight is None else raw[weight != 0])
            bar.step()
    weight = codes.weight() if len(codes.weight()) else np.ones(codes.n_rows)
    codes.fix(rows.unit)
    return TermRows(grid, codes, np.concatenate(parts), weight, rows.kind)


def make_row_terms(
    rows: TermRows,
    pairs: Pairs,
    others: Pairs,
    *,
    max_cells: int,
    n_threads: int,
    progress: bool = False,
    sums: Sequence[LeafSums] | None = None,
) -> RowTerms:
    """Terms of all features, of `pairs` in a column each and of `others` in one column for all.

    Terms add up over trees: shares of leaves are computed for some trees at a time and then deleted. Which trees are
    grouped depends only on the model, so the result does not depend on the number of threads. `sums` are those of all
    rows if these are a part of them.
    """
    grid, codes = rows.grid, rows.codes
    ensemble = grid.ensemble
    features = np.arange(len(ensemble.features), dtype=np.int32)[:, None]
    role = roles(grid, features, FREE)
    flat = np.zeros(int(grid.n_cells(features).sum()) * ensemble.n_outputs)
    columns = np.zeros((len(pairs), *rows.raw.shape))
    shared = np.zeros(rows.raw.size)
    with Progress("pairs of features, tree by tree", ensemble.n_trees, show=progress) as bar:
        for group, (first, last) in enumerate(_tree_groups(grid)):
            row_shares = _native.RowShares(grid.paths, role, 2, first, last)
            if sums is None:
                row_shares.add(codes, 0, codes.n_rows, n_threads)
            else:
                row_shares.add_sums(*sums[group])
            shares = row_shares.shares()
            del row_shares
            flat += _native.effect_terms(grid.paths, shares, features)
            n_leaves = _native.pair_leaves(grid.paths, pairs, first, last)
            for some in _pair_groups(n_leaves):
                out = columns[some].reshape(-1)
                _native.add_pair_rows(grid.paths, shares, pairs[some], codes, out, max_cells, False, n_threads)
            n_leaves = _native.pair_leaves(grid.paths, others, first, last)
            for some in _pair_groups(n_leaves):
                _native.add_pair_rows(grid.paths, shares, others[some], codes, shared, max_cells, True, n_threads)
            bar.step(last - first)
    singles = grid.split(flat, features, ensemble.n_outputs)
    return RowTerms(rows, singles, pairs, columns, shared.reshape(rows.raw.shape))


def leaf_sums(rows: TermRows, n_threads: int) -> list[LeafSums]:
    """Sums over the rows for the shares of leaves, of each group of trees."""
    grid, found = rows.grid, []
    role = roles(grid, np.arange(len(grid.ensemble.features), dtype=np.int32)[:, None], FREE)
    for first, last in _tree_groups(grid):
        row_shares = _native.RowShares(grid.paths, role, 2, first, last)
        row_shares.add(rows.codes, 0, rows.codes.n_rows, n_threads)
        found.append(row_shares.sums())
    return found


def _tree_groups(grid: CellGrid) -> Iterator[tuple[int, int]]:
    """First and last tree of groups whose shares of leaves fit in memory."""
    slots = np.cumsum(_tree_slots(grid))
    first = 0
    while first < len(slots):
        before = int(slots[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(slots, before + _MAX_SLOTS, side="right")))
        yield first, last
        first = last


def _tree_slots(grid: CellGrid) -> NDArray[np.int64]:
    """Shares of all leaves of each tree: one for no feature of a path, for each and for any two."""
    ensemble = grid.ensemble
    length = np.diff(grid.paths.sides()[0]).astype(np.int64)
    until = np.concatenate([[0], np.cumsum(1 + length * (length + 1) // 2)])
    leaves = np.concatenate([[0], np.cumsum(ensemble.feature < 0)])
    return np.asarray(np.diff(until[leaves[ensemble.tree_start]]))


def _pair_groups(n_leaves: NDArray[np.int64]) -> Iterator[slice]:
    """Neighbouring pairs that do not hold too many leaves."""
    piece = (np.cumsum(n_leaves) - n_leaves) // _MAX_LEAVES
    first = 0
    for last in (np.flatnonzero(np.diff(piece, append=-1)) + 1).tolist():
        yield slice(first, last)
        first = last

"""RankedTrees simulates several machines in one process: each rank holds some of the rows.

All ranks are in this process. Each sees only the gradients of its own rows; they exchange what machines would exchange:
largest sizes, integer sums and split records.
"""

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.train.boosting._boosted_table import BoostedTable
from glasswood.train.boosting._tree_source import OutputRows, grow_in_turn

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint32]


class Rank:
    """The rows of one rank."""

    def __init__(
        self,
        rank: int,
        rank_of: NDArray[np.int64],
        n_ranks: int,
        train: BoostedTable,
        by_column: Any,
        rules: Any,
        exact: bool,
    ) -> None:
        table = train.table
        self.rows = rows = np.flatnonzero(rank_of == rank)  # of the whole table
        self.weight = table.weight[rows] if len(table.weight) else table.weight
        self.number = table.row_id[rows] if len(table.row_id) else rows
        self.bins = padded(train.bins[rows], train.bins.strides[0])
        self.by_column = np.ascontiguousarray(by_column[:, rows])
        self.statistics = _native.RowStatistics(exact)
        self.tree = _native.LevelTree(self.bins, self.by_column, rules, rank, n_ranks)
        self.drawn = np.empty(0, dtype=np.uint32)

    def slopes(self, gradient: Floats, hessian: Floats) -> tuple[Floats, Floats, Floats]:
        return gradient[self.rows], hessian[self.rows], self.weight


class RankedTrees:
    """The methods of `LocalTrees`; refits of leaves need an exchange of their own."""

    def __init__(
        self,
        rank_of: NDArray[np.int64],
        n_ranks: int,
        train: BoostedTable,
        by_column: Any,
        rules: Any,
        *,
        exact: bool,
        seed: int,
    ) -> None:
        self.n_table, self.seed = len(rank_of), seed
        self.ranks = [Rank(r, rank_of, n_ranks, train, by_column, rules, exact) for r in range(n_ranks)]

    def grow(
        self, gradient: Floats, hessian: Floats, rows: Numbers, columns: Numbers, stream: int, n_threads: int
    ) -> _native.GrownTree:
        self._share_units(gradient, hessian, stream, n_threads)
        for rank in self.ranks:
            rank.drawn = np.flatnonzero(np.isin(rank.rows, rows)).astype(np.uint32)
            rank.tree.begin(rank.statistics, rank.drawn, columns)
        while self._level(n_threads):
            pass
        leaf_sums: Any = reduce(np.add, [rank.tree.leaf_sums(n_threads) for rank in self.ranks])
        trees = [rank.tree.finish(leaf_sums) for rank in self.ranks]
        for other in trees[1:]:
            check_same(trees[0].arrays(), other.arrays())
        return trees[0]

    def _share_units(self, gradient: Floats, hessian: Floats, stream: int, n_threads: int) -> None:
        slopes = [rank.slopes(gradient, hessian) for rank in self.ranks]
        largest: Any = reduce(np.maximum, [_native.largest_statistics(*own, n_threads) for own in slopes])
        rough: Any = reduce(np.add, [_native.rough_statistics(*own, largest, n_threads) for own in slopes])
        units = self.ranks[0].statistics.units(largest, rough, self.n_table)
        for rank, own in zip(self.ranks, slopes, strict=True):
            rank.statistics.set_part(*own, rank.number, self.seed, stream, units, self.n_table, n_threads)

    def _level(self, n_threads: int) -> int:
        sizes = self.ranks[0].tree.segments()
        sums = np.zeros(sizes.sum(), dtype=np.int64)
        for rank in self.ranks:
            np.testing.assert_array_equal(rank.tree.segments(), sizes)
            filled = np.full_like(sums, -1)
            rank.tree.fill(filled, n_threads)
            sums += filled
        blocks = np.split(sums, np.cumsum(sizes)[:-1])
        found = [rank.tree.scan(block, n_threads) for rank, block in zip(self.ranks, blocks, strict=True)]
        records = b"".join(reversed(found))  # their order does not matter
        (n_open,) = {rank.tree.choose(records, n_threads) for rank in self.ranks}
        return n_open

    def refit_leaves(self, tree: _native.GrownTree, raw: Floats, quantile: float, n_threads: int) -> None:
        raise AssertionError("quantiles of leaves are not merged by ranks yet")

    def add(self, tree: _native.GrownTree, raw: Floats, n_threads: int) -> None:
        for rank in self.ranks:
            part = raw[rank.rows]
            if rank is self.ranks[0]:  # whose tree it is
                tree.add_to_grown(rank.tree, part, n_threads)
            else:
                tree.add_to_rows(rank.bins, rank.drawn, part, n_threads)
            raw[rank.rows] = part

    def grow_outputs(self, given: OutputRows, n_threads: int) -> list[_native.GrownTree]:
        """One after the other."""
        return grow_in_turn(self, given, n_threads)


def check_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Arrays of two trees, to the bit."""
    assert one.keys() == other.keys()
    for name, values in one.items():
        assert values.dtype == other[name].dtype and values.tobytes() == other[name].tobytes(), name


def padded(rows: NDArray[np.uint8], stride: int) -> NDArray[np.uint8]:
    """A copy of binned rows in the layout of `bin_rows`."""
    copy = np.zeros((len(rows), max(stride, rows.shape[1])), dtype=np.uint8)
    copy[:, : rows.shape[1]] = rows
    return copy[:, : rows.shape[1]]

"""TeamTrees: grows trees on the rows of all members of a team, level by level or best leaf first.

Every member fills the histograms of its own rows. The sums of all members are whole numbers, so the trees have the bits
of those that one process grows, however the rows are cut.
"""

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.team import Exchange, add_up, gather, group_quantiles, largest, sum_blocks, whole_weights
from glasswood.train.boosting._boosted_table import BoostedTable
from glasswood.train.boosting._tree_source import OutputRows, grow_in_turn

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint32]


class TeamTrees:
    """The trees of one member; those of all members are the same."""

    def __init__(
        self,
        team: Exchange,
        train: BoostedTable,
        by_column: NDArray[np.uint8],
        rules: _native.NodeRules,
        *,
        exact: bool,
        seed: int,
        unit_hessian: bool = False,  # whether the hessian of every row is its weight
    ) -> None:
        self._team, self._train, self._seed = team, train, seed
        self._n_table = int(add_up(team, [len(train.all_rows)])[0])
        self._exact = exact
        assert isinstance(train.bins, np.ndarray), "only trees of one machine are grown on bundles"
        self._bins, self._by_column, self._rules = train.bins, by_column, rules
        # pairs: half of the numbers to be filled, sent and scanned
        self._pairs = exact and unit_hessian and rules.take_pairs
        self._statistics, self._tree = self._new_tree()
        # of all outputs, where they share their questions
        self._shared = [(self._statistics, self._tree)]
        self._rows = train.all_rows
        self._sums = np.empty(0, dtype=np.int64)
        self._whole: NDArray[np.int64] | None = None

    def grow(
        self, gradient: Floats, hessian: Floats, rows: Numbers, columns: Numbers, stream: int, n_threads: int
    ) -> _native.GrownTree:
        """Grow a tree on these rows of this member and the rows of the others."""
        self._begin(self._statistics, self._tree, gradient, hessian, rows, columns, stream, n_threads)
        while self._level(n_threads):
            pass
        sums = self._tree.leaf_sums(n_threads)
        return self._tree.finish(sums if self._exact else add_up(self._team, sums))

    def _new_tree(self) -> tuple[_native.RowStatistics, _native.LevelTree]:
        tree = _native.LevelTree(
            self._bins, self._by_column, self._rules, self._team.rank, self._team.size, self._train.wide
        )
        return _native.RowStatistics(self._exact, pairs=self._pairs), tree

    def _begin(
        self,
        statistics: _native.RowStatistics,
        tree: _native.LevelTree,
        gradient: Floats,
        hessian: Floats,
        rows: Numbers,
        columns: Numbers,
        stream: int,
        n_threads: int,
    ) -> None:
        """Open the root of a tree."""
        team, table = self._team, self._train.table
        own = (gradient, hessian, table.weight)
        most = largest(team, _native.largest_statistics(*own, n_threads))
        rough = add_up(team, _native.rough_statistics(*own, most, n_threads))
        units = statistics.units(most, rough, self._n_table)
        statistics.set_part(*own, table.row_id, self._seed, stream, units, self._n_table, n_threads)
        tree.begin(statistics, rows, columns)
        self._rows = rows

    def _level(self, n_threads: int) -> int:
        """Split the nodes of a level, best first one node; returns how many splits the next level looks into."""
        records = self._tree.scan(*self._own_sums(self._tree, n_threads))
        return self._tree.choose(b"".join(gather(self._team, records)), n_threads)

    def _own_sums(self, tree: _native.LevelTree, n_threads: int) -> tuple[NDArray[np.int64], int, list[bytes]]:
        """What `scan` takes: sums of the rows of all members, and levels they have, of the features of this member."""
        sizes = tree.segments().tolist()
        if sum(sizes) > len(self._sums):
            self._sums = np.empty(sum(sizes), dtype=np.int64)
        sums = self._sums[: sum(sizes)]
        tree.fill(sums, n_threads)
        own = sum_blocks(self._team, sums, sizes)
        levels = tree.levels(n_threads)
        # wide categories have no histogram: a message per level more, if there are any
        return own, n_threads, [bytes(part) for part in self._team.swap(levels)] if levels else []

    def refit_leaves(self, tree: _native.GrownTree, raw: Floats, quantile: float, n_threads: int) -> None:
        """Replace the values of leaves by quantiles of the residuals of all members."""
        table = self._train.table
        if self._whole is None:
            self._whole = whole_weights(self._team, table.weight, len(table.y))
        feature = tree.arrays()["feature"]
        leaves = np.flatnonzero(feature < 0)
        group = np.searchsorted(leaves, tree.find_leaves(self._bins, self._rows, n_threads, self._train.wide))
        residual = (table.y - raw)[self._rows]
        values = np.full(len(feature), np.nan)
        values[leaves] = group_quantiles(self._team, group, residual, self._whole[self._rows], len(leaves), quantile)
        tree.set_leaves(values)

    def add(self, tree: _native.GrownTree, raw: Floats, n_threads: int) -> None:
        """Add the values to the rows of the tree."""
        tree.add_to_grown(self._tree, raw, n_threads)

    def grow_outputs(self, given: OutputRows, n_threads: int) -> list[_native.GrownTree]:
        """Grow a tree per output, one after the other, or all together where they share their questions."""
        return self._grow_shared(given, n_threads) if given.shared else grow_in_turn(self, given, n_threads)

    def _grow_shared(self, given: OutputRows, n_threads: int) -> list[_native.GrownTree]:
        while len(self._shared) < len(given.raw):
            self._shared.append(self._new_tree())
        trees = [tree for _, tree in self._shared]
        for k, (statistics, tree) in enumerate(self._shared):
            stream = given.first_stream + k
            gradient, hessian, columns = given.gradient[k], given.hessian[k], given.columns[0]
            self._begin(statistics, tree, gradient, hessian, given.rows, columns, stream, n_threads)
        while self._shared_level(trees, n_threads):
            pass
        grown = [tree.finish(tree.leaf_sums(n_threads)) for tree in trees]
        for values, tree, raw in zip(grown, trees, given.raw, strict=True):
            values.scale(given.rate)
            values.add_to_grown(tree, raw, n_threads)
        return grown

    def _shared_level(self, trees: list[_native.LevelTree], n_threads: int) -> int:
        for tree in trees:
            tree.read(*self._own_sums(tree, n_threads))
        records = [gather(self._team, own) for own in _native.scan_shared(trees, n_threads)]
        return _native.choose_shared(trees, [b"".join(own) for own in records], n_threads)

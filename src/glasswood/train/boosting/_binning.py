"""Binning: how the values of each feature become the bins that boosting grows on.

A bin is a byte. A category with more levels than a byte tells apart is wide: its levels have two bytes each in an array
of their own, and its byte only says whether a value is missing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import AlignedRows, FeatureSchema, Label
from glasswood.tables import label_key
from glasswood.team import ALONE, Exchange, add_up, draw_rows, team_group_sums
from glasswood.train._parted_rows import PartedRows
from glasswood.train.boosting._team_edges import team_edges

# more rows hardly improve the edges, and sorting more of a column costs more than growing a tree
_MAX_ROWS = 200_000
_BY_POSITION = np.empty(0, dtype=np.int64)
_EDGE_STREAM = 2**63  # a stream of random numbers that no round uses
_MAX_BINS = 255  # `max_bins` that sets no limit on levels


# edges as `_native.bin_edges` finds them: from data, categories, rows, their weights, max_bins and threads
EdgeFinder = Callable[
    [Any, NDArray[np.bool_], NDArray[np.uint32], NDArray[np.float64], int, int],
    tuple[NDArray[np.int64], NDArray[np.float64]],
]


@dataclass(frozen=True, slots=True)
class LevelLimits:
    """How many levels of a category are told apart."""

    narrow: int = 254  # by a byte, with two of its 256 values for missing and unseen; at least 1; it changes no tree
    wide: int = 65_000  # by two bytes; the rarest of more levels share a bin


LEVEL_LIMITS = LevelLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Binning:
    """Edges of numbers and bins of levels.

    The bin of a number is the number of edges below it, so ``bin <= k`` means ``x <= edges[k]``. Missing values have
    the bin after the last one, levels that were not in the training table the bin after that.
    """

    features: FeatureSchema
    edge_start: NDArray[np.int64]  # (n_features + 1,) those of feature f are edges[edge_start[f] : edge_start[f + 1]]
    edges: NDArray[np.float64]  # ascending per feature
    level_start: NDArray[np.int64]  # (n_features + 1,)
    level_bin: NDArray[np.uint16]  # bin of each level, feature by feature
    is_wide: NDArray[np.bool_]  # (n_features,) categories with more bins than a byte tells apart
    n_shared: NDArray[np.int64]  # (n_features,) levels with rows that share a bin

    @property
    def n_bins(self) -> NDArray[np.uint16]:
        """Bins per feature that a byte tells apart, without those for missing and unseen; 1 for a wide category."""
        counts = np.diff(self.edge_start) + 1
        for f in np.flatnonzero(self.features.is_category & ~self.is_wide).tolist():
            counts[f] = _n_bins(self.bins_of_levels(f))
        return counts.astype(np.uint16)

    @property
    def n_wide(self) -> NDArray[np.uint16]:
        """Bins of each wide category, without those for missing and unseen; 0 for other features."""
        counts = [_n_bins(self.bins_of_levels(f)) if wide else 0 for f, wide in enumerate(self.is_wide.tolist())]
        return np.array(counts, dtype=np.uint16)

    def edges_of(self, feature: int) -> NDArray[np.float64]:
        """Edges of a number."""
        return self.edges[self.edge_start[feature] : self.edge_start[feature + 1]]

    def bins_of_levels(self, feature: int) -> NDArray[np.uint16]:
        """Bin of each level of a category."""
        return self.level_bin[self.level_start[feature] : self.level_start[feature + 1]]

    def apply(self, rows: AlignedRows | PartedRows, n_threads: int) -> NDArray[np.uint8]:
        """One byte per value, (n_rows, n_features)."""
        return self._bins(rows, by_column=False, n_threads=n_threads)[0]

    def apply_both(self, rows: AlignedRows | PartedRows, n_threads: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """One byte per value, (n_rows, n_features), and the same by column, (n_features, n_rows)."""
        return self._bins(rows, by_column=True, n_threads=n_threads)

    def bundle(self, rows: AlignedRows, *, with_unseen: bool) -> _native.BundledRows:
        """The bins of a sparse table in columns that features share, without a dense copy.

        `with_unseen`: whether the table may have levels that the training table does not have. Its rows walk
        down trees, and no tree is grown on it.
        """
        start, edges, level_start = self.edge_start, self.edges, self.level_start
        return _native.BundledRows(
            rows.data,
            self.features.is_category,
            start,
            edges,
            level_start,
            self._byte_bins(),
            self.n_bins,
            with_unseen,
            lists=not with_unseen,
        )

    def _byte_bins(self) -> NDArray[np.uint8]:
        """Bin of each level; 0 for those of wide categories."""
        return np.where(np.repeat(self.is_wide, np.diff(self.level_start)), 0, self.level_bin).astype(np.uint8)

    def apply_wide(self, rows: AlignedRows | PartedRows) -> NDArray[np.uint16]:
        """Bins of the wide categories, (n_wide_features, n_rows)."""
        wide = np.flatnonzero(self.is_wide).tolist()
        out = np.empty((len(wide), rows.n_rows), dtype=np.uint16)
        columns = _columns(rows, wide)
        for place, f in enumerate(wide):
            bins, codes = self.bins_of_levels(f), columns[f]
            missing = _n_bins(bins)
            known = np.append(bins, np.array([missing + 1, missing], dtype=np.uint16))
            # a code after the last level is one never seen, −1 is missing
            out[place] = known[np.clip(codes, -1, len(bins))]
        return out

    def _bins(
        self, rows: AlignedRows | PartedRows, *, by_column: bool, n_threads: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        if isinstance(rows, PartedRows):
            return self._bins_by_part(rows, by_column=by_column, n_threads=n_threads)
        return _native.bin_rows(rows.data, *self._edges_and_levels(), by_column, n_threads)

    def _edges_and_levels(
        self,
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.uint8]]:
        """What the kernels make bins by."""
        return self.features.is_category, self.edge_start, self.edges, self.level_start, self._byte_bins()

    def _bins_by_part(
        self, rows: PartedRows, *, by_column: bool, n_threads: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The bins of all parts; only one part is in memory at a time."""
        bins, columns = _native.new_bins(rows.n_rows, len(self.features), by_column)
        for place, part in rows.parts():
            _native.bin_part(part.data, *self._edges_and_levels(), bins, columns, place.start, n_threads)
        return bins, columns


def make_binning(
    rows: AlignedRows | PartedRows,
    features: FeatureSchema,
    weight: NDArray[np.float64],
    *,
    row_id: NDArray[np.int64] = _BY_POSITION,
    max_bins: int,
    limits: LevelLimits = LEVEL_LIMITS,
    seed: int,
    n_threads: int,
    team: Exchange = ALONE,
    find_edges: EdgeFinder = _native.bin_edges,
) -> Binning:
    """Find edges and level bins; an empty `weight` means 1. Rows of weight 0 do not count.

    The rows of a large table that determine its edges are drawn by their `row_id`, or by their position if it is empty.
    In a team, `rows` are those of this member, and the result is that of all rows.
    A `max_bins` below 255 also limits the levels of a category that are told apart.
    """
    used = np.arange(rows.n_rows, dtype=np.uint32) if not len(weight) else np.flatnonzero(weight > 0).astype(np.uint32)
    is_large = add_up(team, [len(used)])[0] > _MAX_ROWS
    sample = draw_rows(team, used, row_id, _MAX_ROWS, seed, _EDGE_STREAM)[0] if is_large else used
    sample_weight = weight[sample] if len(weight) else weight
    if isinstance(rows, AlignedRows):
        drawn, places = rows, sample
    else:
        drawn, places = rows.take(sample).gathered(), np.arange(len(sample), dtype=np.uint32)
    given = (features.is_category, places, sample_weight, max_bins, n_threads)
    start, edges = find_edges(drawn.data, *given) if team.size == 1 else team_edges(team, drawn, *given)
    del drawn  # of parted rows, a copy
    codes = _columns(rows, np.flatnonzero(features.is_category).tolist())
    masses = [_level_masses(codes.get(f), features, f, weight, team) for f in range(len(features))]
    most = limits.wide if max_bins == _MAX_BINS else max_bins
    levels = [
        _level_bins(mass, labels or (), min(most, limits.narrow) if _fits(mass, limits.narrow) else most)
        for mass, labels in zip(masses, features.categories, strict=True)
    ]
    return Binning(
        features=features,
        edge_start=start,
        edges=edges,
        level_start=np.cumsum([0, *map(len, levels)]),
        level_bin=np.concatenate([*levels, np.empty(0, dtype=np.uint16)]),
        is_wide=np.array([_n_bins(bins) > limits.narrow for bins in levels], dtype=bool),
        n_shared=np.array([_n_shared(mass, bins) for mass, bins in zip(masses, levels, strict=True)], dtype=np.int64),
    )


def _columns(rows: AlignedRows | PartedRows, features: list[int]) -> dict[int, NDArray[Any]]:
    """Some columns by feature."""
    if not features:
        return {}
    if isinstance(rows, AlignedRows):
        return {f: rows.column(f) for f in features}
    gathered = rows.gathered(features)
    return {f: gathered.column(k) for k, f in enumerate(features)}


def _level_masses(
    codes: NDArray[Any] | None, features: FeatureSchema, feature: int, weight: NDArray[np.float64], team: Exchange
) -> NDArray[np.float64]:
    """Weight of each level of a category; empty for a number."""
    labels = features.categories[feature]
    if labels is None or codes is None:
        return np.empty(0)
    known = codes >= 0
    if not add_up(team, [len(weight)])[0]:
        return add_up(team, np.bincount(codes[known], minlength=len(labels))).astype(np.float64)
    return team_group_sums(team, codes[known], weight[known] if len(weight) else weight, len(labels))


def _fits(mass: NDArray[np.float64], n_bins: int) -> bool:
    """Whether so many bins tell apart the levels with rows; all others can share one bin without loss."""
    return len(mass) <= n_bins or int(np.count_nonzero(mass)) < n_bins


def _level_bins(mass: NDArray[np.float64], labels: Sequence[Label], n_bins: int) -> NDArray[np.uint16]:
    """Bin of each level, in the order of the labels: one of its own, or the last one, which the rarest levels share.

    The result does not depend on the order in which the table declares its levels, which may follow the order of rows.
    """
    if not labels:
        return np.empty(0, dtype=np.uint16)
    by_label = np.array(sorted(range(len(labels)), key=lambda k: label_key(labels[k])), dtype=np.int64)
    if len(mass) > n_bins:
        heaviest = np.argsort(-mass[by_label], kind="stable")[: n_bins - 1]
        by_label = by_label[np.sort(heaviest)]
    bins = np.full(len(mass), n_bins - 1, dtype=np.uint16)
    bins[by_label] = np.arange(len(by_label))
    return bins


def _n_bins(bins: NDArray[np.uint16]) -> int:
    return int(bins.max(initial=0)) + 1 if len(bins) else 0


def _n_shared(mass: NDArray[np.float64], bins: NDArray[np.uint16]) -> int:
    """Count the levels with rows in the shared bin."""
    if not len(bins):
        return 0
    in_last = int(np.count_nonzero(mass[bins == bins.max(initial=0)] > 0))
    return in_last if in_last > 1 else 0

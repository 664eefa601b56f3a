"""Binning: how the values of each feature become the 256 bins that boosting grows on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import exact_group_sums
from glasswood.ensemble import AlignedRows, FeatureSchema, Label
from glasswood.tables import label_key

# more rows hardly improve the edges, and sorting more of a column costs more than growing a tree
_MAX_ROWS = 200_000
# a category needs two of the 256 bins for missing and unseen values
_MAX_LEVEL_BINS = 254
_BY_POSITION = np.empty(0, dtype=np.int64)


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
    level_bin: NDArray[np.uint8]  # bin of each level, feature by feature
    n_shared: NDArray[np.int64]  # (n_features,) levels with rows that share a bin

    @property
    def n_bins(self) -> NDArray[np.uint16]:
        """Bins per feature, without those for missing and unseen."""
        counts = np.diff(self.edge_start) + 1
        for f in np.flatnonzero(self.features.is_category).tolist():
            counts[f] = max((int(b) + 1 for b in self.bins_of_levels(f)), default=0)
        return counts.astype(np.uint16)

    def edges_of(self, feature: int) -> NDArray[np.float64]:
        """Edges of a number."""
        return self.edges[self.edge_start[feature] : self.edge_start[feature + 1]]

    def bins_of_levels(self, feature: int) -> NDArray[np.uint8]:
        """Bin of each level of a category."""
        return self.level_bin[self.level_start[feature] : self.level_start[feature + 1]]

    def apply(self, rows: AlignedRows, n_threads: int) -> NDArray[np.uint8]:
        """One byte per value, (n_rows, n_features)."""
        return self._bins(rows, by_column=False, n_threads=n_threads)[0]

    def apply_both(self, rows: AlignedRows, n_threads: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """One byte per value, (n_rows, n_features), and the same by column, (n_features, n_rows)."""
        return self._bins(rows, by_column=True, n_threads=n_threads)

    def _bins(
        self, rows: AlignedRows, *, by_column: bool, n_threads: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        return _native.bin_rows(
            rows.data,
            self.features.is_category,
            self.edge_start,
            self.edges,
            self.level_start,
            self.level_bin,
            by_column,
            n_threads,
        )


def make_binning(
    rows: AlignedRows,
    features: FeatureSchema,
    weight: NDArray[np.float64],
    *,
    row_id: NDArray[np.int64] = _BY_POSITION,
    max_bins: int,
    seed: int,
    n_threads: int,
) -> Binning:
    """Find edges and level bins; an empty `weight` means 1. Rows of weight 0 do not count.

    The rows of a large table that determine its edges are drawn by their `row_id`, or by their position if it is empty.
    """
    used = np.arange(rows.n_rows, dtype=np.uint32) if not len(weight) else np.flatnonzero(weight > 0).astype(np.uint32)
    sample = used if len(used) <= _MAX_ROWS else _native.choose_rows(used, row_id, _MAX_ROWS, seed, _EDGE_STREAM)[0]
    sample_weight = weight[sample] if len(weight) else weight
    start, edges = _native.bin_edges(rows.data, features.is_category, sample, sample_weight, max_bins, n_threads)
    masses = [_level_masses(rows, features, f, weight) for f in range(len(features))]
    n_bins = min(max_bins, _MAX_LEVEL_BINS)
    levels = [_level_bins(mass, labels or (), n_bins) for mass, labels in zip(masses, features.categories, strict=True)]
    return Binning(
        features=features,
        edge_start=start,
        edges=edges,
        level_start=np.cumsum([0, *map(len, levels)]),
        level_bin=np.concatenate([*levels, np.empty(0, dtype=np.uint8)]),
        n_shared=np.array([_n_shared(mass, bins) for mass, bins in zip(masses, levels, strict=True)], dtype=np.int64),
    )


_EDGE_STREAM = 2**63  # a stream of random numbers that no round uses


def _level_masses(
    rows: AlignedRows, features: FeatureSchema, feature: int, weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weight of each level of a category; empty for a number."""
    labels = features.categories[feature]
    if labels is None:
        return np.empty(0)
    codes = rows.column(feature)
    known = codes >= 0
    if not len(weight):
        return np.bincount(codes[known], minlength=len(labels)).astype(np.float64)
    return exact_group_sums(codes[known], weight[known], len(labels))


def _level_bins(mass: NDArray[np.float64], labels: Sequence[Label], n_bins: int) -> NDArray[np.uint8]:
    """Bin of each level, in the order of the labels: one of its own, or the last one, which the rarest levels share.

    The result does not depend on the order in which the table declares its levels, which may follow the order of rows.
    """
    by_label = np.array(sorted(range(len(labels)), key=lambda k: label_key(labels[k])), dtype=np.int64)
    if len(mass) > n_bins:
        heaviest = np.argsort(-mass[by_label], kind="stable")[: n_bins - 1]
        by_label = by_label[np.sort(heaviest)]
    bins = np.full(len(mass), n_bins - 1, dtype=np.uint8)
    bins[by_label] = np.arange(len(by_label))
    return bins


def _n_shared(mass: NDArray[np.float64], bins: NDArray[np.uint8]) -> int:
    """Count the levels with rows in the shared bin."""
    in_last = int(np.count_nonzero(mass[bins == bins.max(initial=0)] > 0))
    return in_last if in_last > 1 else 0

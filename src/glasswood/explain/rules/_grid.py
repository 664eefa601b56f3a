"""RuleGrid: the cells of each feature from which the paths of a forest are built."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import exact_group_sums
from glasswood.ensemble import ZERO, AlignedRows, Ensemble, FeatureSchema, node_depths, split_nodes
from glasswood.explain._quantiles import cut_positions
from glasswood.tables import SparseColumn

_BLOCK_ROWS = 1024


@dataclass(frozen=True, slots=True, eq=False)
class RuleGrid:
    """Cuts of numbers and orders of levels; every split of the trees separates cells."""

    features: FeatureSchema
    cuts: tuple[NDArray[np.float64], ...]  # for each feature ascending; cell k is cuts[k − 1] < x <= cuts[k]
    level_order: tuple[NDArray[np.int64], ...]  # for each category the code of the level in each cell
    has_missing: NDArray[np.bool_]  # (n_features,) some row of positive weight lacks the value
    cut: NDArray[np.int32]  # (n_nodes,) last cell that goes left; unused for categories
    snapped_share: float = 0.0  # mean share of the rows that change side when a threshold is moved to a cut
    cells: _native.RuleCells = field(init=False)

    def __post_init__(self) -> None:
        categories = self.features.is_category
        n_cells = [len(o) if c else len(k) + 1 for k, o, c in zip(self.cuts, self.level_order, categories, strict=True)]
        level_cell = [np.full(n, -1, dtype=np.int32) for n in self.features.n_levels]
        for cell_of, order in zip(level_cell, self.level_order, strict=True):
            cell_of[order] = np.arange(len(order), dtype=np.int32)
        cells = _native.RuleCells(
            n_cells=np.array(n_cells, dtype=np.int32),
            has_missing=np.ascontiguousarray(self.has_missing),
            rank=feature_places(self.features),
            level_start=np.concatenate([[0], np.cumsum(self.features.n_levels)]).astype(np.int64),
            level_cell=np.concatenate([np.zeros(0, dtype=np.int32), *level_cell]),
        )
        object.__setattr__(self, "cells", cells)


def feature_places(features: FeatureSchema) -> NDArray[np.int32]:
    """Rank of each feature in the order of names, or of positions if there are no names."""
    order = sorted(range(len(features)), key=lambda f: features.names[f]) if features.named else range(len(features))
    places = np.empty(len(features), dtype=np.int32)
    places[list(order)] = np.arange(len(features), dtype=np.int32)
    return places


def grown_grid(
    ensemble: Ensemble, rows: AlignedRows, place: NDArray[np.float64], weight: NDArray[np.float64]
) -> RuleGrid:
    """Grid of a forest that was grown on the rows with quantile splits; the cuts are the thresholds it uses.

    Merging cells that no rule separates changes neither the order of ranks nor linear dependence.
    """
    cut = np.zeros(ensemble.n_nodes, dtype=np.int32)
    cuts = []
    for f, nodes in enumerate(split_nodes(ensemble)):
        used = np.unique(ensemble.threshold[nodes])
        cuts.append(used[np.isfinite(used)] if ensemble.features.categories[f] is None else np.zeros(0))
        cut[nodes] = np.searchsorted(cuts[f], ensemble.threshold[nodes])
    return RuleGrid(
        features=ensemble.features,
        cuts=tuple(cuts),
        level_order=level_orders(ensemble.features, rows, place, weight),
        has_missing=missing_features(ensemble.features, rows, weight),
        cut=cut,
    )


def snapped_grid(
    ensemble: Ensemble,
    rows: AlignedRows,
    place: NDArray[np.float64],
    weight: NDArray[np.float64],
    *,
    n_quantiles: int,
    max_depth: int | None,
) -> RuleGrid:
    """Grid of any ensemble: each threshold moves to the quantile for which the fewest rows change side."""
    rows = without_zeros(rows, ensemble.features)
    return grid_of_values(
        ensemble,
        lambda f: distinct_values(rows.column(f), weight),
        level_order=level_orders(ensemble.features, rows, place, weight),
        has_missing=missing_features(ensemble.features, rows, weight),
        n_quantiles=n_quantiles,
        max_depth=max_depth,
    )


def grid_of_values(
    ensemble: Ensemble,
    values_of: Callable[[int], tuple[NDArray[np.float64], NDArray[np.float64]]],
    *,
    level_order: tuple[NDArray[np.int64], ...],
    has_missing: NDArray[np.bool_],
    n_quantiles: int,
    max_depth: int | None,
) -> RuleGrid:
    """The same grid from the distinct values of each number and their weights, asked for one feature at a time."""
    depth = node_depths(ensemble)
    asked = (ensemble.feature >= 0) & (True if max_depth is None else depth < max_depth)
    cut, moved = np.zeros(ensemble.n_nodes, dtype=np.int32), np.zeros(ensemble.n_nodes)
    cuts = []
    for f, splits in enumerate(split_nodes(ensemble)):
        nodes = splits[asked[splits]]
        if ensemble.features.categories[f] is not None or not len(nodes):
            cuts.append(np.zeros(0))
            continue
        values, mass = values_of(f)
        places = cut_positions(mass, n_quantiles)
        cuts.append(values[places])
        cut[nodes], moved[nodes] = _snap(ensemble.threshold[nodes], values, mass, places)
    return RuleGrid(
        features=ensemble.features,
        cuts=tuple(cuts),
        level_order=level_order,
        has_missing=has_missing,
        cut=cut,
        snapped_share=float(moved[asked].mean()) if asked.any() else 0.0,
    )


def _snap(
    threshold: NDArray[np.float64], values: NDArray[np.float64], mass: NDArray[np.float64], places: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Last cell that goes left, and the share of rows that change side; a threshold beyond all values stays so."""
    below = np.concatenate([[0.0], np.cumsum(mass)])
    total = max(float(below[-1]), np.finfo(float).tiny)
    n_left = np.searchsorted(values, threshold, side="right")
    cut = np.where(n_left == 0, -1, len(places)).astype(np.int32)
    share = np.zeros(len(threshold))
    divides = (n_left > 0) & (n_left < len(values))
    if len(places) and divides.any():
        away = np.abs(below[places + 1][None, :] - below[n_left[divides]][:, None])
        cut[divides] = away.argmin(axis=1)
        share[divides] = away.min(axis=1) / total
    return cut, share


def distinct_values(
    values: NDArray[Any], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of positive weight, ascending, and the weight of each."""
    held = (weight > 0) & ~np.isnan(values)
    distinct, which = np.unique(values[held].astype(np.float64), return_inverse=True)
    return distinct, exact_group_sums(which, weight[held], len(distinct))


def without_zeros(rows: AlignedRows, features: FeatureSchema) -> AlignedRows:
    """Rows in which zero is missing if the model treats it so; only those columns are copied."""
    if not features.zero_is_missing.any():
        return rows
    columns = [rows.stored(f) for f in range(len(features))]
    for f in np.flatnonzero(features.zero_is_missing):
        columns[f] = _without_zeros(columns[f])
    return AlignedRows(rows.n_rows, columns)


def _without_zeros(column: NDArray[Any] | SparseColumn) -> NDArray[Any] | SparseColumn:
    if not isinstance(column, SparseColumn):
        return np.where(np.abs(column) <= ZERO, np.nan, column)
    values = np.where(np.abs(column.values) <= ZERO, np.nan, column.values)
    return replace(column, values=values, fill=np.nan if abs(column.fill) <= ZERO else column.fill)


def missing_features(features: FeatureSchema, rows: AlignedRows, weight: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which features are missing in some row of positive weight."""
    counts = weight > 0
    if isinstance(rows.data, np.ndarray):
        lacks = np.zeros(len(features), dtype=bool)
        for at in range(0, rows.n_rows, _BLOCK_ROWS):  # blocks that fit into the cache, for any memory layout
            block = slice(at, at + _BLOCK_ROWS)
            lacks |= (np.isnan(rows.data[block]) & counts[block, None]).any(axis=0)
        return lacks
    columns = ((rows.stored(f), bool(labels)) for f, labels in enumerate(features.categories))
    return np.array([_lacks(column, coded, counts) for column, coded in columns], dtype=bool)


def _lacks(column: NDArray[Any] | SparseColumn, coded: bool, counts: NDArray[np.bool_]) -> bool:
    """Whether some row that counts has no value; for a sparse column, only stored values are checked."""
    if isinstance(column, SparseColumn):
        if np.isnan(column.fill):
            return _lacks(column.dense(), coded, counts)
        return _lacks(column.values, coded, counts[column.rows])
    absent = column < 0 if coded else np.isnan(column)
    return bool((absent & counts).any())


def level_orders(
    features: FeatureSchema, rows: AlignedRows, place: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.int64], ...]:
    """For each category the levels that have rows, ordered by the mean of `place` over them, then by code."""
    orders = []
    for f, labels in enumerate(features.categories):
        if not labels:
            orders.append(np.zeros(0, dtype=np.int64))
            continue
        codes = rows.column(f)
        known = known_codes(codes, len(labels))
        mass = exact_group_sums(codes[known], weight[known], len(labels))
        total = exact_group_sums(codes[known], (weight * place)[known], len(labels))
        orders.append(by_mean(mass, total))
    return tuple(orders)


def known_codes(codes: NDArray[Any], n_levels: int) -> NDArray[np.bool_]:
    """Which codes are those of a level."""
    return np.asarray((codes >= 0) & (codes < n_levels))


def by_mean(mass: NDArray[np.float64], total: NDArray[np.float64]) -> NDArray[np.int64]:
    """Levels with weight in the order of their means, then of their codes."""
    held = np.flatnonzero(mass > 0)
    return np.asarray(held[np.argsort(total[held] / mass[held], kind="stable")])

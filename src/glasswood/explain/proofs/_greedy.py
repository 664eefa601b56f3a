"""Greedy: a point that meets a target, found step by step; its distance limits the exact search."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.explain.proofs._cells import FeatureCells
from glasswood.explain.proofs._costs import Costs
from glasswood.explain.proofs._goals import Target

_STEPS = 12  # features changed at most


def raw_at(
    ensemble: Ensemble, cells: Sequence[FeatureCells], costs: Costs, points: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Raw at points, given by their cell in every feature, (n_points, n_features)."""
    columns: list[NDArray[np.generic]] = []
    for j, feature in enumerate(cells):
        at = points[:, j]
        if feature.levels:
            columns.append(np.where(at == feature.missing, -1, at).astype(np.int32))
        elif feature.levels is not None:
            columns.append(np.zeros(len(at)))
        else:
            columns.append(costs.numbers[j][at])
    return ensemble._plan().predict_raw(columns, 1)


def step_by_step(
    ensemble: Ensemble, cells: Sequence[FeatureCells], costs: Costs, target: Target
) -> tuple[int, ...] | None:
    """Change the feature that brings most for its cost until the target is met; None if that fails."""
    point = np.array(costs.own, dtype=np.int64)
    changed: set[int] = set()
    for _ in range(min(_STEPS, len(cells))):
        tried, price, feature = _neighbours(costs, point, changed)
        if not len(tried):
            return None
        raw = raw_at(ensemble, cells, costs, tried)
        there = target.met(raw)
        if there.any():
            return tuple(int(cell) for cell in tried[np.argmin(np.where(there, price, np.inf))])
        gain = target.margin(raw) - target.margin(raw_at(ensemble, cells, costs, point[None]))
        with np.errstate(over="ignore"):
            best = int(np.argmax(gain / price))
        if not gain[best] > 0:
            return None
        point = tried[best]
        changed.add(int(feature[best]))
    return None


def _neighbours(
    costs: Costs, point: NDArray[np.int64], changed: set[int]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Points that change one more feature, what that costs, and which feature it is."""
    tried, price, feature = [np.zeros((0, len(point)), dtype=np.int64)], [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
    for j, prices in enumerate(costs.cost):
        if j in changed:
            continue
        there = np.flatnonzero(np.isfinite(prices) & (prices > 0))
        moved = np.repeat(point[None], len(there), axis=0)
        moved[:, j] = there
        tried.append(moved)
        price.append(prices[there])
        feature.append(np.full(len(there), j))
    return np.concatenate(tried), np.concatenate(price), np.concatenate(feature)

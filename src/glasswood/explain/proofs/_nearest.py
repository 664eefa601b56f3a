"""Nearest: the points nearest to a row that meet all goals, by a best-first search over boxes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import Ensemble
from glasswood.explain.proofs._compiled import MOST_LEAVES, compiled_pieces, open_words
from glasswood.explain.proofs._goals import Goal
from glasswood.explain.proofs._search import Limits, ordered_sum

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Points that meet all goals, nearest first; every other one that counts is at least as far as `bound`."""

    points: tuple[Point, ...]
    bound: float  # infinite if there is no other
    n_nodes: int


def distance_of(cost: Sequence[float]) -> float:
    """Sum of the costs of all features, rounded after every step: it never falls if a cost rises."""
    return ordered_sum(0.0, np.asarray(cost, dtype=np.float64))


def nearest(
    ensemble: Ensemble,
    goals: Sequence[Goal],
    cost: Sequence[NDArray[np.float64]],
    met: Callable[[Point], bool],
    limits: Limits,
    *,
    k: int = 1,
    reach: float = np.inf,
) -> Nearest:
    """Up to `k` points at a distance of at most `reach`, none of which changes all that a nearer one changes.

    The native search finds points that reach every goal up to its slack; `met` decides about each.
    """
    search = _native.Nearest(
        compiled_pieces(ensemble),
        np.array([goal.start for goal in goals]),
        np.stack([goal.value for goal in goals]),
        np.array([goal.least for goal in goals]),
        np.array([goal.slack for goal in goals]),
        open_words([np.isfinite(prices) & (prices <= reach) for prices in cost]),
        np.concatenate(cost),
        reach,
        MOST_LEAVES,
    )
    points: list[Point] = []
    while search.run(limits.max_nodes, limits.seconds_left) == "point":
        point = tuple(np.asarray(search.point).tolist())
        taken = met(point)
        search.answer(taken)
        if taken:
            points.append(point)
            if len(points) == k:
                break
    return Nearest(tuple(points), search.distance, search.n_nodes)

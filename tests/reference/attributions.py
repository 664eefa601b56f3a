"""Attributions by their definition: the game over all coalitions, slow and obvious, for a small Ensemble.

Rows are rows of cells, as in `tests.reference.effects`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import factorial

import numpy as np

from glasswood.ensemble import Ensemble
from tests.reference.effects import Array, Row, add, goes_left, raw

Coalition = frozenset[int]


@dataclass(frozen=True)
class Game:
    """Result for one row; arrays end in n_outputs."""

    base: Array  # (n_outputs,)
    values: Array  # (p, n_outputs)
    pairs: Array  # (p, p, n_outputs)


def by_path(e: Ensemble, row: Row) -> Game:
    """Splits on features outside the coalition average their children by their shares."""

    def mean(node: int, inside: Coalition) -> Array:
        f = int(e.feature[node])
        if f < 0:
            return e.value[node]
        left, right = int(e.left[node]), int(e.right[node])
        if f in inside:
            return mean(left if goes_left(e, node, row[f]) else right, inside)
        both = e.weight[left] + e.weight[right]
        share = 0.5 if both == 0 else e.weight[left] / both
        return share * mean(left, inside) + (1 - share) * mean(right, inside)

    def value(inside: Coalition) -> Array:
        out = e.baseline.astype(float).copy()
        for tree in range(e.n_trees):
            add(e, tree, out, mean(int(e.tree_start[tree]), inside))
        return out

    return play(value, len(e.features))


def by_rows(e: Ensemble, row: Row, background: list[Row], weight: Array) -> Game:
    """Features outside the coalition are those of a background row, in turn."""

    def value(inside: Coalition) -> Array:
        total = np.zeros(e.n_outputs)
        for other, w in zip(background, weight, strict=True):
            mixed = tuple(row[f] if f in inside else other[f] for f in range(len(row)))
            total += w * raw(e, mixed)
        return total / weight.sum()

    return play(value, len(e.features))


def play(value: Callable[[Coalition], Array], p: int) -> Game:
    """Shapley values and Shapley interaction values of a game."""
    everyone = range(p)
    known = {frozenset(s): value(frozenset(s)) for k in range(p + 1) for s in combinations(everyone, k)}
    base = known[frozenset()]
    values, pairs = np.zeros((p, len(base))), np.zeros((p, p, len(base)))
    for i in everyone:
        rest = [j for j in everyone if j != i]
        for k in range(p):
            share = factorial(k) * factorial(p - k - 1) / factorial(p)
            for s in map(frozenset, combinations(rest, k)):
                values[i] += share * (known[s | {i}] - known[s])
    for i, j in combinations(everyone, 2):
        rest = [q for q in everyone if q not in (i, j)]
        for k in range(p - 1):
            share = factorial(k) * factorial(p - k - 2) / (2 * factorial(p - 1))
            for s in map(frozenset, combinations(rest, k)):
                pairs[i, j] += share * (known[s | {i, j}] - known[s | {i}] - known[s | {j}] + known[s])
        pairs[j, i] = pairs[i, j]
    for i in everyone:
        pairs[i, i] = values[i] - pairs[i].sum(axis=0)
    return Game(base, values, pairs)

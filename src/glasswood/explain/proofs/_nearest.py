"""Nearest: the points nearest to a row that meet all goals, by a best-first search over boxes."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.explain.proofs._goals import Goal
from glasswood.explain.proofs._pieces import Bits, Pieces
from glasswood.explain.proofs._search import Limits, ordered_sum

Alive = NDArray[np.bool_]
Point = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Points that meet all goals, nearest first; every other one that counts is at least as far as `bound`."""

    points: tuple[Point, ...]
    bound: float  # infinite if there is no other
    n_nodes: int


@dataclass(frozen=True, slots=True, eq=False)
class _Box:
    """A part of the domain: its cells, the cheapest cell of every feature, and the pieces it reaches."""

    cells: tuple[Bits, ...]
    anchor: Point
    cost: tuple[float, ...]  # of the cells of the anchor
    alive: Bits  # packed

    @property
    def changed(self) -> frozenset[int]:
        """Features that every point of the box changes."""
        return frozenset(j for j, price in enumerate(self.cost) if price > 0)


def distance_of(cost: Sequence[float]) -> float:
    """Sum of the costs of all features, rounded after every step: it never falls if a cost rises."""
    return ordered_sum(0.0, np.asarray(cost, dtype=np.float64))


def nearest(
    pieces: Pieces,
    goals: Sequence[Goal],
    cost: Sequence[NDArray[np.float64]],
    met: Callable[[Point], bool],
    limits: Limits,
    *,
    k: int = 1,
    reach: float = np.inf,
) -> Nearest:
    """Up to `k` points at a distance of at most `reach`, none of which changes all that a nearer one changes.

    Boxes are taken in the order of the least distance that a point in them can have, then of the number of features
    that it must change. A box in which a goal cannot be met is dropped; otherwise it is cut so that one part excludes
    the cheapest point and the other the best piece of a tree.
    """
    search = _Search(pieces, goals, cost, reach)
    root = search.root()
    heap = [] if root is None else [(*search.rank(root), 0, root)]
    points: list[Point] = []
    taken: list[frozenset[int]] = []
    n_nodes, pushed = 0, 1
    while heap:
        distance, _, _, box = heapq.heappop(heap)
        if any(earlier <= box.changed for earlier in taken):
            continue
        if limits.reached(n_nodes):
            return Nearest(tuple(points), distance, n_nodes)
        n_nodes += 1
        alive = np.unpackbits(box.alive, count=len(search.pieces)).astype(bool)
        reached = search.pieces.at(alive, box.anchor)
        short = search.shortfalls(reached)
        if all(gap <= goal.slack for gap, goal in zip(short, goals, strict=True)) and met(box.anchor):
            points.append(box.anchor)
            taken.append(box.changed)
            if len(points) == k:
                return Nearest(tuple(points), distance, n_nodes)
            continue
        for child in search.parts(box, alive, reached, short):
            heapq.heappush(heap, (*search.rank(child), pushed, child))
            pushed += 1
    return Nearest(tuple(points), np.inf, n_nodes)


class _Search:
    """What every step of one search needs; pieces that no point within reach has are left out."""

    def __init__(
        self, pieces: Pieces, goals: Sequence[Goal], cost: Sequence[NDArray[np.float64]], reach: float
    ) -> None:
        self.cost, self.reach = cost, reach
        cells = tuple(np.packbits(np.isfinite(prices) & (prices <= reach)) for prices in cost)
        alive = np.ones(len(pieces), dtype=bool)
        for feature, bits in enumerate(cells):
            alive = pieces.alive_in(alive, feature, bits)
        self.cells = cells
        self.pieces = pieces.living(alive)
        self.values = [goal.value[alive] for goal in goals]
        self.goals = goals
        sizes = np.diff(np.append(self.pieces.start, len(self.pieces)))
        self.tree = np.repeat(np.arange(len(sizes)), sizes)

    def root(self) -> _Box | None:
        """All points within reach, None if a goal cannot be met there."""
        anchor = tuple(int(np.argmin(prices)) for prices in self.cost)
        cost = tuple(float(prices[cell]) for prices, cell in zip(self.cost, anchor, strict=True))
        return self._narrowed(self.cells, anchor, cost, np.ones(len(self.pieces), dtype=bool))

    def rank(self, box: _Box) -> tuple[float, int]:
        """Order in which boxes are taken."""
        return distance_of(box.cost), len(box.changed)

    def shortfalls(self, reached: NDArray[np.intp]) -> list[float]:
        """By how much a point misses each goal, given its piece in each tree."""
        return [
            goal.least - ordered_sum(goal.start, value[reached])
            for goal, value in zip(self.goals, self.values, strict=True)
        ]

    def parts(self, box: _Box, alive: Alive, reached: NDArray[np.intp], short: Sequence[float]) -> list[_Box]:
        """The two parts of a box whose cheapest point does not do; those that can meet the goals."""
        which = int(np.argmax(short))
        feature, inside = self._cut(box, alive, reached, self.values[which])
        if feature < 0:
            return []
        found = []
        for kept in (box.cells[feature] & inside, box.cells[feature] & ~inside):
            if kept.any():
                child = self._child(box, alive, feature, kept)
                if child is not None:
                    found.append(child)
        return found

    def _child(self, box: _Box, alive: Alive, feature: int, kept: Bits) -> _Box | None:
        prices = np.where(_flags(kept, len(self.cost[feature])), self.cost[feature], np.inf)
        cell = int(np.argmin(prices))
        anchor = (*box.anchor[:feature], cell, *box.anchor[feature + 1 :])
        cost = (*box.cost[:feature], float(prices[cell]), *box.cost[feature + 1 :])
        cells = (*box.cells[:feature], kept, *box.cells[feature + 1 :])
        return self._narrowed(cells, anchor, cost, self.pieces.alive_in(alive, feature, kept))

    def _narrowed(self, cells: tuple[Bits, ...], anchor: Point, cost: tuple[float, ...], alive: Alive) -> _Box | None:
        """The box without cells that are out of reach; None if it has no point that can meet the goals."""
        distance = distance_of(cost)
        if not distance <= self.reach:
            return None
        if np.isfinite(self.reach):
            spare = (self.reach - distance) + 1e-9 * (self.reach + 1.0)  # rounding may only keep more cells
            found = list(cells)
            for feature, prices in enumerate(self.cost):
                kept = cells[feature] & np.packbits(prices <= cost[feature] + spare)
                if not np.array_equal(kept, cells[feature]):
                    found[feature] = kept
                    alive = self.pieces.alive_in(alive, feature, kept)
            cells = tuple(found)
        for goal, value in zip(self.goals, self.values, strict=True):
            if ordered_sum(goal.start, self._best(alive, value)) < goal.least - goal.slack:
                return None
        return _Box(cells, anchor, cost, np.packbits(alive))

    def _best(self, alive: Alive, value: NDArray[np.float64]) -> NDArray[np.float64]:
        if not len(self.pieces.start):
            return np.zeros(0)
        found: NDArray[np.float64] = np.maximum.reduceat(np.where(alive, value, -np.inf), self.pieces.start)
        return found

    def _cut(self, box: _Box, alive: Alive, reached: NDArray[np.intp], value: NDArray[np.float64]) -> tuple[int, Bits]:
        """A feature, and cells of it: those of the best piece of the tree that could add most, without the anchor.

        Of the features that keep the anchor out of the piece, the one that costs most to change.
        """
        best = self._best(alive, value)
        gap = best - value[reached]
        if len(gap) and gap.max() > 0:
            tree = int(np.argmax(gap))
            first = int(self.pieces.start[tree])
            last = int(self.pieces.end[tree])
            piece = first + int(np.argmax(np.where(alive[first:last], value[first:last], -np.inf)))
            chosen, dearest, inside = -1, -1.0, np.zeros(0, dtype=np.uint8)
            for feature, (uses, bits) in enumerate(zip(self.pieces.uses, self.pieces.bits, strict=True)):
                at = int(np.searchsorted(uses, piece))
                if at == len(uses) or uses[at] != piece:
                    continue
                cell = box.anchor[feature]
                if (bits[at, cell >> 3] >> (7 - (cell & 7))) & 1:
                    continue
                open_cells = _flags(box.cells[feature] & bits[at], len(self.cost[feature]))
                price = float(self.cost[feature][open_cells].min(initial=np.inf))
                if price > dearest:
                    chosen, dearest, inside = feature, price, bits[at]
            return chosen, inside
        # every tree is at its best here, and only rounding can tell points apart
        for feature, cells in enumerate(box.cells):
            if np.count_nonzero(np.unpackbits(cells)) > 1:
                alone = np.zeros(len(self.cost[feature]), dtype=bool)
                alone[box.anchor[feature]] = True
                return feature, np.packbits(alone)
        return -1, np.zeros(0, dtype=np.uint8)


def _flags(bits: Bits, n: int) -> NDArray[np.bool_]:
    return np.unpackbits(bits, count=n).astype(bool)

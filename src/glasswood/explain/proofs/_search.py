"""Search: the largest sum of pieces over a domain, by branch and bound."""

import heapq
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.explain.proofs._pieces import Bits, Pieces

Alive = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up."""

    max_nodes: int
    deadline: float  # of `time.monotonic`

    @classmethod
    def of(cls, max_nodes: int, time_limit: float | None) -> "Limits":
        """Limits that begin now."""
        return cls(max_nodes, np.inf if time_limit is None else time.monotonic() + time_limit)

    def share(self, n_left: int) -> "Limits":
        """Limits of the next of `n_left` searches: an equal part of the time that is left, which may be more than
        the part of an earlier one."""
        if self.deadline == np.inf:
            return self
        now = time.monotonic()
        return Limits(self.max_nodes, now + max(self.deadline - now, 0.0) / n_left)

    @property
    def seconds_left(self) -> float:
        """Time that is left; 0 once it is over."""
        return np.inf if self.deadline == np.inf else max(self.deadline - time.monotonic(), 0.0)

    def reached(self, n_nodes: int) -> bool:
        """Whether the search must stop."""
        return n_nodes >= self.max_nodes or time.monotonic() > self.deadline


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The largest value found, with its point, and the bound that no point exceeds."""

    value: float
    point: tuple[int, ...]  # cell of each feature; empty if none was looked at
    bound: float
    n_nodes: int

    @property
    def proven(self) -> bool:
        """Whether no point has a larger value."""
        return self.bound <= self.value


def ordered_sum(start: float, parts: NDArray[Any]) -> float:
    """Sum in the order of the trees, rounded after every step, as the kernels that predict add up.

    A rounded sum never falls if a part rises, so the sum of the best parts bounds every prediction to the last bit.
    """
    return float(np.add.accumulate(np.concatenate([[start], parts]))[-1])


@dataclass(frozen=True, slots=True, eq=False)
class _Box:
    """A part of the domain: its cells, the pieces it reaches and what they allow at best."""

    cells: tuple[Bits, ...]
    alive: Bits  # packed
    bound: float


def largest(
    pieces: Pieces,
    start: float,
    domain: tuple[Bits, ...],
    limits: Limits,
    *,
    total: Callable[[float, NDArray[Any]], float] = ordered_sum,
    enough: float = np.inf,
) -> Found:
    """Largest value of `total(start, value of the piece of each tree)` over the points of a domain.

    Stops early once a value above `enough` is found, or if none can be above it. The values of pieces may be Python
    integers, in an array of objects, whose sums are exact.
    """
    search = _Search(pieces, start, total)
    alive = np.ones(len(pieces), dtype=bool)
    for feature, cells in enumerate(domain):
        alive = pieces.alive_in(alive, feature, cells)
    root = search.box(domain, alive)
    heap = [(-root.bound, 0, root)]
    best: float = -np.inf
    point: tuple[int, ...] = ()
    n_nodes, pushed = 0, 1
    while heap:
        bound = -heap[0][0]
        done = bound <= enough < np.inf
        if done or (point and (bound <= best or best > enough or limits.reached(n_nodes))):
            return Found(best, point, max(bound, best), n_nodes)
        box = heapq.heappop(heap)[2]
        n_nodes += 1
        value, tried, children = search.expand(box)
        if value > best or not point:
            best, point = value, tried
        for child in children:
            if child.bound > best:
                heapq.heappush(heap, (-child.bound, pushed, child))
                pushed += 1
    return Found(best, point, best, n_nodes)


class _Search:
    """What every step of one search needs."""

    def __init__(self, pieces: Pieces, start: float, total: Callable[[float, NDArray[Any]], float]) -> None:
        self.pieces, self.start, self.total = pieces, start, total
        sizes = np.diff(np.append(pieces.start, len(pieces)))
        self.tree = np.repeat(np.arange(len(sizes)), sizes)

    def box(self, cells: tuple[Bits, ...], alive: Alive) -> _Box:
        """A box with its bound."""
        best = self._best(alive)[0]
        return _Box(cells, np.packbits(alive), self.total(self.start, best))

    def expand(self, box: _Box) -> tuple[float, tuple[int, ...], list[_Box]]:
        """A point of the box with its value, and the two parts of the box unless the point reaches the bound."""
        alive = np.unpackbits(box.alive, count=len(self.pieces)).astype(bool)
        best, leader = self._best(alive)
        point = self._point(box.cells, alive, best, leader)
        reached = self.pieces.at(alive, point)
        parts = self.pieces.value[reached]
        value = self.total(self.start, parts)
        if value >= box.bound:
            return value, point, []
        gap = best - parts
        feature, inside = self._cut(int(leader[int(np.argmax(gap))]), point)
        children = []
        for kept in (box.cells[feature] & inside, box.cells[feature] & ~inside):
            if kept.any():
                cells = (*box.cells[:feature], kept, *box.cells[feature + 1 :])
                children.append(self.box(cells, self.pieces.alive_in(alive, feature, kept)))
        return value, point, children

    def _best(self, alive: Alive) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Largest living value of each tree, and the first piece that has it."""
        if not len(self.pieces.start):
            return np.zeros(0), np.zeros(0, dtype=np.intp)
        value = np.where(alive, self.pieces.value, -np.inf)
        best = np.maximum.reduceat(value, self.pieces.start)
        has_it = np.flatnonzero(value == best[self.tree])
        first = np.searchsorted(self.tree[has_it], np.arange(len(best)))
        return best, has_it[first]

    def _point(
        self, cells: Sequence[Bits], alive: Alive, best: NDArray[Any], leader: NDArray[np.intp]
    ) -> tuple[int, ...]:
        """A promising point: in each feature the cell that most of the best pieces contain, by what is at stake."""
        stake = np.zeros(0)
        if len(best):
            stake = best - np.minimum.reduceat(np.where(alive, self.pieces.value, np.inf), self.pieces.start)
        point = []
        for open_cells, uses, bits in zip(cells, self.pieces.uses, self.pieces.bits, strict=True):
            is_open = np.unpackbits(open_cells).astype(bool)
            vote = np.zeros(len(is_open))
            if len(uses):
                at = np.minimum(np.searchsorted(uses, leader), len(uses) - 1)
                used = uses[at] == leader
                # a piece that leaves the feature free would vote for every cell
                vote = (np.unpackbits(bits[at[used]], axis=1) * stake[used][:, None].astype(np.float64)).sum(axis=0)
            point.append(int(np.argmax(np.where(is_open, vote, -1.0))))
        return tuple(point)

    def _cut(self, piece: int, point: Sequence[int]) -> tuple[int, Bits]:
        """A feature in which a piece does not contain the point, and the cells of that feature that it contains."""
        for feature, (uses, bits) in enumerate(zip(self.pieces.uses, self.pieces.bits, strict=True)):
            at = int(np.searchsorted(uses, piece))
            if at < len(uses) and uses[at] == piece:
                cell = point[feature]
                if not (bits[at, cell >> 3] >> (7 - (cell & 7))) & 1:
                    return feature, bits[at]
        raise AssertionError("the point is in the piece")

"""Searches over cells by looking at every point: what the native searches for proofs must find."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RandomPieces:
    """Trees over numbered cells: per tree its pieces, each with the cells that it contains of some features."""

    n_cells: tuple[int, ...]
    trees: tuple[tuple[dict[int, frozenset[int]], ...], ...]

    @property
    def tree_start(self) -> NDArray[np.int64]:
        """First piece of each tree, and the number of pieces."""
        return np.cumsum([0, *(len(tree) for tree in self.trees)])

    def native(self) -> tuple[NDArray[Any], ...]:
        """The arguments of `_native.Pieces`."""
        limits = [
            (feature, number, as_words(cells, self.n_cells[feature]))
            for number, limits in enumerate(limits for tree in self.trees for limits in tree)
            for feature, cells in limits.items()
        ]
        limits.sort(key=lambda limit: limit[0])
        counts = [sum(feature == f for feature, _, _ in limits) for f in range(len(self.n_cells))]
        return (
            self.tree_start,
            np.array(self.n_cells, dtype=np.int64),
            np.cumsum([0, *counts], dtype=np.int64),
            np.array([number for _, number, _ in limits], dtype=np.int32),
            np.array([word for _, _, words in limits for word in words], dtype=np.uint64),
        )

    def reached(self, point: Sequence[int]) -> list[int]:
        """The piece of each tree that contains a point."""
        found = []
        for first, tree in zip(self.tree_start.tolist(), self.trees, strict=False):
            (inside,) = (k for k, limits in enumerate(tree) if all(point[f] in cells for f, cells in limits.items()))
            found.append(first + inside)
        return found


def as_words(cells: frozenset[int], n_cells: int) -> list[int]:
    """A set of cells, 64 to a word."""
    return [sum(1 << (c - first) for c in cells if first <= c < first + 64) for first in range(0, n_cells, 64)]


def random_pieces(rng: np.random.Generator, *, wide: bool = False) -> RandomPieces:
    """Trees that cut random sets of cells off; with `wide`, one feature has more cells than a word has bits."""
    n_cells = tuple(int(n) for n in rng.integers(1, 5, size=int(rng.integers(1, 4))))
    if wide:
        n_cells = (70, *n_cells[1:])
    trees = tuple(tuple(_grown(rng, n_cells, int(rng.integers(0, 4)))) for _ in range(int(rng.integers(0, 6))))
    return RandomPieces(n_cells, trees)


def _grown(rng: np.random.Generator, n_cells: tuple[int, ...], n_cuts: int) -> list[dict[int, frozenset[int]]]:
    leaves: list[dict[int, frozenset[int]]] = [{}]
    for _ in range(n_cuts):
        limits = leaves.pop(int(rng.integers(len(leaves))))
        feature = int(rng.integers(len(n_cells)))
        here = sorted(limits.get(feature, frozenset(range(n_cells[feature]))))
        left = frozenset(cell for cell in here if rng.random() < 0.5)
        parts = [part for part in (left, frozenset(here) - left) if part]
        leaves += [{**limits, feature: part} for part in parts]
    return leaves


def points(open_cells: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Every point of a domain."""
    return product(*open_cells)


def ordered_sum(start: float, value: NDArray[np.float64], reached: Sequence[int]) -> float:
    """What the pieces of a point add up to, in the order of the trees."""
    total = start
    for piece in reached:
        total += float(value[piece])
    return total

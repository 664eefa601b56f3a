"""Pieces: every tree as boxes that divide the whole space, with the value of each box."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, unpack_set
from glasswood.explain.proofs._cells import FeatureCells, cells_of

Bits = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The boxes of all trees; those of one tree are contiguous and divide the space.

    For each feature, `uses` lists the pieces that the feature limits, and `bits` the cells of the feature that each of
    them contains, packed as `np.packbits` does.
    """

    start: NDArray[np.int64]  # (n_trees,) first piece of each tree
    value: NDArray[Any]  # (n_pieces,) float64, or Python integers
    uses: tuple[NDArray[np.int64], ...]
    bits: tuple[Bits, ...]  # per feature (n_uses, n_bytes)

    def __len__(self) -> int:
        return len(self.value)

    @property
    def end(self) -> NDArray[np.int64]:
        """Position after the last piece of each tree, (n_trees,)."""
        return np.append(self.start, len(self.value))[1:]

    def alive_in(self, alive: NDArray[np.bool_], feature: int, open_cells: Bits) -> NDArray[np.bool_]:
        """Those of the living pieces that a box reaches after its cells of one feature have changed."""
        still = alive.copy()
        uses = self.uses[feature]
        if len(uses):
            still[uses] &= (self.bits[feature] & open_cells).any(axis=1)
        return still

    def at(self, alive: NDArray[np.bool_], point: Sequence[int]) -> NDArray[np.intp]:
        """The piece of each tree that contains a point, given by its cell in every feature."""
        inside = alive.copy()
        for uses, bits, cell in zip(self.uses, self.bits, point, strict=True):
            if len(uses):
                inside[uses] &= (bits[:, cell >> 3] >> (7 - (cell & 7))) & 1 != 0
        return np.flatnonzero(inside)

    def of_trees(self, trees: NDArray[np.intp]) -> "Pieces":
        """The pieces of some trees, in the order of the trees."""
        end = self.end
        sizes = (end - self.start)[trees]
        kept = np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(self.start[t], end[t]) for t in trees)])
        place = np.full(len(self.value), -1)
        place[kept] = np.arange(len(kept))
        uses, bits = [], []
        for used, cells in zip(self.uses, self.bits, strict=True):
            stays = place[used] >= 0
            uses.append(place[used[stays]])
            bits.append(cells[stays])
        start = np.cumsum([0, *sizes[:-1]]) if len(trees) else np.zeros(0, dtype=np.int64)
        return Pieces(start, self.value[kept], tuple(uses), tuple(bits))

    def with_value(self, value: NDArray[Any]) -> "Pieces":
        """The same boxes with other values."""
        return replace(self, value=value)


def cells_and_pieces(ensemble: Ensemble) -> tuple[list[FeatureCells], Pieces, NDArray[np.int64]]:
    """Cells of every feature, and what `leaf_pieces` gives; kept with the model, because every proof needs them."""
    return ensemble._cached("cells and pieces", _cells_and_pieces)


def _cells_and_pieces(ensemble: Ensemble) -> tuple[list[FeatureCells], Pieces, NDArray[np.int64]]:
    cells = cells_of(ensemble)
    return cells, *leaf_pieces(ensemble, cells)


def leaf_pieces(ensemble: Ensemble, cells: Sequence[FeatureCells]) -> tuple[Pieces, NDArray[np.int64]]:
    """Leaves of every tree as pieces, with no values yet (zeros), and the node of each."""
    inside: list[dict[int, NDArray[np.bool_]]] = [{} for _ in range(ensemble.n_nodes)]
    for node in np.flatnonzero(ensemble.feature >= 0).tolist():
        j = int(ensemble.feature[node])
        goes_left = cells_left(ensemble, node, cells[j])
        left, right = int(ensemble.left[node]), int(ensemble.right[node])
        limits = inside[node]
        here = limits.get(j)
        inside[left] = limits | {j: goes_left if here is None else here & goes_left}
        inside[right] = limits | {j: ~goes_left if here is None else here & ~goes_left}
        inside[node] = {}
    leaves = np.flatnonzero(ensemble.feature < 0)
    sides: list[list[tuple[int, NDArray[np.bool_]]]] = [[] for _ in cells]
    for piece, leaf in enumerate(leaves.tolist()):
        for j, flags in inside[leaf].items():
            sides[j].append((piece, flags))
    uses = tuple(np.array([piece for piece, _ in found], dtype=np.int64) for found in sides)
    bits = tuple(
        np.packbits(np.array([flags for _, flags in found], dtype=bool).reshape(len(found), len(cells[j])), axis=1)
        for j, found in enumerate(sides)
    )
    start = np.searchsorted(leaves, ensemble.tree_start[:-1])
    return Pieces(start.astype(np.int64), np.zeros(len(leaves)), uses, bits), leaves.astype(np.int64)


def cells_left(ensemble: Ensemble, node: int, cells: FeatureCells) -> NDArray[np.bool_]:
    """Which cells of its feature go left at an inner node."""
    flags = np.zeros(len(cells), dtype=bool)
    if cells.levels is None:
        flags[: np.searchsorted(cells.thresholds, ensemble.threshold[node] + 0.0) + 1] = True
    else:
        first, last = ensemble.set_start[ensemble.category_set[node] : ensemble.category_set[node] + 2]
        known = unpack_set(ensemble.set_bits[first:last])[: len(cells.levels)]
        flags[: len(known)] = known
        flags[len(cells.levels)] = ensemble.unseen_left[node]
    flags[cells.missing] = ensemble.missing_left[node]
    return flags

"""Steps: what a model changes when one feature goes from one cell to another, as pieces with exact values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.explain.proofs._pieces import Bits, Pieces

Sides = dict[int, Bits]  # the cells that a piece contains, by the other features that limit it


def whole_values(values: NDArray[np.float64]) -> tuple[list[int], int]:
    """Floats as whole multiples of 1 / unit, exactly, and the unit."""
    ratios = [float(value).as_integer_ratio() for value in values]
    unit = max((below for _, below in ratios), default=1)  # powers of two, so each divides the largest
    return [above * (unit // below) for above, below in ratios], unit


@dataclass(frozen=True, slots=True, eq=False)
class ChangedTree:
    """The pieces of a tree that a step leaves, those it comes to, and those that it stays in."""

    leaving: list[int]
    coming: list[int]
    staying: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class StepPieces:
    """Pieces by the cells of one feature, to find the trees that a step from one cell to another changes."""

    pieces: Pieces
    feature: int

    def changed(self, before: int, after: int) -> list[ChangedTree]:
        """The trees that have a threshold between two cells of the feature, in their order."""
        uses, bits = self.pieces.uses[self.feature], self.pieces.bits[self.feature]
        if not len(uses):
            return []
        has_before, has_after = ((bits[:, cell >> 3] >> (7 - (cell & 7))) & 1 != 0 for cell in (before, after))
        start, end = self.pieces.start, self.pieces.end
        found = []
        for tree in np.unique(np.searchsorted(start, uses[has_before != has_after], side="right") - 1).tolist():
            first, last = np.searchsorted(uses, (start[tree], end[tree])).tolist()
            mine, one, other = uses[first:last], has_before[first:last], has_after[first:last]
            free = np.setdiff1d(np.arange(start[tree], end[tree]), mine)  # the feature does not limit them
            staying = np.sort(np.concatenate([free, mine[one & other]]))
            found.append(ChangedTree(mine[one & ~other].tolist(), mine[other & ~one].tolist(), staying.tolist()))
        return found

    def sides(self, piece: int) -> Sides:
        """The limits of a piece in all other features."""
        found: Sides = {}
        for j, (uses, bits) in enumerate(zip(self.pieces.uses, self.pieces.bits, strict=True)):
            at = int(np.searchsorted(uses, piece))
            if j != self.feature and at < len(uses) and uses[at] == piece:
                found[j] = bits[at]
        return found


def most_of_trees(trees: Sequence[ChangedTree], whole: Sequence[int]) -> int:
    """Sum of the most that each tree can lose in a step: never less than what all of them lose together."""
    total = 0
    for tree in trees:
        loss = [0] if tree.staying else []
        if tree.leaving and tree.coming:
            loss.append(max(whole[p] for p in tree.leaving) - min(whole[p] for p in tree.coming))
        total += max(loss, default=0)
    return total


def step_pieces(
    steps: StepPieces,
    trees: Sequence[ChangedTree],
    whole: Sequence[int],
    is_over: Callable[[], bool] = lambda: False,
) -> Pieces | None:
    """What each of the trees loses in a step; None if time is over before all is built.

    The boxes of a tree in the result divide the space of the other features: where both cells are in one piece nothing
    changes; elsewhere it is the overlap of a piece with the first cell and a piece with the second.
    """
    start: list[int] = []
    limits: list[Sides] = []
    value: list[int] = []
    for tree in trees:
        start.append(len(value))
        for piece in tree.staying:
            limits.append(steps.sides(piece))
            value.append(0)
        coming = [(steps.sides(b), whole[b]) for b in tree.coming]
        for a in tree.leaving:
            if is_over():
                return None
            mine = steps.sides(a)
            for other, gained in coming:
                overlap = _overlap(mine, other)
                if overlap is not None:
                    limits.append(overlap)
                    value.append(whole[a] - gained)
    return _as_pieces(start, limits, value, [cells.shape[1] for cells in steps.pieces.bits])


def _overlap(a: Sides, b: Sides) -> Sides | None:
    """Limits of the overlap; None if it is empty."""
    found = dict(a)
    for f, cells in b.items():
        found[f] = found[f] & cells if f in found else cells
        if f in a and not found[f].any():
            return None
    return found if all(cells.any() for cells in found.values()) else None


def _as_pieces(start: list[int], limits: list[Sides], value: list[int], n_bytes: Sequence[int]) -> Pieces:
    uses: list[list[int]] = [[] for _ in n_bytes]
    bits: list[list[Bits]] = [[] for _ in n_bytes]
    for piece, sides in enumerate(limits):
        for feature, cells in sides.items():
            uses[feature].append(piece)
            bits[feature].append(cells)
    values: NDArray[Any] = np.empty(len(value), dtype=object)
    values[:] = value
    return Pieces(
        np.array(start, dtype=np.int64),
        values,
        tuple(np.array(found, dtype=np.int64) for found in uses),
        tuple(np.array(rows, dtype=np.uint8).reshape(len(rows), n) for rows, n in zip(bits, n_bytes, strict=True)),
    )

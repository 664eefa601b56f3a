"""Steps: what a model changes when one feature goes from one cell to another, as pieces with exact values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.explain.proofs._pieces import Bits, Pieces

Sides = dict[int, Bits]  # the cells that a piece contains, by the features that limit it


def whole_values(values: NDArray[np.float64]) -> tuple[list[int], int]:
    """Floats as whole multiples of 1 / unit, exactly, and the unit."""
    ratios = [float(value).as_integer_ratio() for value in values]
    unit = max((below for _, below in ratios), default=1)  # powers of two, so each divides the largest
    return [above * (unit // below) for above, below in ratios], unit


def sides_of(pieces: Pieces) -> list[Sides]:
    """The limits of every piece."""
    found: list[Sides] = [{} for _ in range(len(pieces))]
    for feature, (uses, bits) in enumerate(zip(pieces.uses, pieces.bits, strict=True)):
        for piece, cells in zip(uses.tolist(), bits, strict=True):
            found[piece][feature] = cells
    return found


def step_pieces(
    pieces: Pieces, sides: Sequence[Sides], whole: Sequence[int], feature: int, before: int, after: int
) -> Pieces:
    """What each tree loses when a feature goes from one cell to another; trees that change nothing are left out.

    The boxes of a tree in the result divide the space of the other features: where both cells are in one piece nothing
    changes; elsewhere it is the overlap of a piece with the first cell and a piece with the second.
    """
    start: list[int] = []
    limits: list[Sides] = []
    value: list[int] = []
    for first, last in zip(pieces.start.tolist(), pieces.end.tolist(), strict=True):
        has = [(_has(sides[p], feature, before), _has(sides[p], feature, after)) for p in range(first, last)]
        if all(one == other for one, other in has):
            continue
        start.append(len(value))
        leaving = [first + k for k, (one, other) in enumerate(has) if one and not other]
        coming = [first + k for k, (one, other) in enumerate(has) if other and not one]
        for k, (one, other) in enumerate(has):
            if one and other:
                limits.append({f: cells for f, cells in sides[first + k].items() if f != feature})
                value.append(0)
        for a in leaving:
            for b in coming:
                overlap = _overlap(sides[a], sides[b], feature)
                if overlap is not None:
                    limits.append(overlap)
                    value.append(whole[a] - whole[b])
    return _as_pieces(start, limits, value, [cells.shape[1] for cells in pieces.bits])


def _has(limits: Sides, feature: int, cell: int) -> bool:
    cells = limits.get(feature)
    return cells is None or bool((cells[cell >> 3] >> (7 - (cell & 7))) & 1)


def _overlap(a: Sides, b: Sides, feature: int) -> Sides | None:
    """Limits of the overlap in all features but one; None if it is empty."""
    found = {f: cells for f, cells in a.items() if f != feature}
    for f, cells in b.items():
        if f == feature:
            continue
        found[f] = found[f] & cells if f in found else cells
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

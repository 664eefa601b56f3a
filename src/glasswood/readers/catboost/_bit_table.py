"""Bit table: a small truth table as integers, so that a step of dividing a tree needs no arrays.

A model of 1,000 trees takes some 200,000 steps. On tables of some dozens of groups, each of numpy's calls takes longer
than all of a step does here.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

_MAX_GROUPS, _MAX_CELLS = 512, 2**16  # beyond them numpy is faster


class BitTable:
    """Rows of a truth table along each axis, and the classes of each group."""

    def __init__(self, truth: NDArray[np.bool_], groups: Sequence[NDArray[np.int64]], ordered: Sequence[bool]) -> None:
        """`groups` has the group of every class, per axis; classes of an ordered axis are cut between neighbours."""
        self._groups = [own.tolist() for own in groups]
        self._ordered = list(ordered)
        self._shape = truth.shape
        self._members = [[0] * n for n in truth.shape]
        for members, own in zip(self._members, self._groups, strict=True):
            for number, group in enumerate(own):
                members[group] |= 1 << number
        # the first cell is the highest bit: integers of equal sums are in the order of the cells
        self._rows = [
            [_integer(row) for row in np.moveaxis(truth, axis, 0).reshape(n, -1)] for axis, n in enumerate(truth.shape)
        ]

    @staticmethod
    def suits(truth: NDArray[np.bool_]) -> bool:
        """Whether a table is small enough."""
        return sum(truth.shape) <= _MAX_GROUPS and truth.size <= _MAX_CELLS

    def step(self, known: Sequence[int], places: Sequence[int]) -> tuple[int, bool | tuple[int, int]]:
        """Entries that are still possible, and what they all are, or the axis to split and its classes to the left.

        `known` has the possible classes per axis. Of axes with equally many parts, the one with the first place is
        split.
        """
        kept = [
            [group for group, own in enumerate(members) if own & classes]
            for members, classes in zip(self._members, known, strict=True)
        ]
        size = prod(map(len, kept))
        best: tuple[int, int, int] | None = None
        for axis, place in enumerate(places):
            mask = self._mask(kept, axis)
            row = {group: self._rows[axis][group] & mask for group in kept[axis]}
            if axis == 0 and (not any(row.values()) or all(own == mask for own in row.values())):
                return size, any(row.values())
            n_parts = self._n_parts(axis, known[axis], row)
            if n_parts > 1 and (best is None or (n_parts, place) < best[:2]):
                best, chosen = (n_parts, place, axis), row
        assert best is not None  # a truth table that is not constant differs along some axis
        n_parts, _, axis = best
        return size, (axis, self._left(axis, known[axis], chosen, n_parts // 2))

    def _mask(self, kept: Sequence[Sequence[int]], axis: int) -> int:
        """Which cells of a row of an axis are still possible."""
        mask, width = 1, 1
        for other in range(len(kept) - 1, -1, -1):
            if other != axis:
                n = self._shape[other]
                mask = sum(mask << (n - 1 - group) * width for group in kept[other])
                width *= n
        return mask

    def _n_parts(self, axis: int, classes: int, row: dict[int, int]) -> int:
        if not self._ordered[axis]:
            return len(set(row.values()))
        values = [row[self._groups[axis][number]] for number in _bits(classes)]
        return 1 + sum(own != after for own, after in pairwise(values))

    def _left(self, axis: int, classes: int, row: dict[int, int], n_parts: int) -> int:
        """The classes of the first parts: by their order, or those with the fewest true entries."""
        left = 0
        if self._ordered[axis]:
            part, last = -1, -1
            for number in _bits(classes):
                own = row[self._groups[axis][number]]
                part, last = part + (own != last), own
                left |= (part < n_parts) << number
            return left
        first = set(sorted(set(row.values()), key=lambda own: (own.bit_count(), own))[:n_parts])
        for group, own in row.items():
            if own in first:
                left |= self._members[axis][group]
        return left & classes


def _integer(row: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(row).tobytes(), "big") >> (-len(row) % 8)


def _bits(bits: int) -> list[int]:
    return [k for k in range(bits.bit_length()) if bits >> k & 1]

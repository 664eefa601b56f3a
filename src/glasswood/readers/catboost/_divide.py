"""Divide: trees with conditions on combinations of features → trees that split on one feature at a time.

CatBoost's tree is traversed from its root with the knowledge about each feature: the set of classes its value may still
be in, where a class contains the values that no condition of the tree distinguishes. A condition that this knowledge
already decides is left out. Any other is decided by splits on its features, starting with the feature with the fewest
differing groups.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.readers.catboost._bit_table import BitTable
from glasswood.readers.catboost._conditions import Axis, Conditions
from glasswood.readers.catboost._refuse import refuse_combination
from glasswood.readers.catboost._split_pool import SplitPool

MAX_LEAVES = 2**15  # of a tree
MAX_NODES = 2**21  # of all divided trees together
_MAX_CLASSES = 2**13  # of a feature in a tree; sets of them are integers with so many bits
_MAX_WORK = 2**31  # entries of truth tables that are read: some seconds


@dataclass(frozen=True, slots=True, eq=False)
class DividedTree:
    """Node arrays of a tree in which every child comes after its parent."""

    split: NDArray[np.int64]  # number in the pool; −1 in leaves
    left: NDArray[np.int64]  # counted from the root; −1 in leaves
    right: NDArray[np.int64]
    origin: NDArray[np.int64]  # the leaf of CatBoost's tree, counted from its root; −1 in inner nodes


@dataclass(frozen=True, slots=True)
class _Step:
    """The next step of deciding a condition: a result, or a split on a feature."""

    answer: bool | None
    feature: int = -1  # its position in `_Classes`
    left: int = 0  # bits of the classes that go left
    split: int = -1


class _Classes:
    """The classes of every feature of a tree, as bits of an integer."""

    def __init__(self, numbers: list[int], conditions: Conditions) -> None:
        self.conditions = {number: conditions[number] for number in numbers}
        axes: dict[int, list[Axis]] = {}
        for condition in self.conditions.values():
            for axis in condition.axes:
                axes.setdefault(axis.feature, []).append(axis)
        self.features = list(axes)
        self.place = {feature: k for k, feature in enumerate(self.features)}
        self.borders = [tuple(sorted({b for axis in own for b in axis.borders})) for own in axes.values()]
        # class of every code of a category; the class of a number is the number of borders below it
        self.of_code = [
            np.arange(len(borders) + 1) if borders else _joined([axis.group for axis in own])
            for borders, own in zip(self.borders, axes.values(), strict=True)
        ]
        n_classes = [int(own.max()) + 1 for own in self.of_code]
        if max(n_classes, default=0) > _MAX_CLASSES:
            names = conditions.names(
                axis.feature for c in self.conditions.values() for axis in c.axes if len(c.axes) > 1
            )
            raise refuse_combination(names, f"more than {_MAX_CLASSES:,} of their levels differ")
        self.sizes = n_classes
        self.every = tuple((1 << n) - 1 for n in n_classes)
        self.places = {
            number: [self.place[axis.feature] for axis in condition.axes]
            for number, condition in self.conditions.items()
        }
        self.groups = {
            number: [self._group_of_class(axis) for axis in condition.axes]
            for number, condition in self.conditions.items()
        }
        self.tables = {
            number: BitTable(condition.truth, self.groups[number], [bool(self.borders[k]) for k in self.places[number]])
            for number, condition in self.conditions.items()
            if BitTable.suits(condition.truth)
        }
        self.splits: dict[tuple[int, int], int] = {}  # feature and classes to the left → number in the pool

    def _group_of_class(self, axis: Axis) -> NDArray[np.int64]:
        """Group of every class, among those of a condition's axis."""
        k = self.place[axis.feature]
        # class j of a number is above the first j borders of the tree; the last of them gives its code here
        above = np.searchsorted(axis.borders, self.borders[k], side="right")
        first = np.concatenate([[0], above]) if axis.borders else np.unique(self.of_code[k], return_index=True)[1]
        codes: NDArray[np.int64] = axis.group[first]
        return codes


class Divider:
    """Divides trees, with limits for each tree and for all together."""

    def __init__(self, conditions: Conditions, pool: SplitPool) -> None:
        self._conditions, self._pool = conditions, pool
        self._n_nodes = self._work = 0

    def divide(self, condition: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64]) -> DividedTree:
        """Divide a tree, given by the condition of each node (−1 in leaves) and its children, counted from the root."""
        classes = _Classes(np.unique(condition[condition >= 0]).tolist(), self._conditions)
        steps: dict[tuple[int, ...], _Step] = {}
        asked, below = condition.tolist(), (left.tolist(), right.tolist())
        split, origin, children = list[int](), list[int](), list[list[int]]()
        n_leaves = 0
        waiting = [(0, classes.every, -1, 0)]  # node, knowledge, the parent and its side
        while waiting:
            node, known, parent, side = waiting.pop()
            here = len(split)
            if parent >= 0:
                children[parent][side] = here
            while asked[node] >= 0 and (step := self._next(classes, steps, asked[node], known)).answer is not None:
                node = below[step.answer][node]
            children.append([-1, -1])
            if asked[node] < 0:
                n_leaves += 1
                split.append(-1)
                origin.append(node)
                continue
            split.append(step.split)
            origin.append(-1)
            for side, bits in ((1, ~step.left), (0, step.left)):
                narrowed = (*known[: step.feature], known[step.feature] & bits, *known[step.feature + 1 :])
                waiting.append((node, narrowed, here, side))
            if n_leaves + len(waiting) > MAX_LEAVES:
                raise self._too_many(classes, f"a tree would have more than {MAX_LEAVES:,} leaves")
        self._n_nodes += len(split)
        if self._n_nodes > MAX_NODES:
            raise self._too_many(classes, f"its trees would have more than {MAX_NODES:,} nodes")
        both = np.array(children, dtype=np.int64)
        return DividedTree(np.array(split, dtype=np.int64), both[:, 0], both[:, 1], np.array(origin, dtype=np.int64))

    def _next(
        self, classes: _Classes, steps: dict[tuple[int, ...], _Step], number: int, known: tuple[int, ...]
    ) -> _Step:
        """The next step; the same condition with the same knowledge about its features has the same next step."""
        key = (number, *(known[k] for k in classes.places[number]))
        if key not in steps:
            steps[key] = self._step(classes, number, known)
        return steps[key]

    def _too_many(self, classes: _Classes, why: str) -> Exception:
        combined = [c for c in classes.conditions.values() if len(c.axes) > 1]
        return refuse_combination(self._conditions.names(axis.feature for c in combined for axis in c.axes), why)

    def _step(self, classes: _Classes, number: int, known: tuple[int, ...]) -> _Step:
        """Decide a condition, or choose the next split for it."""
        places, groups = classes.places[number], classes.groups[number]
        table = classes.tables.get(number)
        if table is not None:
            size, found = table.step([known[k] for k in places], places)
            self._count(classes, size)
            if isinstance(found, bool):
                return _Step(answer=found)
            k, left = places[found[0]], found[1]
            return _Step(answer=None, feature=k, left=left, split=self._split(classes, k, left))
        possible = [_places_of(known[k], classes.sizes[k]) for k in places]
        kept = [np.unique(own[at]) for own, at in zip(groups, possible, strict=True)]
        truth = classes.conditions[number].truth[np.ix_(*kept)]
        self._count(classes, truth.size)
        if truth.all() or not truth.any():
            return _Step(answer=bool(truth.flat[0]))
        best: tuple[int, int, int, NDArray[np.int64]] | None = None
        for axis, k in enumerate(places):
            # the part of a split that each possible class belongs to
            part = _blocks(truth, axis)[np.searchsorted(kept[axis], groups[axis][possible[axis]])]
            if classes.borders[k]:  # a number is cut between neighbouring classes
                part = np.concatenate([[0], np.cumsum(part[1:] != part[:-1])])
            n_parts = int(part.max()) + 1
            if n_parts > 1 and (best is None or (n_parts, k) < best[:2]):
                best = n_parts, k, axis, part
        assert best is not None  # a truth table that is not constant differs along some axis
        n_parts, k, axis, part = best
        goes_left = np.zeros(classes.sizes[k], dtype=bool)
        goes_left[possible[axis][part < n_parts // 2]] = True
        left = int.from_bytes(np.packbits(goes_left, bitorder="little").tobytes(), "little")
        return _Step(answer=None, feature=k, left=left, split=self._split(classes, k, left))

    def _count(self, classes: _Classes, size: int) -> None:
        self._work += size
        if self._work > _MAX_WORK:
            raise self._too_many(classes, "their levels differ in too many ways")

    def _split(self, classes: _Classes, k: int, left: int) -> int:
        feature, borders = classes.features[k], classes.borders[k]
        if borders:
            return self._pool.border(feature, borders[left.bit_length() - 1])
        if (k, left) not in classes.splits:
            goes_left = _truth_of(left, classes.sizes[k])
            classes.splits[k, left] = self._pool.levels(feature, goes_left[classes.of_code[k]])
        return classes.splits[k, left]


def _joined(groups: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Class of every code: codes of one class are in the same group for every condition."""
    classes = groups[0]
    for group in groups[1:]:
        classes = np.unique(classes * (int(group.max()) + 1) + group, return_inverse=True)[1].reshape(-1)
    return np.unique(classes, return_inverse=True)[1].reshape(-1)


def _blocks(truth: NDArray[np.bool_], axis: int) -> NDArray[np.int64]:
    """Block of every group, those with the fewest true entries first; groups of a block have equal truth tables."""
    rows = np.moveaxis(truth, axis, 0).reshape(truth.shape[axis], -1)
    if rows.shape[1] == 1:
        return rows[:, 0].astype(np.int64)
    alike: dict[bytes, list[int]] = {}
    for group, row in enumerate(rows):
        alike.setdefault(row.tobytes(), []).append(group)
    block = np.zeros(len(rows), dtype=np.int64)
    for number, same in enumerate(sorted(alike, key=lambda content: (content.count(1), content))):
        block[alike[same]] = number
    return block


def _truth_of(bits: int, n: int) -> NDArray[np.bool_]:
    """Whether each of the lowest n bits is set."""
    content = np.frombuffer(bits.to_bytes(-(-n // 8), "little"), dtype=np.uint8)
    return np.unpackbits(content, count=n, bitorder="little").astype(bool)


def _places_of(bits: int, n: int) -> NDArray[np.int64]:
    """Positions of the set bits among the lowest n."""
    return np.flatnonzero(_truth_of(bits, n))

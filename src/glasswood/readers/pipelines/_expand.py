"""Expand: a split on a number with several cuts becomes several nodes; the subtree of one side is then duplicated."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._split_translation import Splits, Steps

MAX_GROWTH = 8  # times the nodes of the model, plus some for small models; larger ones are refused
_EXTRA_NODES = 100_000


@dataclass(frozen=True, slots=True)
class _Range:
    """What is known about a column at a node."""

    low: float  # values are above this
    high: float  # and at most this
    missing: bool  # it may be missing


_ALL = _Range(-np.inf, np.inf, True)


class _Growing:
    """Nodes while they are written, parents first."""

    def __init__(self, limit: int) -> None:
        self.of: list[int] = []  # node of the model that a new node belongs to
        self.threshold: list[float] = []
        self.missing_left: list[bool] = []
        self.children: list[list[int]] = []
        self.stepped: list[bool] = []  # belongs to a node with several cuts
        self._limit = limit

    def add(self, node: int, threshold: float, missing_left: bool, stepped: bool) -> int:
        if len(self.of) > self._limit:
            raise UnsupportedModelError(
                "so many splits of this pipeline need several cuts of one column that the trees would grow beyond "
                f"{self._limit:,} nodes; use KBinsDiscretizer(encode='ordinal'), or ColumnTransformer("
                "sparse_threshold=0) before XGBoost, and fit again"
            )
        self.of.append(node)
        self.threshold.append(threshold)
        self.missing_left.append(missing_left)
        self.children.append([-1, -1])
        self.stepped.append(stepped)
        return len(self.of) - 1


def expanded(inner: Ensemble, splits: Splits, arrays: dict[str, Any]) -> dict[str, Any]:
    """Node arrays in which every node with several cuts is written as several nodes.

    Nodes that are already decided by their path are left out. Weights are dropped, because those of the new nodes are
    not known.
    """
    grown = _Growing(MAX_GROWTH * inner.n_nodes + _EXTRA_NODES)
    starts = [0]
    for root in inner.tree_start[:-1].tolist():
        _tree(grown, arrays, splits, root)
        starts.append(len(grown.of))
    of = np.array(grown.of, dtype=np.int64)
    children = np.array(grown.children, dtype=np.int64).reshape(-1, 2)
    stepped = np.array(grown.stepped, dtype=bool)
    found = {name: array[of] for name, array in arrays.items() if name not in _NOT_PER_NODE}
    threshold = np.array(grown.threshold)
    return {
        **{name: arrays[name] for name in _NOT_PER_NODE},
        **found,
        "tree_start": starts,
        "threshold": threshold,
        "stated_threshold": np.where(stepped, threshold, found["stated_threshold"]),
        "missing_left": np.array(grown.missing_left, dtype=bool),
        "left": children[:, 0],
        "right": children[:, 1],
        "weight": np.full(len(of), np.nan),
        "gain": np.where(stepped, np.nan, found["gain"]),
    }


_NOT_PER_NODE = ("tree_start", "tree_output", "set_start", "set_bits")


@dataclass(frozen=True, slots=True, eq=False)
class _Split:
    """A split on a number, restricted to what its path leaves open."""

    node: int
    feature: int
    cuts: NDArray[np.float64]
    sides: NDArray[np.bool_]  # (n_cuts + 1,) stretches that go left
    missing_left: bool
    children: tuple[int, int]

    def child(self, left: bool) -> int:
        return self.children[0] if left else self.children[1]


_Task = tuple[int, dict[int, _Range], int, int]  # node of the model, knowledge, parent, and side


def _tree(grown: _Growing, arrays: dict[str, Any], splits: Splits, root: int) -> None:
    """Write one tree; with the knowledge about the columns, nodes that cannot be reached are left out."""
    todo: list[_Task] = [(root, {}, -1, 0)]
    while todo:
        node, known, parent, side = todo.pop()
        feature = int(arrays["feature"][node])
        if feature < 0 or arrays["category_set"][node] >= 0:
            here = grown.add(node, float("nan"), bool(arrays["missing_left"][node]), False)
            _hang(grown, parent, side, here)
            if feature >= 0:
                todo += [(int(arrays[name][node]), known, here, k) for k, name in enumerate(("left", "right"))]
            continue
        within = known.get(feature, _ALL)
        split = _left_open(_split(arrays, splits, node, feature), within)
        decided = _decided(split, within)
        if decided is None:
            _chain(grown, todo, split, known, (parent, side))
        else:
            todo.append((split.child(decided), known, parent, side))


def _split(arrays: dict[str, Any], splits: Splits, node: int, feature: int) -> _Split:
    children = int(arrays["left"][node]), int(arrays["right"][node])
    steps = splits.steps.get(node)
    if steps is None:
        steps = Steps(arrays["threshold"][node : node + 1], np.array([True, False]), bool(arrays["missing_left"][node]))
    return _Split(node, feature, steps.cuts, steps.left, steps.missing_left, children)


def _left_open(split: _Split, within: _Range) -> _Split:
    """The split with only the cuts inside the range, and one cut per change of side."""
    cuts = split.cuts[(split.cuts > within.low) & (split.cuts < within.high)]
    first = int(np.searchsorted(split.cuts, within.low, side="right"))
    sides = split.sides[first : first + len(cuts) + 1]
    turns = np.flatnonzero(sides[:-1] != sides[1:])
    return replace(split, cuts=cuts[turns], sides=sides[np.append(turns, len(sides) - 1)])


def _decided(split: _Split, within: _Range) -> bool | None:
    """Whether all values go left (True) or right (False); None if the split is open."""
    if within.low == np.inf:  # only missing values come here
        return split.missing_left
    first = bool(split.sides[0])
    return first if len(split.cuts) == 0 and (not within.missing or split.missing_left == first) else None


def _chain(grown: _Growing, todo: list[_Task], split: _Split, known: dict[int, _Range], place: tuple[int, int]) -> None:
    """Write the cuts in ascending order, one node each; missing values leave at the first node with their side."""
    within = known.get(split.feature, _ALL)
    stepped = len(split.cuts) != 1 or not split.sides[0]
    cuts, sides = split.cuts.tolist(), split.sides.tolist()
    if not cuts:  # the node only tests whether the value is missing
        cuts, sides = [np.inf], [sides[0], not sides[0]]
    low, missing = within.low, within.missing
    here = -1
    for k, cut in enumerate(cuts):
        goes_low = missing and sides[k] == split.missing_left
        here = grown.add(split.node, cut, goes_low, stepped)
        _hang(grown, *place, here)
        below = {**known, split.feature: _Range(low, min(cut, within.high), goes_low)}
        todo.append((split.child(sides[k]), below, here, 0))
        low, missing, place = cut, missing and not goes_low, (here, 1)
    above = {**known, split.feature: _Range(low, within.high, missing)}
    todo.append((split.child(sides[-1]), above, here, 1))


def _hang(grown: _Growing, parent: int, side: int, node: int) -> None:
    if parent >= 0:
        grown.children[parent][side] = node

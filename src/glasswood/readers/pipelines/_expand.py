"""Expand: a split of one number at several cuts, as several nodes; the subtree of one side then stands twice."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._back import Splits, Steps

MOST_NODES = 8  # times the nodes of the model, and some for small ones: beyond, the model is refused
_SOME = 100_000


@dataclass(frozen=True, slots=True)
class _Range:
    """What is known of a column on the way to a node."""

    low: float  # the values are above this
    high: float  # and at most this
    missing: bool  # or it may be missing


_ALL = _Range(-np.inf, np.inf, True)


class _Growing:
    """Nodes as they are written, parent first."""

    def __init__(self, limit: int) -> None:
        self.of: list[int] = []  # node of the model that a node is, or is a part of
        self.threshold: list[float] = []
        self.missing_left: list[bool] = []
        self.children: list[list[int]] = []
        self.stepped: list[bool] = []  # a part of a node with several cuts
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
    """The node arrays with every node of several cuts written as several nodes.

    Nodes that the way to them decides are left out. Weights are left out too: nobody counted the rows of the parts.
    """
    grown = _Growing(MOST_NODES * inner.n_nodes + _SOME)
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
        "shown": np.where(stepped, threshold, found["shown"]),
        "missing_left": np.array(grown.missing_left, dtype=bool),
        "left": children[:, 0],
        "right": children[:, 1],
        "weight": np.full(len(of), np.nan),
        "gain": np.where(stepped, np.nan, found["gain"]),
    }


_NOT_PER_NODE = ("tree_start", "tree_output", "set_start", "set_bits")


def _tree(grown: _Growing, arrays: dict[str, Any], splits: Splits, root: int) -> None:
    """Write one tree; what is known of the columns comes along, so that no part is written that nobody reaches."""
    todo: list[tuple[int, dict[int, _Range], int, int]] = [(root, {}, -1, 0)]
    while todo:
        node, known, parent, side = todo.pop()
        feature = int(arrays["feature"][node])
        is_number = feature >= 0 and arrays["category_set"][node] < 0
        if not is_number:
            here = grown.add(node, float("nan"), bool(arrays["missing_left"][node]), False)
            _hang(grown, parent, side, here)
            if feature >= 0:
                todo += [(int(arrays[name][node]), known, here, k) for k, name in enumerate(("left", "right"))]
            continue
        steps, lefts = _steps(arrays, splits, node)
        within = known.get(feature, _ALL)
        if within.low == np.inf:  # only a missing value comes here
            todo.append((lefts[0] if steps.missing_left else lefts[1], known, parent, side))
            continue
        keep = (steps.cuts > within.low) & (steps.cuts < within.high)
        cuts = steps.cuts[keep]
        first = int(np.searchsorted(steps.cuts, within.low, side="right"))
        sides = steps.left[first : first + len(cuts) + 1]
        cuts, sides = _simplified(cuts, sides)
        if len(cuts) == 0 and (not within.missing or steps.missing_left == sides[0]):
            todo.append((lefts[0] if sides[0] else lefts[1], known, parent, side))
            continue
        _chain(grown, todo, node, feature, within, cuts, sides, steps.missing_left, lefts, known, (parent, side))


def _steps(arrays: dict[str, Any], splits: Splits, node: int) -> tuple[Steps, tuple[int, int]]:
    """A split of a number as steps, and its children, left and right."""
    if node in splits.steps:
        return splits.steps[node], (int(arrays["left"][node]), int(arrays["right"][node]))
    one = Steps(arrays["threshold"][node : node + 1], np.array([True, False]), bool(arrays["missing_left"][node]))
    return one, (int(arrays["left"][node]), int(arrays["right"][node]))


def _simplified(cuts: NDArray[Any], sides: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    turns = np.flatnonzero(sides[:-1] != sides[1:])
    return cuts[turns], sides[np.append(turns, len(sides) - 1)]


def _chain(
    grown: _Growing,
    todo: list[tuple[int, dict[int, _Range], int, int]],
    node: int,
    feature: int,
    within: _Range,
    cuts: NDArray[Any],
    sides: NDArray[np.bool_],
    missing_left: bool,
    lefts: tuple[int, int],
    known: dict[int, _Range],
    place: tuple[int, int],
) -> None:
    """Write the cuts from below, one node each; a missing value leaves at the first node whose side is its own."""
    stepped = len(cuts) != 1 or not sides[0]
    ends = cuts.tolist() or [np.inf]  # without a cut the node only asks whether the value is missing
    low, missing = within.low, within.missing
    after = [*sides.tolist()[1:], not sides[-1]] if not len(cuts) else sides.tolist()[1:]
    for k, cut in enumerate(ends):
        mine, last = bool(sides[k]), k == len(ends) - 1
        # with the side below the cut where that is its own; else on to the next node
        goes_low = missing and mine == missing_left
        here = grown.add(node, cut, goes_low, stepped)
        _hang(grown, *place, here)
        below = {**known, feature: _Range(low, min(cut, within.high), goes_low)}
        todo.append((lefts[0] if mine else lefts[1], below, here, 0))
        low, missing = cut, missing and not goes_low
        if last:
            above = {**known, feature: _Range(low, within.high, missing)}
            todo.append((lefts[0] if after[k] else lefts[1], above, here, 1))
        place = (here, 1)


def _hang(grown: _Growing, parent: int, side: int, node: int) -> None:
    if parent >= 0:
        grown.children[parent][side] = node

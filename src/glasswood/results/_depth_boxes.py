"""Frontiers and DepthBoxes: a tree cut at every depth, computed on demand because all cuts together can be large."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Boxes, FeatureSchema, unpack_set


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthBox:
    """One side of the box of a frontier node: the values of one feature that reach it.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(8.0)[:, None]
    >>> y = [0, 0, 0, 0, 1, 0, 1, 1]
    >>> boxes = gw.tree_profile(gw.TreeClassifier().fit(X, y), X, y).boxes
    >>> left, right = boxes[1]
    >>> left.node, left.feature, left.lower, left.upper
    (1, 'x0', -inf, 3.5)
    """

    node: int
    feature: str
    lower: float  # exclusive; NaN for a category
    upper: float  # inclusive; NaN for a category
    levels: tuple[str, ...] | None  # of a category
    missing: bool  # a missing value reaches the node


class Frontiers(Sequence[NDArray[np.int32]]):
    """Entry d: the nodes at depth d and the leaves above it, ascending.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(8.0)[:, None]
    >>> y = [0, 0, 0, 0, 1, 0, 1, 1]
    >>> profile = gw.tree_profile(gw.TreeClassifier().fit(X, y), X, y)
    >>> [nodes.tolist() for nodes in profile.frontier]
    [[0], [1, 2], [1, 3, 6], [1, 4, 5, 6]]
    """

    def __init__(self, depth: NDArray[np.int32], leaf: NDArray[np.bool_]) -> None:
        self._nodes = np.argsort(depth, kind="stable").astype(np.int32)
        self._leaves = self._nodes[leaf[self._nodes]]
        depths = np.arange(int(depth.max(initial=-1)) + 2)
        self._start = np.searchsorted(depth[self._nodes], depths)
        self._n_above = np.searchsorted(depth[self._leaves], depths)

    def __len__(self) -> int:
        return len(self._start) - 1

    @overload
    def __getitem__(self, depth: int) -> NDArray[np.int32]: ...
    @overload
    def __getitem__(self, depth: slice) -> "tuple[NDArray[np.int32], ...]": ...
    def __getitem__(self, depth: int | slice) -> "NDArray[np.int32] | tuple[NDArray[np.int32], ...]":
        if isinstance(depth, slice):
            return tuple(self[d] for d in range(*depth.indices(len(self))))
        d = range(len(self))[depth]
        at = self._nodes[self._start[d] : self._start[d + 1]]
        return np.sort(np.concatenate([self._leaves[: self._n_above[d]], at]), kind="stable")


class DepthBoxes(Sequence[tuple[DepthBox, ...]]):
    """Entry d: the sides of the boxes of the frontier of depth d.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(8.0)[:, None]
    >>> y = [0, 0, 0, 0, 1, 0, 1, 1]
    >>> profile = gw.tree_profile(gw.TreeClassifier().fit(X, y), X, y)
    >>> [len(sides) for sides in profile.boxes]
    [0, 2, 3, 4]
    """

    def __init__(self, frontiers: Frontiers, boxes: Boxes, features: FeatureSchema) -> None:
        self._frontiers, self._boxes, self._features = frontiers, boxes, features  # boxes of every node

    def __len__(self) -> int:
        return len(self._frontiers)

    @overload
    def __getitem__(self, depth: int) -> tuple[DepthBox, ...]: ...
    @overload
    def __getitem__(self, depth: slice) -> tuple[tuple[DepthBox, ...], ...]: ...
    def __getitem__(self, depth: int | slice) -> tuple[DepthBox, ...] | tuple[tuple[DepthBox, ...], ...]:
        if isinstance(depth, slice):
            return tuple(self[d] for d in range(*depth.indices(len(self))))
        start = self._boxes.start
        nodes = self._frontiers[depth].tolist()
        return tuple(self._side(node, i) for node in nodes for i in range(start[node], start[node + 1]))

    def _side(self, node: int, i: int) -> DepthBox:
        found, feature, levels = self._boxes, int(self._boxes.feature[i]), None
        if found.category_set[i] >= 0:
            first, last = found.set_start[found.category_set[i] : found.category_set[i] + 2]
            labels = self._features.categories[feature] or ()
            levels = tuple(str(labels[code]) for code in np.flatnonzero(unpack_set(found.set_bits[first:last])))
        return DepthBox(
            node=node,
            feature=self._features.names[feature],
            lower=float(found.lower[i]),
            upper=float(found.upper[i]),
            levels=levels,
            missing=bool(found.missing[i]),
        )

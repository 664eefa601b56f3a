"""TreeProfile: impurity, score and regions of a tree at each depth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_depths
from glasswood.results._depth_boxes import DepthBox
from glasswood.results._html import html_table
from glasswood.results._tree_diagram import TreeDiagram
from glasswood.tables import make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TreeProfile:
    """A tree cut at every depth: impurity, score and regions.

    The root has depth 0; the frontier of depth d is the nodes at depth d and the leaves above it. Entry d of every
    sequence and array below belongs to depth d.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(8.0)[:, None]
    >>> y = [0, 0, 0, 0, 1, 0, 1, 1]
    >>> profile = gw.tree_profile(gw.TreeClassifier().fit(X, y), X, y)
    >>> profile.impurity.round(3), profile.score
    (array([0.469, 0.188, 0.125, 0.   ]), array([0.625, 0.875, 0.875, 1.   ]))
    """

    criterion: str  # gini, entropy or squared_error
    impurity: NDArray[np.float64]  # (n_depths,) weighted mean impurity of the frontier; never increases
    score: NDArray[np.float64]  # (n_depths,) accuracy of the cut tree, R² for numbers
    score_name: str  # "accuracy" or "r2"
    frontier: Sequence[NDArray[np.int32]]  # node numbers; computed on demand
    boxes: Sequence[tuple[DepthBox, ...]]  # sides of the frontier's boxes, computed on demand
    node_impurity: NDArray[np.float64]  # (n_nodes,)
    tree: TreeDiagram  # the whole tree, with the given rows in its nodes

    @property
    def n_depths(self) -> int:
        """Largest depth plus one."""
        return len(self.impurity)

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per depth: depth, impurity, accuracy (or r2), n_nodes of the frontier."""
        columns = {
            "depth": np.arange(self.n_depths),
            "impurity": self.impurity,
            self.score_name: self.score,
            "n_nodes": np.array([len(nodes) for nodes in self.frontier]),
        }
        return make_frame(columns, backend or self.tree.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; an open end of a box is None."""
        return {
            "criterion": self.criterion,
            "impurity": self.impurity.tolist(),
            "score": self.score.tolist(),
            "score_name": self.score_name,
            "frontier": [nodes.tolist() for nodes in self.frontier],
            "boxes": [[_side_to_dict(side) for side in sides] for sides in self.boxes],
            "node_impurity": self.node_impurity.tolist(),
            "tree": self.tree.to_dict(),
        }

    def to_text(self) -> str:
        """The tree as indented text, one line per node."""
        return self.tree.to_text()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw impurity against depth; depth increases downwards, as in the tree. Returns the axes."""
        return draw_depths(self.impurity, self.score, self.criterion, self.score_name, ax=ax)

    def _repr_html_(self) -> str:
        rows = [
            [depth, impurity, score, len(nodes)]
            for depth, (impurity, score, nodes) in enumerate(zip(self.impurity, self.score, self.frontier, strict=True))
        ]
        return html_table("Tree by depth", ["depth", "impurity", self.score_name, "nodes"], rows, most=len(rows))


def _side_to_dict(side: DepthBox) -> dict[str, Any]:
    return {
        "node": side.node,
        "feature": side.feature,
        "lower": side.lower if math.isfinite(side.lower) else None,
        "upper": side.upper if math.isfinite(side.upper) else None,
        "levels": None if side.levels is None else list(side.levels),
        "missing": side.missing,
    }

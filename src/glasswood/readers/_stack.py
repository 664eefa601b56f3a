"""TreeNodes: the nodes of one tree as a source gives them, and trees joined into one set of arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class TreeNodes:
    """One tree; children are positions within the tree, after their parent; −1 in a leaf."""

    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]  # canonical
    stated_threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    missing_left: NDArray[np.bool_]
    value: NDArray[np.float64]  # (n_nodes, width)
    weight: NDArray[np.float64]
    gain: NDArray[np.float64]


def stack(trees: Sequence[TreeNodes]) -> dict[str, Any]:
    """Join trees: the node arrays of `build_ensemble`, with `tree_start`."""
    sizes = np.array([len(tree.feature) for tree in trees], dtype=np.int64)
    tree_start = np.concatenate([[0], np.cumsum(sizes)])
    shift = np.repeat(tree_start[:-1], sizes)
    parts = {
        name: np.concatenate([getattr(tree, name) for tree in trees]) if trees else np.zeros(0)
        for name in TreeNodes.__dataclass_fields__
    }
    for side in ("left", "right"):
        parts[side] = np.where(parts[side] < 0, -1, parts[side] + shift)
    return {"tree_start": tree_start, **parts}

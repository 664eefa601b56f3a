"""Prediction, slow and obvious: one row, one tree, one node at a time."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

ZERO_REACH = float(np.float32(1e-35))


def predict_raw(ensemble: Mapping[str, Any], columns: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    """Baseline plus the value of each tree's leaf, added in order; (n_rows, n_outputs)."""
    leaves = reached(ensemble, columns)
    raw = np.tile(ensemble["baseline"], (len(leaves), 1))
    width = ensemble["value"].shape[1]
    for tree, output in enumerate(ensemble["tree_output"]):
        raw[:, output : output + width] += ensemble["value"][leaves[:, tree]]
    return raw


def apply(ensemble: Mapping[str, Any], columns: Sequence[NDArray[Any]]) -> NDArray[np.int32]:
    """Leaf id of each tree's leaf; (n_rows, n_trees)."""
    return ensemble["leaf_id"][reached(ensemble, columns)]


def reached(ensemble: Mapping[str, Any], columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Index of the leaf that each row reaches in each tree; (n_rows, n_trees)."""
    n_rows = len(columns[0]) if len(columns) else 0
    roots = [int(root) for root in ensemble["tree_start"][:-1]]
    leaves = np.empty((n_rows, len(roots)), dtype=np.int64)
    nodes = {name: ensemble[name].tolist() for name in ("feature", "left", "right")}
    for row in range(n_rows):
        for tree, node in enumerate(roots):
            while nodes["feature"][node] >= 0:
                x = columns[nodes["feature"][node]][row]
                node = nodes["left" if goes_left(ensemble, node, x) else "right"][node]
            leaves[row, tree] = node
    return leaves


def goes_left(ensemble: Mapping[str, Any], node: int, x: Any) -> bool:
    """Which way a value goes at an inner node; x is a float or, for a category, an int32 code."""
    feature = ensemble["feature"][node]
    category_set = ensemble["category_set"][node]
    if category_set >= 0:
        if x < 0:
            return bool(ensemble["missing_left"][node])
        if x >= ensemble["n_levels"][feature]:
            return bool(ensemble["unseen_left"][node])
        return in_set(ensemble, category_set, int(x))
    x = float(x)
    if np.isnan(x) or (ensemble["zero_is_missing"][feature] and abs(x) <= ZERO_REACH):
        return bool(ensemble["missing_left"][node])
    return x <= float(ensemble["threshold"][node])


def in_set(ensemble: Mapping[str, Any], category_set: int, code: int) -> bool:
    """Whether the code is a member of the set."""
    words = ensemble["set_bits"][ensemble["set_start"][category_set] : ensemble["set_start"][category_set + 1]]
    return code // 64 < len(words) and bool((int(words[code // 64]) >> (code % 64)) & 1)

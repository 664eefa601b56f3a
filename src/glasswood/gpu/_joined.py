"""Joined: the nodes that a device wrote, as the arrays of joined trees on the host."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


def join_nodes(nodes: NDArray[Any], values: NDArray[np.float64], weights: NDArray[np.float64]) -> Arrays:
    """Arrays as of `_native.join_trees`.

    Parameters
    ----------
    nodes : ndarray of NODE, (n_trees, 2^depth − 1)
        Each tree as a heap: the children of node i are 2i + 1 and 2i + 2.
    values, weights : ndarray, (n_trees, 2^depth)
        Of the slots of the last level. The leaf of a node that is not split has the first slot below it.
    """
    n_trees, n_leaves = values.shape
    depth = n_leaves.bit_length() - 1
    splits = np.concatenate([nodes["feature"] >= 0, np.zeros((n_trees, n_leaves), dtype=bool)], axis=1)
    exists = np.zeros(splits.shape, dtype=bool)
    exists[:, 0] = True
    for level in range(depth):
        here, below = slice(2**level - 1, 2 ** (level + 1) - 1), slice(2 ** (level + 1) - 1, 2 ** (level + 2) - 1)
        splits[:, here] &= exists[:, here]
        exists[:, below] = np.repeat(splits[:, here], 2, axis=1)
    # a heap lies level by level, as the nodes of joined trees do
    number = np.cumsum(exists.ravel()).reshape(exists.shape) - 1
    tree, place = np.nonzero(exists)
    inner = splits[tree, place]
    own = nodes[tree[inner], place[inner]]
    leaf_place = place[~inner]
    levels = np.frexp(leaf_place + 1)[1] - 1  # exact: the number of bits
    slot = ((leaf_place + 1) << (depth - levels)) - n_leaves
    first_child = number[tree[inner], 2 * place[inner] + 1]
    joined: Arrays = {
        "tree_start": np.concatenate([[0], np.cumsum(exists.sum(axis=1))]).astype(np.int64),
        "feature": _spread(inner, own["feature"], -1, np.int32),
        "bin": _spread(inner, own["bin"], -1, np.int32),
        "left": _spread(inner, first_child, -1, np.int64),
        "right": _spread(inner, first_child + 1, -1, np.int64),
        "missing_left": _spread(inner, own["missing_left"], 0, np.uint8),
        "unseen_left": _spread(inner, own["unseen_left"], 0, np.uint8),
        "value": _spread(~inner, values[tree[~inner], slot], 0.0, np.float64),
        "gain": _spread(inner, own["gain"], np.nan, np.float64),
        "weight": _weights(exists, splits, weights),
        "wide_set": np.empty(0, dtype=np.uint64),
        "wide_node": np.empty(0, dtype=np.int64),
        "wide_column": np.empty(0, dtype=np.uint32),
        "wide_start": np.zeros(1, dtype=np.int64),
    }
    left_set = np.zeros((len(inner), 4), dtype=np.uint64)
    left_set[inner] = own["left_set"]
    joined["left_set"] = left_set
    return joined


def _spread(where: NDArray[np.bool_], values: NDArray[Any], other: float, dtype: Any) -> NDArray[Any]:
    out = np.full(len(where), other, dtype=dtype)
    out[where] = values
    return out


def _weights(exists: NDArray[np.bool_], splits: NDArray[np.bool_], leaves: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight of each node: inner nodes weigh what their children do."""
    depth = leaves.shape[1].bit_length() - 1
    weight = np.zeros(exists.shape)
    below = leaves
    weight[:, 2**depth - 1 :] = below
    for level in range(depth - 1, -1, -1):
        here = slice(2**level - 1, 2 ** (level + 1) - 1)
        # a node that is not split has all its weight in its first slot, so both cases are one sum or one copy
        below = np.where(splits[:, here], below[:, ::2] + below[:, 1::2], below[:, ::2])
        weight[:, here] = below
    return weight[exists]

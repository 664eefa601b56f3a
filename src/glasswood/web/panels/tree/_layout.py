"""Positions of the nodes of a tree: columns of leaves for the tree diagram, shares of rows for the icicle plot."""

import numpy as np
from numpy.typing import NDArray


def columns_of(left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.float64]:
    """Give each leaf its own column, from left to right, and each parent the middle of its children; in [0, 1]."""
    n = len(left)
    x = np.zeros(n)
    waiting, n_leaves = [0], 0
    while waiting:
        node = waiting.pop()
        if left[node] < 0:
            x[node] = n_leaves + 0.5
            n_leaves += 1
        else:
            waiting += [int(right[node]), int(left[node])]
    for node in range(n - 1, -1, -1):
        if left[node] >= 0:
            x[node] = (x[left[node]] + x[right[node]]) / 2
    return x / n_leaves


def spans_of(
    left: NDArray[np.int32], right: NDArray[np.int32], rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Start and width of each node in the icicle plot, by its share of the rows."""
    width = rows / max(int(rows[0]), 1)
    start = np.zeros(len(left))
    for node in np.flatnonzero(left >= 0):
        start[left[node]] = start[node]
        start[right[node]] = start[node] + width[left[node]]
    return start, width

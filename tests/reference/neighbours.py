"""Similarity by leaves, slow and obvious: every query against every training row, tree by tree."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray


def similarity(
    query_leaf: NDArray[Any],
    train_leaf: NDArray[Any],
    *,
    kind: str = "leaf_weight",
    weight: NDArray[np.float64] | None = None,
    copies: NDArray[Any] | None = None,
    tree_weight: NDArray[np.float64] | None = None,
    min_rows_per_leaf: int = 1,
) -> NDArray[np.float64]:
    """Weights (n_queries, n_train) by their definition, in exact fractions; leaves are numbered per tree."""
    n_train, n_trees = train_leaf.shape
    weight = np.ones(n_train) if weight is None else weight
    copies = np.ones((n_train, n_trees)) if copies is None else copies
    tree_weight = np.ones(n_trees) if tree_weight is None else tree_weight
    out = np.zeros((len(query_leaf), n_train))
    for q in range(len(query_leaf)):
        sums, total = [Fraction(0)] * n_train, Fraction(0)
        for t in range(n_trees):
            mass = {
                i: Fraction(float(weight[i])) * int(copies[i, t])
                for i in range(n_train)
                if train_leaf[i, t] == query_leaf[q, t] and weight[i] > 0 and copies[i, t] > 0
            }
            if len(mass) < max(1, min_rows_per_leaf):
                continue
            share, whole = Fraction(float(tree_weight[t])), sum(mass.values())
            total += share
            for i, m in mass.items():
                sums[i] += share * (1 if kind == "breiman" else m / whole)
        if total > 0:
            out[q] = [float(s / total) for s in sums]
    return out


def tree_variance(
    train_leaf_value: NDArray[np.float64], weight: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Weighted variance of each tree's value over the rows, summed over outputs; values (n_rows, n_trees, width)."""
    n_rows, n_trees, width = train_leaf_value.shape
    mass = [Fraction(1 if weight is None else float(weight[i])) for i in range(n_rows)]
    total = sum(mass)
    out = np.zeros(n_trees)
    for t in range(n_trees):
        for k in range(width):
            value = [Fraction(float(v)) for v in train_leaf_value[:, t, k]]
            mean = sum(m * v for m, v in zip(mass, value, strict=True)) / total
            out[t] += float(sum(m * (v - mean) ** 2 for m, v in zip(mass, value, strict=True)) / total)
    return out


def top(weights: NDArray[np.float64], k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The k largest of each row, equal ones by number; −1 and 0 if fewer are above 0."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :k]
    best = np.take_along_axis(weights, order, axis=1)
    row = np.where(best > 0, order, -1)
    missing = max(0, k - weights.shape[1])
    return np.pad(row, ((0, 0), (0, missing)), constant_values=-1), np.pad(best, ((0, 0), (0, missing)))

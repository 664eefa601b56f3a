"""Trees: CatBoost's conditions and step lists → node arrays in which every child comes after its parent."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.readers.catboost._conditions import Conditions
from glasswood.readers.catboost._ctr_keys import DecodedKeys
from glasswood.readers.catboost._divide import Divider
from glasswood.readers.catboost._model_content import ModelContent
from glasswood.readers.catboost._split_pool import SplitPool

_COMBINED = -2  # instead of the number of a split: the condition needs several splits
_MAX_DEPTH = 40  # CatBoost allows 16; the leaf values of deeper trees would not fit into any file


def node_arrays(
    parts: ModelContent, column: NDArray[np.int64], decoded: Mapping[int, DecodedKeys] | None = None
) -> dict[str, NDArray[Any]]:
    """Node arrays of `build_ensemble`; `column` is the schema position of each number, then of each category.

    If a tree had to be divided, all node weights are NaN, because the file does not contain those of the new leaves.
    """
    conditions, pool = Conditions(parts, decoded or {}), SplitPool(parts, column)
    tree = _oblivious(parts) if parts.steps is None else _stepped(parts, parts.steps)
    condition = tree.pop("condition")
    asked = np.unique(condition[condition >= 0])
    if asked.size and asked[-1] >= len(conditions):
        raise ModelFileError(f"a split uses condition {asked[-1]}, there are {len(conditions)}")
    made = (conditions[number] for number in asked.tolist())
    splits = [pool.plain(own) if own.is_plain else _COMBINED for own in made]
    # the last entry is for leaves
    tree["split"] = np.array([*splits, -1])[np.where(condition >= 0, np.searchsorted(asked, condition), -1)]
    if _COMBINED in splits:
        tree = _with_divided(tree, condition, Divider(conditions, pool))
    return {**pool.arrays(tree.pop("split")), **tree}


def _with_divided(
    tree: dict[str, NDArray[Any]], condition: NDArray[np.int64], divider: Divider
) -> dict[str, NDArray[Any]]:
    """Divide the trees with conditions on combinations; keep the others unchanged."""
    starts = tree["tree_start"]
    trees = np.flatnonzero(np.minimum.reduceat(tree["split"], starts[:-1]) == _COMBINED)
    made = {}
    for t in trees.tolist():
        here = slice(starts[t], starts[t + 1])
        made[t] = divider.divide(condition[here], tree["left"][here] - starts[t], tree["right"][here] - starts[t])
    sizes = np.diff(starts)
    sizes[trees] = [len(made[t].split) for t in trees.tolist()]
    new_starts = np.concatenate([[0], np.cumsum(sizes)])
    # the node of CatBoost's tree from which each new node takes its leaf
    origin = np.arange(new_starts[-1]) + np.repeat(starts[:-1] - new_starts[:-1], sizes)
    out: dict[str, NDArray[Any]] = {}
    for t, own in made.items():
        origin[new_starts[t] : new_starts[t + 1]] = starts[t] + np.maximum(own.origin, 0)
    for name in ("split", "left", "right", "leaf_id", "value"):
        out[name] = tree[name][origin]
    shift = np.repeat(new_starts[:-1] - starts[:-1], sizes)
    for side in ("left", "right"):
        out[side] = np.where(out[side] >= 0, out[side] + shift, -1)
    for t, own in made.items():
        here = slice(new_starts[t], new_starts[t + 1])
        out["split"][here] = own.split
        out["left"][here] = np.where(own.left >= 0, own.left + new_starts[t], -1)
        out["right"][here] = np.where(own.right >= 0, own.right + new_starts[t], -1)
        out["leaf_id"][here] = np.where(own.split >= 0, -1, out["leaf_id"][here])
    out["weight"] = np.full(int(new_starts[-1]), np.nan)
    out["tree_start"] = new_starts
    return out


def _oblivious(parts: ModelContent) -> dict[str, NDArray[Any]]:
    """Trees with one condition per level, level by level.

    The last split, which is the highest bit of CatBoost's leaf number, is the root, so that leaves are in the order of
    their numbers.
    """
    sizes, splits = parts.tree_sizes, parts.splits
    if sizes.size and (sizes.min() < 0 or sizes.max() > _MAX_DEPTH):
        raise ModelFileError(f"a tree has {sizes.min() if sizes.min() < 0 else sizes.max()} splits")
    n_leaves = np.left_shift(1, sizes)
    _check_counts(parts, n_splits=int(sizes.sum()), n_leaves=int(n_leaves.sum()))
    n_nodes = 2 * n_leaves - 1
    tree_start = np.concatenate([[0], np.cumsum(n_nodes)])
    first_leaf, first_split = np.cumsum(n_leaves) - n_leaves, np.cumsum(sizes) - sizes
    total = int(tree_start[-1])
    condition = np.full(total, -1, dtype=np.int64)
    left, right = np.full(total, -1, dtype=np.int64), np.full(total, -1, dtype=np.int64)
    leaf_of = np.full(total, -1, dtype=np.int64)
    for depth in np.unique(sizes).tolist():
        trees = np.flatnonzero(sizes == depth)
        for level in range(depth):
            place = np.arange(2**level - 1, 2 ** (level + 1) - 1)
            nodes = tree_start[trees][:, None] + place
            condition[nodes] = splits[first_split[trees] + depth - 1 - level][:, None]
            left[nodes] = tree_start[trees][:, None] + 2 * place + 1
            right[nodes] = left[nodes] + 1
        leaves = tree_start[trees][:, None] + np.arange(2**depth - 1, 2 ** (depth + 1) - 1)
        leaf_of[leaves] = first_leaf[trees][:, None] + np.arange(2**depth)
    if np.any(splits < 0):
        raise ModelFileError("a split uses a condition below 0")
    return _finish(parts, tree_start, condition, left, right, leaf_of)


def _stepped(parts: ModelContent, steps: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Trees whose nodes store distances to their children; with one distance 0, the node is the leaf on that side."""
    n = len(steps)
    sizes = parts.tree_sizes
    if np.any(sizes < 1) or int(sizes.sum()) != n or len(parts.splits) != n or len(parts.leaf_of) != n:
        raise ModelFileError(f"it lists {n} nodes, its trees have {int(sizes.sum())}")
    if len(parts.leaf_values) % parts.dimension:
        raise ModelFileError(f"{len(parts.leaf_values)} leaf values do not fit {parts.dimension} outputs")
    has = steps > 0
    inner, both = has.any(axis=1), has.all(axis=1)
    nodes = np.arange(n)
    end = np.repeat(np.cumsum(sizes), sizes)
    child = nodes[:, None] + steps
    if np.any(child >= end[:, None]) or np.any(np.bincount(child[has], minlength=n) > 1):
        raise ModelFileError("its nodes do not form trees")
    if np.any(parts.splits[inner] < 0):
        raise ModelFileError("a split uses a condition below 0")
    extra = inner & ~both
    moved = nodes + np.cumsum(extra) - extra
    total = n + int(extra.sum())
    condition, leaf_of = np.full(total, -1, dtype=np.int64), np.full(total, -1, dtype=np.int64)
    condition[moved[inner]] = parts.splits[inner]
    leaf_of[moved[~inner]] = parts.leaf_of[~inner]
    leaf_of[moved[extra] + 1] = parts.leaf_of[extra]
    sides = []
    for side in (0, 1):
        to = np.full(total, -1, dtype=np.int64)
        to[moved[inner]] = moved[inner] + 1
        to[moved[has[:, side]]] = moved[child[has[:, side], side]]
        sides.append(to)
    bad = (leaf_of >= 0) & ((leaf_of % parts.dimension != 0) | (leaf_of >= len(parts.leaf_values)))
    if np.any(bad) or np.any((leaf_of < 0) != (condition >= 0)):
        raise ModelFileError("a leaf has no value")
    starts = np.cumsum(sizes) - sizes
    tree_start = np.append(moved[starts], total)
    place = _preorder(sides[0], sides[1], tree_start)
    arrays = [condition, *(np.where(side >= 0, place[side], -1) for side in sides), leaf_of // parts.dimension]
    condition, left, right, leaf = (_moved(array, place) for array in arrays)
    return _finish(parts, tree_start, condition, left, right, leaf)


def _preorder(left: NDArray[np.int64], right: NDArray[np.int64], tree_start: NDArray[np.int64]) -> NDArray[np.int64]:
    """New position of every node: node, left, right, as in the JSON file, so that both files give the same arrays."""
    levels = list(_levels(left, right, tree_start[:-1]))
    size = np.ones(len(left), dtype=np.int64)
    for nodes in reversed(levels):
        size[nodes] += size[left[nodes]] + size[right[nodes]]
    if np.any(size[tree_start[:-1]] != np.diff(tree_start)):
        raise ModelFileError("its nodes do not form trees")
    place = np.zeros(len(left), dtype=np.int64)
    place[tree_start[:-1]] = tree_start[:-1]
    for nodes in levels:
        place[left[nodes]] = place[nodes] + 1
        place[right[nodes]] = place[nodes] + 1 + size[left[nodes]]
    return place


def _moved(array: NDArray[np.int64], place: NDArray[np.int64]) -> NDArray[np.int64]:
    out = np.empty_like(array)
    out[place] = array
    return out


def _finish(
    parts: ModelContent,
    tree_start: NDArray[np.int64],
    condition: NDArray[np.int64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    leaf_of: NDArray[np.int64],
) -> dict[str, NDArray[Any]]:
    """Values, weights and numbers of the leaves; `leaf_of` is the position among all leaves of the file."""
    leaf = condition < 0
    values = parts.leaf_values.reshape(-1, parts.dimension)
    value = np.zeros((len(condition), parts.dimension))
    with np.errstate(over="ignore", invalid="ignore"):
        value[leaf] = values[leaf_of[leaf]] * parts.scale
    if len(tree_start) > 1:
        first = np.minimum.reduceat(np.where(leaf, leaf_of, len(values)), tree_start[:-1])
    else:
        first = np.zeros(0, dtype=np.int64)
    number = np.where(leaf, leaf_of - np.repeat(first, np.diff(tree_start)), -1)
    weight = np.full(len(condition), np.nan)
    if len(parts.leaf_weights):
        if len(parts.leaf_weights) != len(values):
            raise ModelFileError(f"{len(parts.leaf_weights)} leaf weights for {len(values)} leaves")
        weight[leaf] = parts.leaf_weights[leaf_of[leaf]]
        # an infinite weight is refused when the ensemble is validated
        with np.errstate(over="ignore", invalid="ignore"):
            for nodes in reversed(list(_levels(left, right, tree_start[:-1]))):
                weight[nodes] = weight[left[nodes]] + weight[right[nodes]]
    return {
        "tree_start": tree_start,
        "condition": condition,
        "left": left,
        "right": right,
        "leaf_id": number,
        "value": value,
        "weight": weight,
    }


def _levels(left: NDArray[np.int64], right: NDArray[np.int64], roots: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Inner nodes by depth, starting with the roots."""
    nodes = roots[left[roots] >= 0]
    while nodes.size:
        yield nodes
        below = np.concatenate([left[nodes], right[nodes]])
        nodes = below[left[below] >= 0]


def _check_counts(parts: ModelContent, *, n_splits: int, n_leaves: int) -> None:
    if n_splits != len(parts.splits):
        raise ModelFileError(f"it lists {len(parts.splits)} splits, its trees have {n_splits}")
    if n_leaves * parts.dimension != len(parts.leaf_values):
        raise ModelFileError(
            f"it lists {len(parts.leaf_values)} leaf values, its trees have {n_leaves} leaves "
            f"of {parts.dimension} outputs"
        )

"""Trees: CatBoost's conditions and step lists → node arrays in which every child stands after its parent."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import float32_at_most
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.catboost._parts import Parts

_MAX_DEPTH = 40  # CatBoost allows 16; more would not fit the leaf values of any file
_MAX_SET_WORDS = 2**24  # 128 MiB of category sets


def node_arrays(parts: Parts, column: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Node arrays of `build_ensemble`; `column` is the place in the schema of each number, then of each category."""
    conditions = _conditions(parts, column)
    tree = _oblivious(parts) if parts.steps is None else _stepped(parts, parts.steps)
    condition = tree.pop("condition")
    inner = condition >= 0
    asked = condition[inner]
    if asked.size and (asked.max() >= len(conditions["feature"])):
        raise ModelFileError(f"a split uses condition {asked.max()}, there are {len(conditions['feature'])}")
    sets = _sets(parts, conditions, np.unique(asked))
    nodes: dict[str, NDArray[Any]] = {}
    for name, fill in (
        ("feature", -1),
        ("threshold", np.nan),
        ("stated_threshold", np.nan),
        ("missing_left", False),
        ("category_set", -1),
    ):
        nodes[name] = np.full(len(condition), fill, dtype=conditions[name].dtype)
        nodes[name][inner] = conditions[name][asked]
    # a level is split off to the right, so whatever the model does not know goes left
    nodes["unseen_left"] = nodes["category_set"] >= 0
    return {**nodes, **tree, **sets}


def _conditions(parts: Parts, column: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Every condition a split can name: the borders of each number, then the levels of each category."""
    n_borders = np.array([len(feature.borders) for feature in parts.floats], dtype=np.int64)
    n_levels = np.array([len(feature.hashes) for feature in parts.categories], dtype=np.int64)
    borders = np.concatenate([np.zeros(0, np.float32), *(feature.borders for feature in parts.floats)])
    if np.any(np.isnan(borders)):
        raise ModelFileError("a border is not a number")
    missing_right = np.repeat(np.array([f.missing_right for f in parts.floats], dtype=bool), n_borders)
    n_categories = int(n_levels.sum())
    absent = np.full(n_categories, np.nan)
    return {
        "feature": np.repeat(column, np.concatenate([n_borders, n_levels])),
        "threshold": np.concatenate([float32_at_most(borders), absent]),
        "stated_threshold": np.concatenate([borders.astype(np.float64), absent]),
        # a missing value that goes right counts as +∞, which is not above an infinite border
        "missing_left": np.concatenate([~missing_right | (borders == np.inf), np.ones(n_categories, dtype=bool)]),
        "category_set": np.full(len(borders) + n_categories, -1, dtype=np.int64),
    }


def _sets(parts: Parts, conditions: dict[str, NDArray[Any]], asked: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Sets of the levels that go left, all but one, for the conditions that are asked; fills in `category_set`."""
    first = sum(len(feature.borders) for feature in parts.floats)
    n_levels = np.array([len(feature.hashes) for feature in parts.categories], dtype=np.int64)
    asked = asked[asked >= first]
    level_of = np.concatenate([np.zeros(0, np.int64), *(np.arange(n) for n in n_levels)])[asked - first]
    levels = np.repeat(n_levels, n_levels)[asked - first]
    words = (levels + 63) // 64
    set_start = np.concatenate([[0], np.cumsum(words)])
    if set_start[-1] > _MAX_SET_WORDS:
        raise UnsupportedModelError("the model splits off too many category levels one by one for glasswood to hold")
    bits = np.full(set_start[-1], 2**64 - 1, dtype=np.uint64)
    tail = levels % 64
    last = set_start[1:][tail > 0] - 1
    bits[last] = (np.uint64(1) << tail[tail > 0].astype(np.uint64)) - np.uint64(1)
    bits[set_start[:-1] + level_of // 64] &= ~(np.uint64(1) << (level_of % 64).astype(np.uint64))
    conditions["category_set"][asked] = np.arange(len(asked))
    return {"set_start": set_start, "set_bits": bits}


def _oblivious(parts: Parts) -> dict[str, NDArray[Any]]:
    """Trees with one condition per level, level by level.

    The last split, the highest bit of CatBoost's leaf number, is the root: leaves then stand in the order of their
    numbers.
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


def _stepped(parts: Parts, steps: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Trees of nodes that name the distance to their children; 0 on one side only: there the node is the leaf."""
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
    """New place of every node: node, left, right, the order of the JSON file, so that both files read alike."""
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
    parts: Parts,
    tree_start: NDArray[np.int64],
    condition: NDArray[np.int64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    leaf_of: NDArray[np.int64],
) -> dict[str, NDArray[Any]]:
    """Values, weights and numbers of the leaves; `leaf_of` is the leaf's place among all leaves of the file."""
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
        with np.errstate(over="ignore", invalid="ignore"):  # an infinite weight is refused with the ensemble
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
    """Inner nodes by depth, the roots first."""
    nodes = roots[left[roots] >= 0]
    while nodes.size:
        yield nodes
        below = np.concatenate([left[nodes], right[nodes]])
        nodes = below[left[below] >= 0]


def _check_counts(parts: Parts, *, n_splits: int, n_leaves: int) -> None:
    if n_splits != len(parts.splits):
        raise ModelFileError(f"it lists {len(parts.splits)} splits, its trees have {n_splits}")
    if n_leaves * parts.dimension != len(parts.leaf_values):
        raise ModelFileError(
            f"it lists {len(parts.leaf_values)} leaf values, its trees have {n_leaves} leaves "
            f"of {parts.dimension} outputs"
        )

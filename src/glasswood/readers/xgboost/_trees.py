"""FlatTrees: the trees of a saved model in pre-order, in flat arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.xgboost._document import Records, as_integer, whole

_NO_PARENT = 2**31 - 1  # the parent of a root; −1 in trees of several outputs


@dataclass(frozen=True, slots=True, eq=False)
class FlatTrees:
    """Nodes in pre-order; values that a leaf does not have are filled in."""

    tree_start: NDArray[np.int32]
    number: NDArray[np.int64]  # XGBoost's number of the node in its tree
    leaf: NDArray[np.bool_]
    left: NDArray[np.int64]  # −1 in a leaf
    right: NDArray[np.int64]
    feature: NDArray[np.int64]  # −1 in a leaf
    condition: NDArray[np.float32]  # threshold of a numeric split
    is_category: NDArray[np.bool_]
    default_left: NDArray[np.bool_]
    value: NDArray[np.float64]  # (n_nodes, width)
    hessian: NDArray[np.float64]  # NaN if the file has none; the same for gain
    gain: NDArray[np.float64]
    set_size: NDArray[np.int64]  # (n_nodes,) number of categories that go right; 0 without a set
    set_member: NDArray[np.int64]  # the categories, node after node


def flatten(trees: Records, path: str) -> FlatTrees:
    """Join the arrays of all trees and put the nodes in pre-order."""
    left, size = trees.column("left_children")
    left = whole(left, "left_children", path)
    if np.any(size < 1):
        raise ModelFileError(f"{path}: a tree has no node")
    right = _integers(trees, "right_children", size)
    base = np.repeat(np.cumsum(size) - size, size)
    leaf = left < 0
    for child in (left, right):
        if np.any(~leaf & ((child < 0) | (child >= np.repeat(size, size)))):
            raise ModelFileError(f"{path}: a child is outside its tree")
    value = _values(trees, size, leaf, right)
    left, right = np.where(leaf, -1, left + base), np.where(leaf, -1, right + base)
    try:
        order, tree_start = _native.preorder(np.cumsum(size) - size, left, right)
    except ValueError as error:
        raise ModelFileError(f"{path}: not a tree, {error}") from error
    _check_numbering(trees, size, base, order, left, right)
    # index −1 selects the last entry; pruned nodes are not reached
    position = np.full(len(left) + 1, -1, dtype=np.int64)
    position[order] = np.arange(len(order))
    is_category = _flags(trees, "split_type", size) if trees.has("split_type") else np.zeros(len(left), bool)
    is_category &= ~leaf
    feature = _integers(trees, "split_indices", size)
    if np.any(~leaf & (feature < 0)):
        raise ModelFileError(f"{path}: a split uses a feature below 0")
    set_size, set_member = _sets(trees, size, order, is_category, path)
    leaf = leaf[order]
    return FlatTrees(
        tree_start=tree_start,
        number=(np.arange(len(left)) - base)[order],
        leaf=leaf,
        left=position[left[order]],
        right=position[right[order]],
        feature=np.where(leaf, -1, feature[order]),
        condition=_numbers(trees, "split_conditions", size)[order],
        is_category=is_category[order],
        default_left=_flags(trees, "default_left", size)[order] & ~leaf,
        value=value[order],
        hessian=_statistic(trees, "sum_hessian", size)[order],
        gain=np.where(leaf, np.nan, _statistic(trees, "loss_changes", size)[order]),
        set_size=set_size,
        set_member=set_member,
    )


def _fitting(trees: Records, key: str, size: NDArray[np.int64]) -> NDArray[Any]:
    numbers, found = trees.column(key)
    if not np.array_equal(found, size):
        tree = int(np.argmax(found != size))
        raise ModelFileError(f"{trees.path} {tree}: {key!r} has {found[tree]} entries for {size[tree]} nodes")
    return numbers


def _integers(trees: Records, key: str, size: NDArray[np.int64]) -> NDArray[np.int64]:
    return whole(_fitting(trees, key, size), key, trees.path)


def _flags(trees: Records, key: str, size: NDArray[np.int64]) -> NDArray[np.bool_]:
    flags = _integers(trees, key, size)
    if np.any((flags != 0) & (flags != 1)):
        raise ModelFileError(f"{trees.path}: {key!r} holds something other than 0 and 1")
    return flags.astype(bool)


def _check_numbering(
    trees: Records,
    size: NDArray[np.int64],
    base: NDArray[np.int64],
    order: NDArray[Any],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
) -> None:
    """Check redundant numbers of trees and nodes, which XGBoost uses without checking."""
    if trees.has("id"):
        numbers = trees.integers("id")
        wrong = [tree for tree, number in enumerate(numbers) if number != tree]
        if wrong:
            raise ModelFileError(f"{trees.path}: tree {wrong[0]} has the id {numbers[wrong[0]]}")
    if not trees.has("parents"):
        return
    parent = _integers(trees, "parents", size)
    inner = order[left[order] >= 0]
    for child in (left[inner], right[inner]):
        wrong_nodes = np.flatnonzero(parent[child] != inner - base[inner])
        if len(wrong_nodes):
            node = child[wrong_nodes[0]]
            tree = int(np.searchsorted(np.cumsum(size), node, side="right"))
            raise ModelFileError(
                f"{trees.path} {tree}: node {node - base[node]} names the parent {parent[node]}, "
                f"but is a child of {inner[wrong_nodes[0]] - base[node]}"
            )
    roots = parent[np.cumsum(size) - size]
    if np.any((roots != -1) & (roots != _NO_PARENT)):
        raise ModelFileError(f"{trees.path}: the root of a tree has a parent")


def _numbers(trees: Records, key: str, size: NDArray[np.int64]) -> NDArray[np.float32]:
    return _float32(_fitting(trees, key, size))


def _float32(numbers: NDArray[Any]) -> NDArray[np.float32]:
    """Numbers in float32, as XGBoost stores them; larger ones become infinite, and signalling NaNs become quiet."""
    with np.errstate(all="ignore"):
        return np.where(np.isnan(numbers), np.float32(np.nan), numbers.astype(np.float32))


def _statistic(trees: Records, key: str, size: NDArray[np.int64]) -> NDArray[np.float64]:
    """Values that prediction does not need; NaN for trees with several outputs written before XGBoost 3.2."""
    if not trees.has(key):
        return np.full(int(size.sum()), np.nan)
    return _numbers(trees, key, size).astype(np.float64)


def _values(
    trees: Records, size: NDArray[np.int64], leaf: NDArray[np.bool_], right: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Value of every leaf, (n_nodes, width); entries of inner nodes are arbitrary."""
    texts = trees.inner_texts("tree_param", "size_leaf_vector")
    widths = {max(as_integer(text, "size_leaf_vector", trees.path), 1) for text in texts}
    if len(widths) > 1:
        raise UnsupportedModelError(
            f"{trees.path}: the trees differ in their number of outputs; train with one multi_strategy"
        )
    width = widths.pop()
    if width == 1:
        # a leaf stores its value in the place of the threshold
        return _numbers(trees, "split_conditions", size).astype(np.float64).reshape(-1, 1)
    key = "leaf_weights" if trees.has("leaf_weights") else "base_weights"
    numbers, found = trees.column(key)
    owner = np.repeat(np.arange(len(size)), size)
    if key == "base_weights":
        row, rows = np.arange(len(leaf)), size
    else:  # XGBoost ≥ 3.2 stores only values of leaves, and their position in the place of the right child
        rows = np.bincount(owner[leaf], minlength=len(size))
        row = np.where(leaf, right + (np.cumsum(rows) - rows)[owner], 0)
        if np.any(leaf & ((right < 0) | (right >= rows[owner]))):
            raise ModelFileError(f"{trees.path}: a leaf has no value")
    if not np.array_equal(found, rows * width):
        raise ModelFileError(f"{trees.path}: {key!r} does not have {width} values a leaf")
    return _float32(numbers).astype(np.float64).reshape(-1, width)[row]


def _sets(
    trees: Records, size: NDArray[np.int64], order: NDArray[Any], is_category: NDArray[np.bool_], path: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Categories that go right, for the category splits in the given order of nodes."""
    n_nodes = int(size.sum())
    if not is_category.any():
        return np.zeros(len(order), dtype=np.int64), np.zeros(0, dtype=np.int64)
    columns = {}
    for key in ("categories_nodes", "categories_segments", "categories_sizes", "categories"):
        numbers, found = trees.column(key)
        columns[key] = whole(numbers, key, path), found
    (nodes, n_sets), (segments, _), (sizes, _), (categories, n_categories) = columns.values()
    if not all(np.array_equal(columns[key][1], n_sets) for key in ("categories_segments", "categories_sizes")):
        raise ModelFileError(f"{path}: the category sets of a tree do not fit together")
    tree = np.repeat(np.arange(len(size)), n_sets)
    outside = (nodes < 0) | (nodes >= size[tree]) | (segments < 0) | (sizes < 0)
    outside |= (segments > n_categories[tree]) | (sizes > n_categories[tree] - segments)
    if np.any(outside) or np.any(np.bincount(tree, weights=sizes, minlength=len(size)) > n_categories):
        raise ModelFileError(f"{path}: a category set is outside its tree")
    first, length = np.zeros(n_nodes, dtype=np.int64), np.full(n_nodes, -1, dtype=np.int64)
    at = nodes + (np.cumsum(size) - size)[tree]
    first[at], length[at] = segments + (np.cumsum(n_categories) - n_categories)[tree], sizes
    if np.any(is_category & (length < 0)):
        raise ModelFileError(f"{path}: a category split has no set")
    first, length = first[order], np.where(is_category, length, 0)[order]
    member = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length - first, length)
    return length, categories[member]

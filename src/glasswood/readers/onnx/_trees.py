"""Trees: the attributes of a tree operator, in either of their two forms → one list of nodes.

TreeEnsembleRegressor and TreeEnsembleClassifier (ai.onnx.ml 1 to 3) name nodes by numbers of tree and node and list the
weights of leaves apart; TreeEnsemble (ai.onnx.ml 5) keeps nodes and leaves in two lists that point into each other.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.onnx._document import Node

LEQ, LT, GTE, GT, EQ, NEQ, MEMBER, LEAF = range(8)
OPERATORS = ("TreeEnsembleRegressor", "TreeEnsembleClassifier", "TreeEnsemble")
_MODES = {
    "BRANCH_LEQ": LEQ,
    "BRANCH_LT": LT,
    "BRANCH_GTE": GTE,
    "BRANCH_GT": GT,
    "BRANCH_EQ": EQ,
    "BRANCH_NEQ": NEQ,
    "LEAF": LEAF,
}
_AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
_TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Nodes of all trees; a child is a place in the same arrays, −1 in a leaf."""

    root: NDArray[np.int64]  # (n_trees,)
    mode: NDArray[np.int64]  # (n_nodes,) the comparison
    feature: NDArray[np.int64]
    split: NDArray[np.float64]  # what is compared with
    true: NDArray[np.int64]
    false: NDArray[np.int64]
    missing_true: NDArray[np.bool_]  # a missing value takes the branch of true
    number: NDArray[np.int64]  # of a leaf in the source
    members: dict[int, NDArray[np.float64]]  # node of kind MEMBER → values
    weight_node: NDArray[np.int64]  # (n_weights,) leaf, output and weight, one after the other
    weight_output: NDArray[np.int64]
    weight: NDArray[np.float64]
    n_outputs: int
    base: NDArray[np.float64]
    aggregate: str
    transform: str
    labels: tuple[Label, ...]  # of a classifier
    routes_missing: bool


def trees_of(node: Node) -> Trees:
    """Read the attributes of a tree operator."""
    return _two_lists(node) if node.operator == "TreeEnsemble" else _numbered(node)


def _numbered(node: Node) -> Trees:
    """The form with numbers of trees and nodes."""
    tree_id, node_id = node.integers("nodes_treeids"), node.integers("nodes_nodeids")
    mode = _modes(node.texts("nodes_modes"))
    split, feature = node.floats("nodes_values"), node.integers("nodes_featureids")
    sides = {side: node.integers(f"nodes_{side}nodeids") for side in ("true", "false")}
    n = len(tree_id)
    for name, column in {"nodeids": node_id, "modes": mode, "values": split, "featureids": feature, **sides}.items():
        if len(column) != n:
            raise ModelFileError(f"{node.operator} has {len(column)} {name} for {n} nodes")
    if n == 0:
        raise ModelFileError(f"{node.operator} has no nodes")
    root = np.concatenate([[0], np.flatnonzero(tree_id[1:] != tree_id[:-1]) + 1])
    if len(np.unique(tree_id[root])) < len(root):
        raise UnsupportedModelError(f"{node.operator} lists the nodes of a tree in several places")
    places = _Places.of(tree_id, node_id)
    leaf = mode == LEAF
    children = {side: np.where(leaf, -1, places.find(tree_id, ids, ~leaf)) for side, ids in sides.items()}
    kind = "class" if node.operator == "TreeEnsembleClassifier" else "target"
    owner = places.find(node.integers(f"{kind}_treeids"), node.integers(f"{kind}_nodeids"), None)
    output, weight = node.integers(f"{kind}_ids"), node.floats(f"{kind}_weights")
    if not len(owner) == len(output) == len(weight):
        raise ModelFileError(f"{node.operator} has {len(weight)} weights for {len(owner)} leaves")
    kept = leaf[owner]  # old converters list weights of splits too, which are never added
    labels: list[Label] = [*node.texts("classlabels_strings")] or node.integers("classlabels_int64s").tolist()
    return Trees(
        root=root,
        mode=mode,
        feature=feature,
        split=split,
        true=children["true"],
        false=children["false"],
        missing_true=_tracks(node, n),
        number=node_id,
        members={},
        weight_node=owner[kept],
        weight_output=output[kept],
        weight=weight[kept],
        n_outputs=len(labels) if kind == "class" else node.integer("n_targets", 1),
        base=node.floats("base_values"),
        aggregate="SUM" if kind == "class" else node.text("aggregate_function", "SUM"),
        transform=node.text("post_transform", "NONE"),
        labels=tuple(labels) if kind == "class" else (),
        routes_missing=bool(len(node.integers("nodes_missing_value_tracks_true"))),
    )


def _modes(texts: list[str]) -> NDArray[np.int64]:
    unknown = next((text for text in texts if text not in _MODES), None)
    if unknown is not None:
        raise UnsupportedModelError(f"a node compares by {unknown[:40]!r}, which glasswood does not know")
    return np.fromiter((_MODES[text] for text in texts), dtype=np.int64, count=len(texts))


def _tracks(node: Node, n: int) -> NDArray[np.bool_]:
    """Where missing values take the branch of true; nodes that are not listed do not send them there."""
    listed = node.integers("nodes_missing_value_tracks_true")[:n] == 1
    return np.concatenate([listed, np.zeros(n - len(listed), dtype=bool)])


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where in the list the node of a tree and number stands."""

    trees: NDArray[np.int64]  # distinct, in order
    numbers: NDArray[np.int64]
    key: NDArray[np.int64]  # (n_nodes,) in order
    place: NDArray[np.int64]

    @classmethod
    def of(cls, tree: NDArray[np.int64], number: NDArray[np.int64]) -> "_Places":
        trees, tree_rank = np.unique(tree, return_inverse=True)
        numbers, number_rank = np.unique(number, return_inverse=True)
        key = tree_rank * len(numbers) + number_rank
        place = np.argsort(key, kind="stable")
        if np.any(np.diff(key[place]) == 0):
            at = place[1:][np.diff(key[place]) == 0][0]
            raise ModelFileError(f"node {number[at]} of tree {tree[at]} is listed twice")
        return cls(trees, numbers, key[place], place)

    def find(
        self, tree: NDArray[np.int64], number: NDArray[np.int64], wanted: NDArray[np.bool_] | None
    ) -> NDArray[np.int64]:
        """Places of nodes; a wanted one that is not there is an error."""
        if len(tree) != len(number):
            raise ModelFileError(f"{len(tree)} numbers of trees for {len(number)} numbers of nodes")
        rank, column = (np.searchsorted(known, asked) for known, asked in ((self.trees, tree), (self.numbers, number)))
        key = rank * len(self.numbers) + column
        at = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        there = self.trees[np.minimum(rank, len(self.trees) - 1)] == tree
        there &= (self.numbers[np.minimum(column, len(self.numbers) - 1)] == number) & (self.key[at] == key)
        lost = ~there if wanted is None else wanted & ~there
        if np.any(lost):
            first = int(np.argmax(lost))
            raise ModelFileError(f"node {number[first]} of tree {tree[first]} is named but is not there")
        return self.place[at]


def _two_lists(node: Node) -> Trees:
    """The form with a list of nodes and a list of leaves; a leaf stands below every branch that names it."""
    feature, roots = node.integers("nodes_featureids"), node.integers("tree_roots")
    n = len(feature)
    mode, split = _whole(node, "nodes_modes"), _floats(node, "nodes_splits")
    output, weight = node.integers("leaf_targetids"), _floats(node, "leaf_weights")
    m = len(output)
    columns = {"nodes_modes": mode, "nodes_splits": split}
    for side in ("true", "false"):
        columns |= {f"nodes_{side}nodeids": node.integers(f"nodes_{side}nodeids")}
        columns |= {f"nodes_{side}leafs": node.integers(f"nodes_{side}leafs")}
    for name, column in columns.items():
        if len(column) != n:
            raise ModelFileError(f"TreeEnsemble has {len(column)} {name} for {n} nodes")
    if len(weight) != m or n == 0 or np.any((mode < 0) | (mode > MEMBER)):
        raise ModelFileError("the nodes and leaves of a TreeEnsemble do not fit together")
    if np.any((roots < 0) | (roots >= n)) or not len(roots):
        raise ModelFileError("a tree of a TreeEnsemble starts at a node that is not there")
    here = np.arange(n)
    child, number = {}, np.zeros(3 * n, dtype=np.int64)
    for k, side in enumerate(("true", "false")):
        target, is_leaf = columns[f"nodes_{side}nodeids"], columns[f"nodes_{side}leafs"] != 0
        if np.any((target < 0) | (target >= np.where(is_leaf, m, n))):
            raise ModelFileError("a branch of a TreeEnsemble leads to nothing")
        own = n + 2 * here + k  # every branch has a leaf of its own, used or not
        number[own] = np.where(is_leaf, target, 0)
        child[side] = np.concatenate([np.where(is_leaf, own, target), np.full(2 * n, -1)])
    both = (columns["nodes_trueleafs"] != 0) & (columns["nodes_falseleafs"] != 0)
    single = both & (columns["nodes_truenodeids"] == columns["nodes_falsenodeids"])
    return Trees(
        root=np.where(single[roots], child["true"][roots], roots),  # a tree of one leaf is written as a split
        mode=np.concatenate([mode, np.full(2 * n, LEAF)]),
        feature=np.concatenate([feature, np.zeros(2 * n, dtype=np.int64)]),
        split=np.concatenate([split, np.zeros(2 * n)]),
        true=child["true"],
        false=child["false"],
        missing_true=np.concatenate([_tracks(node, n), np.zeros(2 * n, dtype=bool)]),
        number=number,
        members=_members(mode, node),
        weight_node=np.arange(n, 3 * n),
        weight_output=output[number[n:]] if m else np.zeros(2 * n, dtype=np.int64),
        weight=weight[number[n:]] if m else np.zeros(2 * n),
        n_outputs=node.integer("n_targets", 1),
        base=np.zeros(0),
        aggregate=_listed(_AGGREGATES, node.integer("aggregate_function", 1)),
        transform=_listed(_TRANSFORMS, node.integer("post_transform", 0)),
        labels=(),
        routes_missing=bool(len(node.integers("nodes_missing_value_tracks_true"))),
    )


def _whole(node: Node, name: str) -> NDArray[np.int64]:
    found = node.tensor(name)
    if found is None or found.dtype.kind not in "iu":
        raise ModelFileError(f"the attribute {name!r} does not hold whole numbers")
    return found.astype(np.int64)


def _floats(node: Node, name: str) -> NDArray[np.float64]:
    found = node.tensor(name)
    if found is None or found.dtype.kind != "f":
        raise ModelFileError(f"the attribute {name!r} does not hold floats")
    with np.errstate(all="ignore"):
        return found.astype(np.float64)


def _members(mode: NDArray[np.int64], node: Node) -> dict[int, NDArray[np.float64]]:
    """Values of the nodes that ask for membership, in the order of the nodes, parted by NaN."""
    nodes = np.flatnonzero(mode == MEMBER)
    if not len(nodes):
        return {}
    values = _floats(node, "membership_values")
    ends = np.flatnonzero(np.isnan(values))
    if len(ends) < len(nodes) - 1:
        raise ModelFileError(f"there are {len(ends)} sets of values for {len(nodes)} nodes that ask for membership")
    parts = np.split(values, ends)
    found = [part[~np.isnan(part)] for part in parts[: len(nodes)]]
    if any(len(part) == 0 for part in found):
        raise ModelFileError("a set of values is empty")
    return dict(zip(nodes.tolist(), found, strict=True))


def _listed(names: tuple[str, ...], number: int) -> str:
    if not 0 <= number < len(names):
        raise ModelFileError(f"expected one of {', '.join(names)}, found {number}")
    return names[number]

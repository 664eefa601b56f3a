"""Trees: perpetual's nodes → node arrays; a split with a separate branch for missing values becomes two nodes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label, below, pack_set
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.perpetual._document import MAX_LEVELS, number, whole

# Of category sets, 2 to 128 MiB by the size of the file. A set of the most levels takes 1,024 words, and the two nodes
# that its split needs take more than 512 bytes of the file, so that the first limit refuses no model.
_MIN_SET_WORDS, _MAX_SET_WORDS = 2**18, 2**24
_CHILDREN = (("left", "child"), ("right", "child"), ("missing", "node"))


@dataclass(slots=True)
class NodeLists:
    """Nodes of all trees while they are collected, in the order node, left, right."""

    categories: Sequence[tuple[Label, ...] | None]
    n_bytes: int  # of the file
    tree_start: list[int] = field(default_factory=lambda: [0])
    feature: list[int] = field(default_factory=list)
    stated_threshold: list[float] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    missing_left: list[bool] = field(default_factory=list)
    category_set: list[int] = field(default_factory=list)
    leaf_id: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    gain: list[float] = field(default_factory=list)
    sets: dict[tuple[int, bytes], int] = field(default_factory=dict)  # (levels, bits of the labels) → number of the set
    n_words: int = 0

    def add_tree(self, nodes: dict[str, Any]) -> None:
        """Add one tree; nodes are given by number, the root is 0."""
        waiting: list[tuple[str, int, str]] = [("0", -1, "")]  # number, parent, side
        n_seen = 0
        while waiting:
            key, parent, side = waiting.pop()
            n_seen += 1
            if key not in nodes or n_seen > len(nodes):
                raise ModelFileError("its nodes do not form trees")
            node = nodes[key]
            if parent >= 0:
                (self.left if side == "left" else self.right)[parent] = len(self.feature)
            if node["is_leaf"]:
                self._add(
                    -1, leaf=whole(node["num"]), value=number(node["weight_value"]), weight=number(node["hessian_sum"])
                )
                continue
            waiting += self._add_split(node)
        self.tree_start.append(len(self.feature))

    def _add_split(self, node: Any) -> list[tuple[str, int, str]]:
        """Add an inner node and return what comes below it, the left side last because it is taken first."""
        j = whole(node["split_feature"])
        if j >= len(self.categories):
            raise ModelFileError(f"a node splits feature {j}, there are {len(self.categories)}")
        left, right, missing = (str(whole(node[f"{side}_{kind}"])) for side, kind in _CHILDREN)
        own_branch = missing not in (left, right)
        labels = self.categories[j]
        goes_left, known = (None, None) if labels is None else _levels_left(node, len(labels), missing == left)
        if own_branch:
            outer = len(self.feature)
            self._add(
                j,
                stated_threshold=np.inf,  # all numbers go left, only missing values go right
                category_set=self._set(known),
                weight=number(node["hessian_sum"]),
            )
            self.left[outer] = outer + 1
        here = len(self.feature)
        self._add(
            j,
            stated_threshold=number(node["split_value"]),
            category_set=self._set(goes_left),
            missing_left=missing == left,
            weight=np.nan if own_branch else number(node["hessian_sum"]),
            gain=np.nan if node["split_gain"] is None else number(node["split_gain"]),  # JSON has no infinity
        )
        below_here = [(right, here, "right"), (left, here, "left")]
        return [(missing, outer, "right"), *below_here] if own_branch else below_here

    def _add(
        self,
        feature: int,
        *,
        weight: float,
        stated_threshold: float = np.nan,
        category_set: int = -1,
        missing_left: bool = False,
        leaf: int = -1,
        value: float = 0.0,
        gain: float = np.nan,
    ) -> None:
        self.feature.append(feature)
        self.stated_threshold.append(np.nan if category_set >= 0 else stated_threshold)
        self.left.append(-1)
        self.right.append(-1)
        self.missing_left.append(missing_left)
        self.category_set.append(category_set)
        self.leaf_id.append(leaf)
        self.value.append(value)
        self.weight.append(weight)
        self.gain.append(gain)

    def _set(self, members: NDArray[np.bool_] | None) -> int:
        if members is None:
            return -1
        key = (len(members), np.packbits(members).tobytes())
        if key not in self.sets:
            self.n_words += (len(members) + 63) // 64
            if self.n_words > min(_MAX_SET_WORDS, _MIN_SET_WORDS + 2 * self.n_bytes):
                raise UnsupportedModelError("the model has too many category splits for glasswood to hold")
            self.sets[key] = len(self.sets)
        return self.sets[key]


def _levels_left(node: Any, n_levels: int, missing_left: bool) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which levels go left, and which the split knows; level k has perpetual's code k + 1."""
    everything = np.ones(n_levels, dtype=bool)
    found = node.get("left_cats")
    if isinstance(found, str):  # since 1.0: one bit per code, in hexadecimal bytes
        packed = np.frombuffer(bytes.fromhex(found), dtype=np.uint8)[: (n_levels + 8) // 8]
        bits = np.zeros(n_levels + 8, dtype=bool)
        bits[: 8 * len(packed)] = np.unpackbits(packed, bitorder="little")[: n_levels + 8]
        return bits[1 : n_levels + 1], everything
    if found:  # before: lists of the codes on either side; other codes go where missing values go
        left, right = (_members(node[side], n_levels) for side in ("left_cats", "right_cats"))
        return (~right if missing_left else left), left | right
    # more categories than max_cat: perpetual compares the codes as numbers
    return np.arange(1, n_levels + 1) < number(node["split_value"]), everything


def _members(codes: Any, n_levels: int) -> NDArray[np.bool_]:
    members = np.zeros(n_levels + 1, dtype=bool)
    members[[code for code in map(whole, codes) if code <= n_levels]] = True
    return members[1:]


def gather(
    boosters: Sequence[Sequence[Any]], categories: Sequence[tuple[Label, ...] | None], n_bytes: int
) -> dict[str, Any]:
    """Node arrays of `build_ensemble` for the trees of all boosters, one booster after the other."""
    if any(labels is not None and len(labels) >= MAX_LEVELS for labels in categories):
        raise ModelFileError("a feature has more categories than perpetual can hold")
    lists = NodeLists(categories, n_bytes)
    for booster in boosters:
        for tree in booster:
            lists.add_tree(tree["nodes"])
    feature = np.array(lists.feature, dtype=np.int64)
    category_set = np.array(lists.category_set, dtype=np.int64)
    stated_threshold = np.array(lists.stated_threshold, dtype=np.float64)
    numeric = (feature >= 0) & (category_set < 0)
    missing_left = np.array(lists.missing_left, dtype=bool)
    set_start, set_bits = _pool(lists.sets)
    with np.errstate(over="ignore"):
        # perpetual stores leaves in float32 and adds them in float64
        value = np.array(lists.value, dtype=np.float64).astype(np.float32).astype(np.float64)
    return {
        "tree_start": lists.tree_start,
        "tree_output": np.repeat(np.arange(len(boosters)), [len(trees) for trees in boosters]),
        "feature": feature,
        "threshold": np.where(
            numeric, np.where(np.isinf(stated_threshold), stated_threshold, below(stated_threshold)), np.nan
        ),
        "stated_threshold": stated_threshold,
        "left": lists.left,
        "right": lists.right,
        "missing_left": missing_left,
        "category_set": category_set,
        "unseen_left": missing_left & (category_set >= 0),
        "leaf_id": lists.leaf_id,
        "value": value,
        "weight": _filled_weights(lists),
        "gain": lists.gain,
        "set_start": set_start,
        "set_bits": set_bits,
    }


def _filled_weights(lists: NodeLists) -> NDArray[np.float64]:
    """Weights; the inner of the two nodes of a split with a missing branch gets the sum of what is below it."""
    weight = lists.weight
    for node in range(len(weight) - 1, -1, -1):
        if np.isnan(weight[node]):
            weight[node] = weight[lists.left[node]] + weight[lists.right[node]]
    return np.array(weight, dtype=np.float64)


def _pool(sets: dict[tuple[int, bytes], int]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    words = [np.zeros(0, dtype=np.uint64)]
    for n_levels, packed in sets:
        words.append(pack_set(np.unpackbits(np.frombuffer(packed, dtype=np.uint8))[:n_levels].astype(bool)))
    return np.concatenate([[0], np.cumsum([len(word) for word in words[1:]])]).astype(np.int64), np.concatenate(words)

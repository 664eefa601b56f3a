"""Small models whose attributions are known as fractions, and the tables that belong to them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

import glasswood as gw
from glasswood.ensemble import FeatureSchema, Provenance, build_ensemble, pack_set

SOURCE = Provenance(library="example", version="0", model="example", objective="none", weight_kind="weights")


@dataclass(frozen=True)
class Node:
    """A split (feature, threshold or levels that go left) or, with children None, a leaf."""

    value: tuple[float, ...] = ()
    weight: float = 0.0
    feature: int = -1
    threshold: float = np.nan
    levels: tuple[int, ...] | None = None
    missing_left: bool = False
    unseen_left: bool = False
    left: "Node | None" = None
    right: "Node | None" = None


def leaf(weight: float, *value: float) -> Node:
    return Node(value=value, weight=weight)


def split(feature: int, left: Node, right: Node, threshold: float = np.nan, **more: Any) -> Node:
    weight = left.weight + right.weight
    return Node(weight=weight, feature=feature, threshold=threshold, left=left, right=right, **more)


def ensemble(trees: list[Node], names: list[str], categories: list[tuple[str, ...] | None], width: int) -> gw.Ensemble:
    """Trees joined into an ensemble."""
    columns: dict[str, list[Any]] = {
        name: [] for name in ("feature", "threshold", "left", "right", "missing_left", "category_set", "unseen_left",
                              "value", "weight")
    }  # fmt: skip
    start, sets = [0], []

    def put(node: Node) -> int:
        at = len(columns["feature"])
        for column in columns.values():
            column.append(None)
        columns["feature"][at], columns["threshold"][at] = node.feature, node.threshold
        columns["missing_left"][at], columns["unseen_left"][at] = node.missing_left, node.unseen_left
        columns["category_set"][at] = -1
        columns["weight"][at], columns["value"][at] = node.weight, node.value or (0.0,) * width
        if node.levels is not None:
            columns["category_set"][at] = len(sets)
            sets.append(pack_set(np.isin(np.arange(max(node.levels) + 1), node.levels)))
        has_children = node.left is not None and node.right is not None
        columns["left"][at] = put(node.left) if node.left is not None and has_children else -1
        columns["right"][at] = put(node.right) if node.right is not None and has_children else -1
        return at

    for tree in trees:
        put(tree)
        start.append(len(columns["feature"]))
    feature = np.array(columns["feature"], np.int32)
    schema = FeatureSchema(
        names=tuple(names),
        named=True,
        categories=tuple(categories),
        coded=np.zeros(len(names), bool),
        missing_routed=np.ones(len(names), bool),
        zero_is_missing=np.zeros(len(names), bool),
    )
    return build_ensemble(
        tree_start=np.array(start, np.int32),
        tree_output=np.zeros(len(trees), np.int32),
        feature=feature,
        threshold=np.array(columns["threshold"]),
        left=np.array(columns["left"], np.int32),
        right=np.array(columns["right"], np.int32),
        missing_left=np.array(columns["missing_left"]),
        category_set=np.array(columns["category_set"], np.int32),
        unseen_left=np.array(columns["unseen_left"]),
        leaf_id=np.where(feature < 0, np.arange(len(feature)), -1).astype(np.int32),
        value=np.array(columns["value"]).reshape(-1, width),
        weight=np.array(columns["weight"]),
        set_start=np.cumsum([0, *(len(words) for words in sets)]).astype(np.int64),
        set_bits=np.concatenate([np.empty(0, np.uint64), *sets]).astype(np.uint64),
        baseline=np.zeros(width),
        features=schema,
        source=SOURCE,
    )


def two_numbers() -> gw.Ensemble:
    """f1 and f2, two trees."""
    first = split(1, leaf(50, 1.25), split(0, leaf(30, 1.57), leaf(20, 2.10), 2.5), 1.5)
    second = split(1, split(0, leaf(40, 0.12), leaf(35, 0.30), 1.0), leaf(25, 0.50), 3.0)
    return ensemble([first, second], ["f1", "f2"], [None, None], 1)


TWO_NUMBERS_ROWS = pl.DataFrame({"f1": [2.0, 0.5], "f2": [2.0, 4.0]})
TWO_NUMBERS_BACKGROUND = pl.DataFrame({"f1": [0.5, 2.0, 3.0, 1.5], "f2": [1.0, 2.0, 4.0, 3.5]})


def number_and_category() -> gw.Ensemble:
    """x, whose missing values go right, and c with levels a, b and c; x is split twice on one path."""
    inner = split(0, leaf(3, 5.0), leaf(1, 2.0), 0.0)
    by_level = split(1, leaf(2, 1.0), inner, levels=(0, 2), missing_left=True)
    return ensemble([split(0, by_level, leaf(4, 10.0), 1.0)], ["x", "c"], [None, ("a", "b", "c")], 1)


NUMBER_AND_CATEGORY_ROWS = pl.DataFrame({"x": [0.5, None, -1.0], "c": ["b", "a", "z"]})
NUMBER_AND_CATEGORY_BACKGROUND = pl.DataFrame({"x": [2.0, -1.0, 0.5], "c": ["a", "b", "c"]})


def two_outputs() -> gw.Ensemble:
    """a, b and c, two outputs, a leaf of weight 0."""
    inner = split(2, leaf(1, 8.0, 0.0), leaf(0, 0.0, 2.0), 0.0)
    middle = split(1, inner, leaf(3, 4.0, 1.0), 0.0)
    return ensemble([split(0, middle, leaf(4, 1.0, 6.0), 0.0)], ["a", "b", "c"], [None] * 3, 2)


TWO_OUTPUTS_ROWS = np.array([[-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]])
TWO_OUTPUTS_BACKGROUND = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, -1.0]])


def fractions(*parts: str) -> list[float]:
    """Numbers written as fractions or decimals."""
    return [float(Fraction(part)) for part in parts]

"""The slow, obvious version of growing a tree: every partition tried, every impurity computed from its rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tests.reference.random import Random

Floats: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]


@dataclass
class Feature:
    """A column: numbers with NaN for missing, or codes with −1; `cuts` limit the thresholds, `order` the levels."""

    values: Floats
    n_levels: int = 0
    cuts: list[float] | None = None
    order: dict[int, int] | None = None  # rank of each level in the order of the whole table

    def missing(self, rows: Rows) -> Mask:
        values = self.values[rows]
        return values < 0 if self.n_levels else np.isnan(values)


@dataclass
class Limits:
    criterion: str
    max_depth: float = math.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    max_leaf_nodes: int | None = None
    max_features: int = 10**9
    needs_gain: bool = False


@dataclass
class Split:
    gain: float
    feature: int
    threshold: float  # NaN for a category
    levels: frozenset[int]  # that go left
    missing_left: bool
    unseen_left: bool
    goes_left: Mask  # for the rows of the node


@dataclass
class Node:
    rows: Rows
    depth: int
    value: Floats
    weight: float
    split: Split | None = None
    left: int = -1
    right: int = -1
    gap: float = field(default=math.inf)  # by how much the best split is better than the next, relative to the impurity


class Grower:
    def __init__(
        self,
        features: Sequence[Feature],
        y: Floats,
        weight: Floats,
        n_classes: int,
        limits: Limits,
    ) -> None:
        self.features, self.y, self.w, self.n_classes, self.limits = features, y, weight, n_classes, limits

    def mass(self, rows: Rows) -> float:
        """Weight of the rows times their impurity."""
        w, y = self.w[rows], self.y[rows]
        if self.limits.criterion == "squared_error":
            return float(np.sum(w * (y - np.average(y, weights=w)) ** 2))
        share = np.bincount(y.astype(int), weights=w, minlength=self.n_classes) / w.sum()
        share = share[share > 0]
        per_row = np.sum(share * (1 - share)) if self.limits.criterion == "gini" else -np.sum(share * np.log2(share))
        return float(w.sum() * per_row)

    def value(self, rows: Rows) -> Floats:
        if self.limits.criterion == "squared_error":
            return np.array([np.average(self.y[rows], weights=self.w[rows])])
        share = np.bincount(self.y[rows].astype(int), weights=self.w[rows], minlength=self.n_classes)
        share = share / self.w[rows].sum()
        return share[1:] if self.n_classes == 2 else share

    def place(self, rows: Rows, within: Rows) -> float:
        """Mean target of a level's rows, or the share of the most frequent class within the node."""
        y = self.y[rows]
        if self.n_classes > 2:
            y = y == np.argmax(
                np.bincount(self.y[within].astype(int), weights=self.w[within], minlength=self.n_classes)
            )
        elif self.n_classes == 1:
            y = np.ones(len(rows))
        return float(np.average(y, weights=self.w[rows]))

    def partitions(self, j: int, rows: Rows) -> Iterator[tuple[float, frozenset[int], Mask, bool]]:
        """Threshold, levels, which of the rows with a value go left, and whether no row goes right."""
        feature = self.features[j]
        values, known = feature.values[rows], ~feature.missing(rows)
        if feature.n_levels:
            present = sorted(set(values[known].astype(int).tolist()))
            if feature.order is not None:
                present.sort(key=lambda level: feature.order[level])
            else:
                present.sort(key=lambda level: self.place(rows[values == level], rows))
            for k in range(1, len(present) + 1):
                levels = frozenset(present[:k])
                yield math.nan, levels, known & np.isin(values, list(levels)), k == len(present)
            return
        distinct = sorted(set(values[known].tolist()))
        if feature.cuts is not None:
            for cut in feature.cuts:
                if any(v <= cut for v in distinct) and any(v > cut for v in distinct):
                    yield cut, frozenset(), known & (values <= cut), False
        else:
            for a, b in pairwise(distinct):
                middle = a / 2 + b / 2
                threshold = middle if a <= middle < b else a
                yield threshold, frozenset(), known & (values <= a), False
        yield math.inf, frozenset(), known, True

    def candidates(self, j: int, rows: Rows) -> Iterator[Split]:
        feature, limits = self.features[j], self.limits
        missing = feature.missing(rows)
        if missing.all():
            return
        for threshold, levels, goes_left, alone in self.partitions(j, rows):
            for missing_left in (False, True) if missing.any() else (None,):
                if alone and missing_left is not False:
                    continue
                left = goes_left | missing if missing_left else goes_left
                weight_left, weight_right = self.w[rows[left]].sum(), self.w[rows[~left]].sum()
                if min(left.sum(), (~left).sum()) < limits.min_samples_leaf:
                    continue
                if min(weight_left, weight_right) < limits.min_weight_leaf:
                    continue
                heavier = bool(weight_left > weight_right)
                gain = self.mass(rows) - self.mass(rows[left]) - self.mass(rows[~left])
                side = heavier if missing_left is None else missing_left
                yield Split(max(gain, 0.0), j, threshold, levels, side, heavier, left)

    def varies(self, j: int, rows: Rows) -> bool:
        missing = self.features[j].missing(rows)
        values = self.features[j].values[rows][~missing]
        if self.features[j].cuts is not None:
            values = np.searchsorted(self.features[j].cuts, values)
        return len(values) > 0 and (len(set(values.tolist())) > 1 or bool(missing.any()))

    def find(self, node: Node, pool: list[int], random: Random) -> None:
        limits, n_features = self.limits, len(self.features)
        drawn = pool
        if limits.max_features < n_features:
            n_drawn = 0
            while n_drawn < n_features and not any(self.varies(j, node.rows) for j in pool[:n_drawn]):
                until = max(limits.max_features, n_drawn + 1)
                for i in range(n_drawn, until):
                    k = i + random.below(n_features - i)
                    pool[i], pool[k] = pool[k], pool[i]
                n_drawn = until
            drawn = sorted(pool[:n_drawn])
        mass = self.mass(node.rows)
        found = [split for j in drawn for split in self.candidates(j, node.rows)]
        if not found:
            return
        best = found[0]
        for split in found:
            if split.gain > best.gain + 1e-9 * max(split.gain, best.gain) + 1e-13 * mass:
                best = split
        node.gap = min((best.gain - s.gain for s in found if s is not best), default=math.inf) / mass
        if not limits.needs_gain or best.gain > 1e-13 * mass:
            node.split = best

    def open(self, rows: Rows, depth: int, pool: list[int], random: Random) -> Node:
        limits = self.limits
        node = Node(rows, depth, self.value(rows), float(self.w[rows].sum()))
        splittable = (
            depth < limits.max_depth
            and len(rows) >= max(limits.min_samples_split, 2 * limits.min_samples_leaf)
            and node.weight >= 2 * limits.min_weight_leaf
            and len(set(self.y[rows].tolist())) > 1
        )
        if splittable:
            self.find(node, pool, random)
        return node

    def grow(self, random: Random) -> list[Node]:
        """Nodes in pre-order, or in the order in which they are made when the leaves are limited."""
        pool = list(range(len(self.features)))
        rows = np.flatnonzero(self.w > 0)
        if self.limits.max_leaf_nodes is None:
            return self.depth_first(rows, 0, pool, random, [])
        nodes = [self.open(rows, 0, pool, random)]
        while sum(node.left < 0 for node in nodes) < self.limits.max_leaf_nodes:
            waiting = [i for i, node in enumerate(nodes) if node.split is not None and node.left < 0]
            if not waiting:
                break
            node = nodes[max(waiting, key=lambda i: (nodes[i].split.gain, -i))]
            node.left, node.right = len(nodes), len(nodes) + 1
            nodes.append(self.open(node.rows[node.split.goes_left], node.depth + 1, pool, random))
            nodes.append(self.open(node.rows[~node.split.goes_left], node.depth + 1, pool, random))
        for node in nodes:
            if node.left < 0:
                node.split = None
        return nodes

    def depth_first(self, rows: Rows, depth: int, pool: list[int], random: Random, nodes: list[Node]) -> list[Node]:
        node = self.open(rows, depth, pool, random)
        nodes.append(node)
        if node.split is not None:
            node.left = len(nodes)
            self.depth_first(rows[node.split.goes_left], depth + 1, pool, random, nodes)
            node.right = len(nodes)
            self.depth_first(rows[~node.split.goes_left], depth + 1, pool, random, nodes)
        return nodes


def quantile_cuts(values: Floats, weight: Floats, q: int) -> list[float]:
    """Smallest values with cumulative weight ≥ k/q of the total, without duplicates and the maximum."""
    known = ~np.isnan(values) & (weight > 0)
    distinct = sorted(set(values[known].tolist()))
    if len(distinct) <= q:
        return distinct[:-1]
    below = {v: weight[known & (values <= v)].sum() for v in distinct}
    total = weight[known].sum()
    cuts = {next(v for v in distinct if below[v] * q >= k * total) for k in range(1, q)}
    return sorted(cuts - {distinct[-1]})


def prune(nodes: list[Node], mass: list[float], alpha: float) -> list[Node]:
    """Cut the weakest link repeatedly until the next one is worth more than alpha per leaf; nodes in pre-order."""
    total, split = nodes[0].weight, {i for i, node in enumerate(nodes) if node.split is not None}

    def leaves(i: int) -> list[int]:
        return [*leaves(nodes[i].left), *leaves(nodes[i].right)] if i in split else [i]

    def inner(i: int) -> list[int]:
        return [i, *inner(nodes[i].left), *inner(nodes[i].right)] if i in split else []

    def worth(i: int) -> float:
        below = leaves(i)
        return (mass[i] - sum(mass[leaf] for leaf in below)) / total / (len(below) - 1)

    while inner(0):
        weakest = min(inner(0), key=worth)
        if worth(weakest) > alpha:
            break
        split -= set(inner(weakest))
    kept: list[Node] = []

    def keep(i: int) -> int:
        node, place = nodes[i], len(kept)
        kept.append(replace(node, split=node.split if i in split else None, left=-1, right=-1))
        if i in split:
            kept[place].left, kept[place].right = keep(node.left), keep(node.right)
        return place

    keep(0)
    return kept

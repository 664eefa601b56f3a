"""Splits: the comparisons of the nodes → thresholds of the caller's columns, and sets of categories.

A node asks its column of the trees, which is a monotone function of one column of the table. The last float64 of the
table that takes the left branch is found by asking that function, never by inverting it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label, below, float32_at_most
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers._float_keys import last_true
from glasswood.readers.onnx._flow import Flow
from glasswood.readers.onnx._trees import EQ, GT, GTE, LEAF, LT, MEMBER, NEQ, Trees

_EXACT = 2**24  # whole numbers below it are themselves in float32


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """Nodes in the terms of an Ensemble; a leaf has feature −1."""

    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    missing_left: NDArray[np.bool_]
    categories: dict[int, tuple[Label, ...]]  # feature → labels
    members: dict[int, NDArray[np.int64]]  # node that splits a category → positions of labels that go left
    unseen_left: NDArray[np.bool_]


def merge_chains(trees: Trees) -> Trees:
    """Make one question of membership of a chain of questions for equality that share the branch of true.

    LightGBM's category sets come in this form: it is not a tree, for the shared branch has many parents.
    """
    mode, false = trees.mode, trees.false
    equal = np.flatnonzero(mode == EQ)
    if not len(equal):
        return trees
    inner = mode != LEAF
    parents = np.bincount(np.concatenate([trees.true[inner], false[inner]]), minlength=len(mode))
    below_ = false[equal]
    same = (mode[below_] == EQ) & (parents[below_] == 1) & (trees.true[below_] == trees.true[equal])
    same &= trees.feature[below_] == trees.feature[equal]
    same &= trees.missing_true[below_] == trees.missing_true[equal]
    follows = dict(zip(equal[same].tolist(), below_[same].tolist(), strict=True))
    if not follows:
        return trees
    inside = set(follows.values())
    new_mode, new_false, members = mode.copy(), false.copy(), dict(trees.members)
    for head in follows.keys() - inside:
        values, at = [trees.split[head]], head
        while at in follows:
            at = follows[at]
            values.append(trees.split[at])
        new_mode[head], new_false[head], members[head] = MEMBER, false[at], np.array(values)
    return replace(trees, mode=new_mode, false=new_false, members=members)


def splits_of(trees: Trees, flow: Flow, used: NDArray[np.bool_]) -> Splits:
    """Restate the nodes that are used."""
    inner = np.flatnonzero(used & (trees.mode != LEAF))
    if not flow:
        raise ModelFileError("its trees get a table without columns")
    columns = np.concatenate([segment.source for segment in flow])
    column = trees.feature[inner]
    if np.any((column < 0) | (column >= len(columns))):
        raise ModelFileError(f"a node splits column {column.max()}, and {len(columns)} columns reach the trees")
    mode = trees.mode[inner]
    by_levels = np.concatenate([np.full(len(segment.source), segment.levels is not None) for segment in flow])[column]
    encoded = inner[by_levels]
    numeric = (mode < EQ) & ~by_levels
    feature = np.full(len(trees.mode), -1, dtype=np.int64)
    feature[inner] = columns[column]
    _check_kinds(feature, inner[numeric], inner[~numeric & ~by_levels], encoded)
    if np.any(np.isnan(trees.split[inner][numeric])):
        raise ModelFileError("a node compares with NaN")
    threshold = np.full(len(trees.mode), np.nan)
    left, right = trees.true.copy(), trees.false.copy()
    missing = np.zeros(len(trees.mode), dtype=bool)
    at = inner[numeric]
    threshold[at], swapped, missing[at] = _cuts(trees, flow, at)
    level = inner[~numeric & ~by_levels]
    swapped = np.concatenate([at[swapped], level[trees.mode[level] == NEQ]])
    left[swapped], right[swapped] = trees.false[swapped], trees.true[swapped]
    missing[level] = trees.missing_true[level] & (trees.mode[level] != NEQ)
    categories, members = _levels(trees, flow, level, feature)
    unseen = np.zeros(len(trees.mode), dtype=bool)
    labels = _labels_of(flow)
    for node, goes in _encoded_sides(trees, flow, encoded, labels):
        members[node], unseen[node] = np.flatnonzero(goes[:-1]), goes[-1]
    missing[encoded] = unseen[encoded]
    return Splits(feature, threshold, left, right, missing, {**categories, **labels}, members, unseen)


def _labels_of(flow: Flow) -> dict[int, tuple[Label, ...]]:
    """Levels of each column of the table that an encoder reads."""
    found: dict[int, dict[Label, None]] = {}
    for segment in flow:
        if segment.levels is not None and len(segment.source):
            found.setdefault(int(segment.source[0]), {}).update(dict.fromkeys(segment.levels.labels))
    return {source: tuple(labels) for source, labels in found.items()}


def _encoded_sides(
    trees: Trees, flow: Flow, nodes: NDArray[np.int64], labels: dict[int, tuple[Label, ...]]
) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """For each node which levels of its column take the true branch, and whether any other level does."""
    starts = np.cumsum([0, *(len(segment.source) for segment in flow)])
    owner = np.searchsorted(starts, trees.feature[nodes], side="right") - 1
    for node, k in zip(nodes.tolist(), owner.tolist(), strict=True):
        segment, column = flow[k], int(trees.feature[node] - starts[k])
        levels = segment.levels
        assert levels is not None
        own = levels.values(column)
        y = segment.values(own, np.full(len(own), column))
        goes = np.where(np.isnan(y), trees.missing_true[node], _is_true(trees, node, y))
        every = labels[int(segment.source[column])]
        if every != levels.labels:
            place = {label: j for j, label in enumerate(levels.labels)}
            goes = goes[[*(place.get(label, len(place)) for label in every), len(place)]]
        yield node, goes


def _is_true(trees: Trees, node: int, y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether numbers of a column pass the comparison of a node."""
    split, mode = trees.split[node], int(trees.mode[node])
    if mode == MEMBER:
        return np.isin(y, trees.members[node])
    compare: dict[int, NDArray[np.bool_]] = {
        LT: y < split, GTE: y >= split, GT: y > split, EQ: y == split, NEQ: y != split
    }  # fmt: skip
    return np.asarray(compare.get(mode, y <= split))


def _check_kinds(
    feature: NDArray[np.int64], ordered: NDArray[np.int64], equal: NDArray[np.int64], encoded: NDArray[np.int64]
) -> None:
    both = np.intersect1d(feature[ordered], feature[equal])
    if len(both):
        raise UnsupportedModelError(
            f"feature {both[0]} is compared by order in some nodes and by equality in others, so it is neither a "
            "number nor a category"
        )
    both = np.intersect1d(feature[encoded], feature[np.concatenate([ordered, equal])])
    if len(both):
        raise UnsupportedModelError(
            f"feature {both[0]} reaches the trees both through an encoder of its levels and as a number; export the "
            "model with the column given twice"
        )


def _cuts(
    trees: Trees, flow: Flow, nodes: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Threshold of each node, whether its branches change sides, and whether missing values then go left."""
    mode, split = trees.mode[nodes], trees.split[nodes]
    cut = np.where((mode == LT) | (mode == GTE), below(split), split)  # true or false as y <= cut
    swapped = (mode == GTE) | (mode == GT)
    threshold, missing = np.empty(len(nodes)), np.zeros(len(nodes), dtype=bool)
    start = 0
    for segment in flow:
        stop = start + len(segment.source)
        here = np.flatnonzero((trees.feature[nodes] >= start) & (trees.feature[nodes] < stop))
        which = trees.feature[nodes[here]] - start
        start = stop
        if not len(here):
            continue
        if segment.casts_only:
            threshold[here] = float32_at_most(cut[here]) if segment.narrow else cut[here]
        else:
            threshold[here], falls = _carried(segment.values, which, cut[here])
            swapped[here] ^= falls
        unknown = segment.values(np.full(len(here), np.nan), which)
        is_nan = np.isnan(unknown)
        takes_true = trees.missing_true[nodes[here]]
        low = unknown <= cut[here]
        opposite = (mode[here] == GTE) | (mode[here] == GT)
        to_true = np.where(is_nan, takes_true, low != opposite)
        missing[here] = to_true != swapped[here]
    return threshold, swapped, missing


def _carried(
    values: Callable[[NDArray[np.float64], NDArray[np.intp]], NDArray[np.float64]],
    which: NDArray[np.int64],
    cut: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The last float64 before the answer to y <= cut changes, and whether the lower end is answered with no."""
    low, high = np.full(len(cut), -np.inf), np.full(len(cut), np.inf)
    at_low, at_high = values(low, which) <= cut, values(high, which) <= cut
    threshold, moving = np.full(len(cut), np.inf), np.flatnonzero(at_low != at_high)

    def asked(some: NDArray[np.intp], at: NDArray[np.float64]) -> NDArray[np.bool_]:
        mine = moving[some]
        return np.asarray((values(at, which[mine]) <= cut[mine]) == at_low[mine])

    if len(moving):
        threshold[moving] = last_true(asked, low[moving], high[moving], cut[moving])
    return threshold, ~at_low


def _levels(
    trees: Trees, flow: Flow, nodes: NDArray[np.int64], feature: NDArray[np.int64]
) -> tuple[dict[int, tuple[Label, ...]], dict[int, NDArray[np.int64]]]:
    """Labels of the features that are compared by equality, and which of them go left at each node."""
    plain = np.concatenate([np.full(len(segment.source), segment.casts_only) for segment in flow])
    if not np.all(plain[trees.feature[nodes]]):
        raise UnsupportedModelError("a column is scaled before the trees and then compared by equality")
    values = {node: np.unique(trees.members.get(node, trees.split[node : node + 1])) for node in nodes.tolist()}
    found: dict[int, list[NDArray[np.float64]]] = {}
    for node, own in values.items():
        found.setdefault(int(feature[node]), []).append(own)
    levels = {j: np.unique(np.concatenate(parts)) for j, parts in found.items()}
    for j, known in levels.items():
        if not np.all((known == np.floor(known)) & (np.abs(known) < _EXACT)):
            raise UnsupportedModelError(
                f"feature {j} is compared for equality with numbers that are not whole and small"
            )
    members = {node: np.searchsorted(levels[int(feature[node])], own) for node, own in values.items()}
    return {j: tuple(int(level) for level in known) for j, known in levels.items()}, members

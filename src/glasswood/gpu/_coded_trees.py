"""CodedTrees: trees as words that compare a byte per feature, for prediction on a device.

A row has a byte per feature and side of its missing values: the number of thresholds below the value, 0 for a missing
value that goes left and 255 for one that goes right. Four bytes are a word of the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble

MAX_NODES = 512  # of a tree: nine bits of a word say where its children are
MAX_CODES = 128  # bytes of a row: five bits say which word, two which byte
MAX_THRESHOLDS = 255
CHUNK_NODES = 6144  # of the trees that are walked together, as in `kernels/predict.cu`
_LEAF = 255 << 24  # no code is above it


@dataclass(frozen=True, slots=True, eq=False)
class CodedOutput:
    """The trees of one output, in their order."""

    words: NDArray[np.uint32]  # (n_nodes,) tree by tree
    values: NDArray[np.float64]  # (n_nodes,) of leaves
    first: NDArray[np.uint32]  # (n_trees + 1,) first node of each tree
    depth: NDArray[np.uint8]  # (n_trees,)
    chunk_start: NDArray[np.uint32]  # first tree of each chunk, and the end


@dataclass(frozen=True, slots=True, eq=False)
class CodedTrees:
    """What the codes of a row are, and the trees of every output."""

    thresholds: Sequence[NDArray[np.float64]]  # of each code
    missing: NDArray[np.uint8]  # (n_codes,)
    source: NDArray[np.uint32]  # (n_codes,) feature
    outputs: Sequence[CodedOutput]


def code_trees(ensemble: Ensemble) -> CodedTrees | None:
    """Trees as words; None where they are too large, or a leaf has several values."""
    sizes = np.diff(ensemble.tree_start)
    if ensemble.value.reshape(len(ensemble.feature), -1).shape[1] != 1 or sizes.max(initial=0) > MAX_NODES:
        return None
    inner = np.flatnonzero(ensemble.feature >= 0)
    # one code for missing values that go left and one for those that go right
    asked = 2 * ensemble.feature[inner].astype(np.int64) + ensemble.missing_left[inner]
    codes, code_of = np.unique(asked, return_inverse=True)
    thresholds, cut = [], np.zeros(len(inner), dtype=np.uint32)
    for k in range(len(codes)):
        own = code_of == k
        distinct, place = np.unique(ensemble.threshold[inner[own]], return_inverse=True)
        thresholds.append(distinct)
        cut[own] = place
    if len(codes) > MAX_CODES or max(map(len, thresholds), default=0) > MAX_THRESHOLDS:
        return None
    place, depth = _places(ensemble)
    words: NDArray[np.uint32] = (_LEAF | place << 2).astype(np.uint32)
    code = code_of.astype(np.uint32)
    words[inner] = (
        cut << 24 | (24 - 8 * (code % 4)) << 16 | code // 4 << 11 | place[ensemble.left[inner]].astype(np.uint32) << 2
    )
    by_place = np.argsort(np.repeat(np.arange(len(sizes)), sizes) * MAX_NODES + place)
    outputs = []
    for output in range(ensemble.n_outputs):
        trees = np.flatnonzero(ensemble.tree_output == output)
        own = [by_place[ensemble.tree_start[t] : ensemble.tree_start[t + 1]] for t in trees]
        nodes = np.concatenate([*own, np.empty(0, dtype=np.int64)]).astype(np.int64)
        first = np.cumsum([0, *sizes[trees]]).astype(np.uint32)
        values = ensemble.value.reshape(-1)[nodes]
        outputs.append(CodedOutput(words[nodes], values, first, depth[trees], _chunks(first)))
    missing = np.where(codes % 2 == 1, 0, 255).astype(np.uint8)
    return CodedTrees(thresholds, missing, (codes // 2).astype(np.uint32), outputs)


def _places(ensemble: Ensemble) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Place of every node in its tree, level by level, the two children of a node side by side; depth of every tree."""
    n_trees = ensemble.n_trees
    place = np.zeros(len(ensemble.feature), dtype=np.int64)
    used = np.ones(n_trees, dtype=np.int64)
    depth = np.zeros(n_trees, dtype=np.uint8)
    node, tree = ensemble.tree_start[:-1].astype(np.int64), np.arange(n_trees)
    while True:
        inner = ensemble.feature[node] >= 0
        node, tree = node[inner], tree[inner]
        if not len(node):
            return place, depth
        depth[tree] += 1  # once per tree, however often it is listed
        count = np.bincount(tree, minlength=n_trees)
        rank = np.arange(len(tree)) - (np.cumsum(count) - count)[tree]  # trees are in order
        left, right = ensemble.left[node].astype(np.int64), ensemble.right[node].astype(np.int64)
        place[left] = used[tree] + 2 * rank
        place[right] = place[left] + 1
        used += 2 * count
        node, tree = np.stack([left, right], axis=1).ravel(), np.repeat(tree, 2)


def _chunks(first: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Cut trees into chunks of at most `CHUNK_NODES` nodes."""
    starts = [0]
    for t in range(len(first) - 1):
        if first[t + 1] - first[starts[-1]] > CHUNK_NODES:
            starts.append(t)
    return np.array([*starts, len(first) - 1], dtype=np.uint32)

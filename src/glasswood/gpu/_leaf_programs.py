"""LeafPrograms: what a device needs to count, for every leaf, the rows that fail a few features of its path."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble

LEAF = np.dtype([("first", "u4"), ("last_ones", "u4"), ("n_fixed", "u2"), ("n_free", "u2"), ("slot", "u4")])
MAX_FREE = 12  # features of a path
MAX_CONDITIONS = 32


@dataclass(frozen=True, slots=True, eq=False)
class LeafPrograms:
    """Nodes and leaves tree by tree, as `kernels/explain.cu` reads them."""

    node_start: NDArray[np.uint32]  # (n_trees + 1,)
    nodes: NDArray[np.uint32]  # (n_nodes, 2) feature and question
    leaf_start: NDArray[np.uint32]  # (n_trees + 1,)
    leaves: NDArray[np.void]  # of LEAF
    conditions: NDArray[np.uint32]
    longest: int  # path

    @property
    def most_nodes(self) -> int:
        """Splits of the largest tree."""
        return int(np.diff(self.node_start).max(initial=1))

    @property
    def most_free(self) -> int:
        """Free features of the longest path."""
        return int(self.leaves["n_free"].max(initial=0))


def make_programs(
    ensemble: Ensemble,
    free: NDArray[np.bool_],
    questions: tuple[NDArray[np.int32], NDArray[np.int32]],
    slot_of_node: NDArray[np.int64],
) -> LeafPrograms:
    """Programs of all trees; `free` features may fail, all others must hold. `slot_of_node`: of leaves."""
    is_inner, cut, also = ensemble.feature >= 0, *questions
    inner, leaves = np.flatnonzero(is_inner), np.flatnonzero(~is_inner)
    before = np.concatenate([[0], np.cumsum(is_inner)])  # splits before each node
    node_start = before[ensemble.tree_start]
    tree = np.repeat(np.arange(ensemble.n_trees), np.diff(ensemble.tree_start))
    place = before[:-1] - node_start[tree]  # of a split in its tree
    node, left = _paths(ensemble, leaves)
    asked = np.where(node >= 0, ensemble.feature[node], -1)
    # a feature stands where the path first asks for it, those that must hold before the others; −1 is nowhere
    depth = node.shape[1]
    first = np.argmax(asked[:, :, None] == asked[:, None, :], axis=2)
    is_free = free[asked] & (node >= 0)
    key = np.where(node >= 0, (is_free * depth + first) * depth + np.arange(depth), 2 * depth * depth)
    order = np.argsort(key, axis=1)
    sorted_key = np.take_along_axis(key, order, axis=1)
    here = sorted_key < 2 * depth * depth
    group = sorted_key // max(depth, 1)
    is_last = here & (group != np.concatenate([group[:, 1:], np.full((len(leaves), 1), -1)], axis=1))
    words = 2 * place[node] + left
    conditions = np.take_along_axis(words, order, axis=1)[here].astype(np.uint32)
    programs = np.zeros(len(leaves), dtype=LEAF)
    programs["first"] = np.cumsum(here.sum(axis=1)) - here.sum(axis=1)
    bits = np.where(np.arange(depth) < MAX_CONDITIONS, 2 ** np.minimum(np.arange(depth), MAX_CONDITIONS - 1), 0)
    programs["last_ones"] = (is_last * bits).sum(axis=1)
    programs["n_fixed"] = (is_last & (group < depth)).sum(axis=1)
    programs["n_free"] = (is_last & (group >= depth)).sum(axis=1)
    programs["slot"] = slot_of_node[leaves]
    question = cut[inner].astype(np.uint32) << 8 | also[inner].astype(np.uint32)
    return LeafPrograms(
        node_start=node_start.astype(np.uint32),
        nodes=np.stack([ensemble.feature[inner].astype(np.uint32), question], axis=1),
        leaf_start=(ensemble.tree_start - node_start).astype(np.uint32),
        leaves=programs,
        conditions=np.append(conditions, np.zeros(MAX_CONDITIONS, dtype=np.uint32)),  # lanes read beyond the last
        longest=depth,
    )


def _paths(ensemble: Ensemble, leaves: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Nodes on the way to each leaf, from the root, (n_leaves, depth), −1 below the leaf; and 1 where it goes left."""
    inner = np.flatnonzero(ensemble.feature >= 0)
    above = np.full(len(ensemble.feature), -1, dtype=np.int64)
    is_left = np.zeros(len(ensemble.feature), dtype=np.int64)
    above[ensemble.left[inner]] = above[ensemble.right[inner]] = inner
    is_left[ensemble.left[inner]] = 1
    up, sides = [], []
    at = leaves
    while True:
        sides.append(is_left[at])
        at = np.where(at >= 0, above[at], -1)
        if not (at >= 0).any():
            break
        up.append(at)
    node = np.stack(up[::-1], axis=1) if up else np.empty((len(leaves), 0), dtype=np.int64)
    left = np.stack(sides[: len(up)][::-1], axis=1) if up else np.empty((len(leaves), 0), dtype=np.int64)
    # paths end at the right: move them to the left
    order = np.argsort(node < 0, axis=1, kind="stable")
    return np.take_along_axis(node, order, axis=1), np.take_along_axis(left, order, axis=1)

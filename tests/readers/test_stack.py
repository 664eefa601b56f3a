"""Joined trees: children are shifted, leaves stay leaves."""

import numpy as np

from glasswood.readers._stack import TreeNodes, stack


def tree(value: float) -> TreeNodes:
    return TreeNodes(
        feature=np.array([0, -1, -1]),
        threshold=np.array([0.5, np.nan, np.nan]),
        stated_threshold=np.array([0.5, np.nan, np.nan]),
        left=np.array([1, -1, -1]),
        right=np.array([2, -1, -1]),
        missing_left=np.zeros(3, dtype=bool),
        value=np.array([[0.0], [value], [-value]]),
        weight=np.ones(3),
        gain=np.zeros(3),
    )


def test_children_are_shifted_to_their_tree() -> None:
    nodes = stack([tree(1.0), tree(2.0)])
    assert nodes["tree_start"].tolist() == [0, 3, 6]
    assert nodes["left"].tolist() == [1, -1, -1, 4, -1, -1]
    assert nodes["right"].tolist() == [2, -1, -1, 5, -1, -1]
    assert nodes["value"].ravel().tolist() == [0, 1, -1, 0, 2, -2]


def test_no_trees_give_no_nodes() -> None:
    nodes = stack([])
    assert nodes["tree_start"].tolist() == [0]
    assert len(nodes["feature"]) == 0

"""Joined: heaps of nodes become joined trees, level by level."""

import numpy as np

from glasswood.gpu._joined import join_nodes
from glasswood.gpu._records import NODE


def test_a_tree_keeps_only_the_nodes_it_has() -> None:
    nodes = np.zeros((2, 3), dtype=NODE)
    nodes["feature"] = [[4, -1, 2], [-1, 0, 0]]  # below a leaf, whatever a node says does not count
    nodes["bin"], nodes["gain"] = 5, 1.5
    values = np.array([[1.0, 9.0, 2.0, 3.0], [7.0, 9.0, 9.0, 9.0]])
    weights = np.array([[10.0, 0.0, 20.0, 30.0], [60.0, 0.0, 0.0, 0.0]])
    joined = join_nodes(nodes, values, weights)
    assert joined["tree_start"].tolist() == [0, 5, 6]
    assert joined["feature"].tolist() == [4, -1, 2, -1, -1, -1]
    assert joined["left"].tolist() == [1, -1, 3, -1, -1, -1]
    assert joined["right"].tolist() == [2, -1, 4, -1, -1, -1]
    assert joined["value"].tolist() == [0.0, 1.0, 0.0, 2.0, 3.0, 7.0]
    assert joined["weight"].tolist() == [60.0, 10.0, 50.0, 20.0, 30.0, 60.0]
    assert joined["bin"].tolist() == [5, -1, 5, -1, -1, -1]
    np.testing.assert_array_equal(joined["gain"], [1.5, np.nan, 1.5, np.nan, np.nan, np.nan])

"""The depth of a node is the number of splits above it."""

from glasswood.ensemble import node_depths
from tests.ensemble.examples import two_trees


def test_depths_begin_anew_at_every_root() -> None:
    assert node_depths(two_trees()).tolist() == [0, 1, 1, 2, 2, 0, 1, 2, 2, 1]

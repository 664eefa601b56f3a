"""Cuts of a tree at every depth, computed on demand, equal those of the cut tree."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import glasswood as gw
from glasswood.ensemble import Ensemble, FeatureSchema, boxes, build_ensemble
from glasswood.results import DepthBox, DepthBoxes, Frontiers
from tests.ensemble.examples import SOURCE
from tests.reference.boxes import Side, leaf_boxes
from tests.reference.built import built_with_columns


def chain(depth: int) -> Ensemble:
    """x0 <= 0 → leaf, else x0 <= 1 → leaf, else …: one leaf and one split at every depth."""
    n = 2 * depth + 1
    node = np.arange(n)
    inner = (node % 2 == 0) & (node < n - 1)
    return build_ensemble(
        tree_start=[0, n],
        feature=np.where(inner, 0, -1),
        threshold=np.where(inner, node / 2, np.nan),
        left=np.where(inner, node + 1, -1),
        right=np.where(inner, node + 2, -1),
        value=node // 2,
        weight=np.where(node % 2 == 0, depth + 1 - node / 2, 1.0),
        baseline=[0.0],
        features=FeatureSchema.numeric(["x0"]),
        source=SOURCE,
    )


def depths(ensemble: Ensemble) -> np.ndarray[Any, np.dtype[np.int32]]:
    found = np.zeros(ensemble.n_nodes, dtype=np.int32)
    for node in np.flatnonzero(ensemble.feature >= 0):
        found[[ensemble.left[node], ensemble.right[node]]] = found[node] + 1
    return found


@settings(max_examples=60)
@given(built_with_columns(n_leaves=8))
def test_every_entry_is_that_of_the_tree_cut_there(case: tuple[Ensemble, Any]) -> None:
    ensemble = case[0]
    depth, leaf, of_node = depths(ensemble), ensemble.feature < 0, leaf_boxes(ensemble, of_inner=True)
    frontiers = Frontiers(depth, leaf)
    found = DepthBoxes(frontiers, boxes(ensemble, of_inner=True), ensemble.features)
    assert len(found) == len(frontiers) == depth.max(initial=-1) + 1
    for d in range(len(frontiers)):
        expected = np.flatnonzero((depth == d) | (leaf & (depth < d)))
        np.testing.assert_array_equal(frontiers[d], expected)
        assert frontiers[d].dtype == np.int32
        sides = [(int(node), feature, side) for node in expected for feature, side in of_node[int(node)].items()]
        assert len(sides) == len(found[d])
        for box, (node, feature, side) in zip(found[d], sides, strict=True):
            check_side(ensemble, box, node, feature, side)


def check_side(ensemble: Ensemble, box: DepthBox, node: int, feature: int, side: Side) -> None:
    labels = ensemble.features.categories[feature]
    assert (box.node, box.feature, box.missing) == (node, ensemble.feature_names[feature], side.missing)
    if labels is None:
        assert (box.lower, box.upper, box.levels) == (side.lower, side.upper, None)
    else:
        assert box.levels == tuple(str(labels[code]) for code in sorted(side.codes))


def test_entries_are_found_from_the_end_and_in_slices() -> None:
    tree = chain(2)
    frontiers = Frontiers(depths(tree), tree.feature < 0)
    found = DepthBoxes(frontiers, boxes(tree, of_inner=True), tree.features)
    assert [f.tolist() for f in frontiers] == [[0], [1, 2], [1, 3, 4]]
    assert frontiers[-1].tolist() == [1, 3, 4] and [f.tolist() for f in frontiers[1:]] == [[1, 2], [1, 3, 4]]
    assert found[-1] == found[2] and found[:2] == (found[0], found[1]) and len(found[2]) == 3
    with pytest.raises(IndexError):
        frontiers[3]


def test_memory_grows_with_the_nodes_not_with_all_cuts() -> None:
    def peak(depth: int) -> int:
        tree, X = chain(depth), np.arange(depth + 1.0)[:, None]
        tracemalloc.start()
        profile = gw.tree_profile(tree, X, X[:, 0])
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert profile.score[-1] == 1.0 and len(profile.boxes[depth]) == depth + 1
        return used

    peak(10)  # imports
    assert peak(600) < 3 * peak(300)

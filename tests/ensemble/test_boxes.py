"""Boxes: the region that belongs to each leaf."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from glasswood.ensemble import Boxes, Ensemble, boxes
from tests.ensemble.examples import category_tree, stump, two_trees
from tests.reference.boxes import Side, leaf_boxes
from tests.reference.built import built_with_columns


def as_dict(found: Boxes) -> dict[int, dict[int, Side]]:
    """CSR boxes in the shape of the reference."""
    result: dict[int, dict[int, Side]] = {}
    for i, leaf in enumerate(found.leaf.tolist()):
        sides = result[leaf] = {}
        for k in range(found.start[i], found.start[i + 1]):
            category = int(found.category_set[k])
            words = [] if category < 0 else found.set_bits[slice(*found.set_start[category : category + 2])].tolist()
            sides[int(found.feature[k])] = Side(
                lower=-np.inf if category >= 0 else float(found.lower[k]),
                upper=np.inf if category >= 0 else float(found.upper[k]),
                missing=bool(found.missing[k]),
                unseen=bool(found.unseen[k]),
                codes={64 * w + bit for w, word in enumerate(words) for bit in range(64) if word >> bit & 1},
            )
    return result


@pytest.mark.parametrize("make", [stump, two_trees, category_tree])
def test_boxes_equal_the_slow_reference(make) -> None:
    ensemble: Ensemble = make()
    assert as_dict(boxes(ensemble)) == leaf_boxes(ensemble)


@settings(max_examples=60)
@given(built_with_columns(n_leaves=8))
def test_boxes_of_random_ensembles_equal_the_slow_reference(case: tuple[Ensemble, Any]) -> None:
    assert as_dict(boxes(case[0])) == leaf_boxes(case[0])
    assert as_dict(boxes(case[0], of_inner=True)) == leaf_boxes(case[0], of_inner=True)


@settings(max_examples=60)
@given(built_with_columns(n_leaves=8, odd=False))
def test_a_row_is_in_the_box_of_the_leaf_it_reaches_and_in_no_other(case: tuple[Ensemble, Any]) -> None:
    ensemble, columns = case
    reached = ensemble._plan().apply(columns, 1)
    owners = leaf_boxes(ensemble)
    for t in range(ensemble.n_trees):
        leaves = [n for n in range(*ensemble.tree_start[t : t + 2]) if ensemble.feature[n] < 0]
        for row in range(len(columns[0])):
            inside = [n for n in leaves if all(holds(owners[n][j], columns[j][row], ensemble, j) for j in owners[n])]
            assert [ensemble.leaf_id[n] for n in inside] == [reached[row, t]]


def holds(side: Side, x: Any, ensemble: Ensemble, feature: int) -> bool:
    """Whether a value is on one side of a box."""
    labels = ensemble.features.categories[feature]
    if labels is None:
        above = side.lower < x or side.lower == -np.inf  # a box without a lower edge contains −inf too
        return side.missing if np.isnan(x) else above and x <= side.upper
    return side.missing if x < 0 else side.unseen if x >= len(labels) else x in side.codes


def test_a_stump_has_two_half_lines() -> None:
    found = boxes(stump())
    assert found.lower.tolist() == [-np.inf, 1.5]
    assert found.upper.tolist() == [1.5, np.inf]
    assert found.missing.tolist() == [True, False]


def test_a_repeated_category_feature_is_intersected() -> None:
    found = boxes(category_tree())
    assert found.feature.tolist() == [0, 0, 0]
    assert [int(found.set_bits[found.set_start[s]]) for s in found.category_set] == [0b100, 0b001, 0b010]
    assert found.missing.tolist() == [False, True, False]
    assert found.unseen.tolist() == [False, False, True]

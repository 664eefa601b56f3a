"""Boxes: per leaf the region it owns."""

import numpy as np
import pytest

from glasswood.ensemble import Boxes, Ensemble, boxes
from tests.ensemble.examples import category_tree, stump, two_trees
from tests.reference.boxes import Side, leaf_boxes


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

"""build_ensemble fills in what a source does not provide, and freezes the result."""

import numpy as np
import pytest

from glasswood.ensemble import FeatureSchema, build_ensemble
from glasswood.errors import InvalidEnsembleError
from tests.ensemble.examples import SOURCE, stump, two_trees


def test_inner_values_are_weighted_means_of_their_leaves() -> None:
    assert stump().value[0, 0] == pytest.approx((30 * 10 + 10 * 20) / 40)
    roots = two_trees().value[[0, 5], 0]
    assert roots.sum() == pytest.approx(1.794)


def test_a_node_of_weight_zero_takes_half_of_each_child() -> None:
    ens = build_ensemble(
        tree_start=[0, 3], feature=[0, -1, -1], threshold=[0, np.nan, np.nan], left=[1, -1, -1], right=[2, -1, -1],
        value=[0, 2.0, 4.0], weight=[0, 0, 0], baseline=[0.0], features=FeatureSchema.numeric(["a"]), source=SOURCE,
    )  # fmt: skip
    assert ens.value[0, 0] == 3.0


def test_leaves_are_numbered_from_the_root_of_their_tree() -> None:
    assert two_trees().leaf_id.tolist() == [-1, 1, -1, 3, 4, -1, -1, 2, 3, 4]


def test_arrays_are_frozen() -> None:
    with pytest.raises(ValueError, match="read-only"):
        stump().threshold[0] = 2.0


def test_the_callers_arrays_are_copied() -> None:
    threshold = np.array([np.nan])
    build_ensemble(
        tree_start=[0, 1], feature=[-1], threshold=threshold, left=[-1], right=[-1], value=[5.0], baseline=[0.0],
        features=FeatureSchema.numeric([]), source=SOURCE,
    )  # fmt: skip
    threshold[0] = 1.0


def test_zero_trees_predict_the_baseline() -> None:
    ens = build_ensemble(
        tree_start=[0], feature=[], threshold=[], left=[], right=[], value=[], baseline=[7.0],
        features=FeatureSchema.numeric(["a"]), source=SOURCE,
    )  # fmt: skip
    assert ens.predict_raw(np.zeros((2, 1))).tolist() == [7.0, 7.0]
    assert ens.apply(np.zeros((2, 1))).shape == (2, 0)
    assert "trees" in repr(ens)


def test_numbers_that_do_not_fit_are_refused_not_wrapped() -> None:
    with pytest.raises(InvalidEnsembleError, match="left holds numbers that do not fit"):
        build_ensemble(
            tree_start=[0, 1], feature=[-1], threshold=[np.nan], left=[2**40], right=[-1], value=[5.0], baseline=[0.0],
            features=FeatureSchema.numeric([]), source=SOURCE,
        )  # fmt: skip

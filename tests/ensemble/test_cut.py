"""cut truncates the trained trees at a depth."""

import dataclasses

import numpy as np
import pytest

from glasswood.ensemble import build_ensemble
from glasswood.errors import GlasswoodError, UnsupportedModelError
from tests.ensemble.examples import category_tree, stump, two_trees


def test_depth_zero_is_the_mean() -> None:
    assert two_trees().cut(0).predict_raw(np.zeros((1, 2)))[0] == pytest.approx(1.794)


def test_a_cut_node_takes_the_mean_below_it() -> None:
    cut = two_trees().cut(1)
    assert cut.n_nodes == 6
    assert cut.predict_raw(np.array([[9.0, 9.0]]))[0] == pytest.approx((30 * 1.57 + 20 * 2.10) / 50 + 0.5)


def test_cutting_below_the_leaves_changes_no_prediction() -> None:
    for whole in (stump(), two_trees()):
        X = np.random.default_rng(0).normal(1.5, 2, size=(50, len(whole.features)))
        assert np.array_equal(whole.cut(9).predict_raw(X), whole.predict_raw(X))


def test_category_splits_survive() -> None:
    assert category_tree().cut(1).n_leaves == 2


def test_bad_depths_are_refused() -> None:
    for depth in (-1, 1.5, "deep"):
        with pytest.raises(GlasswoodError, match="depth"):
            stump().cut(depth)  # type: ignore[arg-type]


def test_a_model_without_weights_cannot_be_cut_inside() -> None:
    parts = {name: array for name, array in stump()._arrays().items() if name != "weight"}
    whole = build_ensemble(**parts, features=stump().features, source=dataclasses.replace(stump().source))
    with pytest.raises(UnsupportedModelError, match="no node weights"):
        whole.cut(0)
    assert whole.cut(1).n_leaves == 2

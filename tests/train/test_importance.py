"""Importance by gain, checked by hand and against scikit-learn."""

import numpy as np
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from glasswood.train import gain_importance


def test_a_stump_has_one_important_feature() -> None:
    tree = gw.TreeRegressor(max_depth=1).fit([[0, 0], [1, 0], [2, 1]], [1.0, 1.0, 4.0])
    np.testing.assert_array_equal(gain_importance(tree.ensemble_), [1.0, 0.0])


def test_a_tree_without_splits_has_none() -> None:
    tree = gw.TreeRegressor().fit([[0, 0], [1, 0]], [1.0, 1.0])
    np.testing.assert_array_equal(gain_importance(tree.ensemble_), [0.0, 0.0])


def test_shares_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)).astype(np.float32), rng.normal(size=300)
    ours = gw.TreeRegressor(min_samples_split=20).fit(X, y)
    theirs = DecisionTreeRegressor(min_samples_split=20).fit(X, y)
    np.testing.assert_allclose(gain_importance(ours.ensemble_), theirs.feature_importances_, rtol=1e-10)

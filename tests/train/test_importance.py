"""Importance by gain, checked by hand and against scikit-learn."""

import numpy as np
import pytest
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


@pytest.mark.parametrize(
    "model",
    [
        gw.TreeRegressor(max_depth=3),
        gw.ForestRegressor(6, max_depth=3, random_state=0),
        gw.BoostingRegressor(n_estimators=6, max_depth=3),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("size", [1.0, 1e150])
def test_every_estimator_means_the_share_in_the_gain_of_all_splits(model: object, size: float) -> None:
    X = np.random.default_rng(0).normal(size=(200, 3))
    model.fit(X, (X[:, 0] + 0.3 * X[:, 1]) * (size if not isinstance(model, gw.BoostingRegressor) else 1.0))
    ensemble, found = model.ensemble_, np.zeros(3)
    for feature, gain in zip(ensemble.feature, ensemble.gain / np.nanmax(ensemble.gain), strict=True):
        if feature >= 0:
            found[feature] += gain
    np.testing.assert_allclose(model.feature_importances_, found / found.sum(), rtol=1e-12)

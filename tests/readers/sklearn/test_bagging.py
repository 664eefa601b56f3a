"""Bagging: small bags whose numbers one can check by hand."""

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import BaggingClassifier, BaggingRegressor, GradientBoostingRegressor
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw

X = np.array([[0.0, 5.0], [1.0, 3.0], [2.0, 4.0], [3.0, 1.0]])


def test_a_bag_is_the_mean_of_its_trees() -> None:
    model = BaggingRegressor(n_estimators=4, random_state=0).fit(X, [1.0, 2.0, 4.0, 8.0])
    ensemble = gw.read(model, X)
    assert ensemble.n_trees == 4
    assert ensemble.predict(X) == pytest.approx(np.mean([tree.predict(X) for tree in model.estimators_], axis=0))


def test_trees_that_saw_one_feature_split_that_feature() -> None:
    model = BaggingRegressor(n_estimators=6, max_features=1, random_state=0).fit(X, [1.0, 2.0, 4.0, 8.0])
    ensemble = gw.read(model, X)
    for tree, features in enumerate(model.estimators_features_):
        own = ensemble.feature[ensemble.tree_start[tree] : ensemble.tree_start[tree + 1]]
        assert set(own.tolist()) <= {-1, int(features[0])}


def test_a_class_a_tree_never_saw_has_no_share_in_it() -> None:
    model = BaggingClassifier(n_estimators=3, max_samples=1, random_state=1).fit(X, ["a", "b", "c", "c"])
    ensemble = gw.read(model, X)
    assert ensemble.outputs == ("a", "b", "c")
    assert np.allclose(ensemble.predict(X), model.predict_proba(X))


def test_several_targets_follow_each_other() -> None:
    y = np.column_stack([X[:, 0], -X[:, 1]])
    assert gw.read(BaggingRegressor(n_estimators=3, random_state=0).fit(X, y), X).outputs == ("y0", "y1")


def test_bags_of_other_models_are_refused_by_name() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="KNeighborsClassifier is not a tree model"):
        gw.read(BaggingClassifier(KNeighborsClassifier(1)).fit(X, [0, 1, 0, 1]))
    assert gw.read(BaggingRegressor(GradientBoostingRegressor(n_estimators=1)).fit(X, X[:, 0]), X).n_trees == 10
    with pytest.raises(gw.UnsupportedModelError, match="bags DecisionTreeRegressor"):  # it would count votes
        gw.read(BaggingClassifier(DecisionTreeRegressor()).fit(X, [0, 1, 0, 1]))
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(BaggingClassifier(DecisionTreeClassifier()))


class Sampler(BaseEstimator):  # type: ignore[misc]
    """What imblearn puts before each tree; only fit uses it."""

    def fit_resample(self, X: Any, y: Any) -> Any:
        return X, y


class SampledTree(Pipeline):  # type: ignore[misc]
    """A pipeline that passes its sampler over when it predicts, as imblearn's does."""

    def predict_proba(self, X: Any) -> Any:
        return self.steps[-1][1].predict_proba(X)


def test_trees_behind_samplers_are_read_as_trees() -> None:
    model = BaggingClassifier(DecisionTreeClassifier(), n_estimators=3, random_state=0).fit(X, [0, 0, 1, 1])
    bare = gw.read(model, X)
    model.estimators_ = [SampledTree([("sampler", Sampler()), ("tree", tree)]) for tree in model.estimators_]
    ensemble = gw.read(model, X)
    assert ensemble == bare and ensemble.source.parity.leaves_equal

"""BoostingClassifier: classes by name, probabilities that add up, labels from scores."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import glasswood as gw
from glasswood.errors import TableError


def test_classes_keep_their_labels_and_shares_add_up() -> None:
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = gw.BoostingClassifier(n_estimators=10).fit(X, names)
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert np.mean(model.predict(X) == names) > 0.95
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[model.decision_function(X).argmax(axis=1)])


def test_quantised_gradients_separate_classes_too() -> None:
    X, y = load_iris(return_X_y=True)
    exact = gw.BoostingClassifier(n_estimators=20, symmetric=True, random_state=0).fit(X, y)
    quantised = gw.BoostingClassifier(n_estimators=20, symmetric=True, random_state=0, statistics="quantised").fit(X, y)
    np.testing.assert_allclose(quantised.predict_proba(X), exact.predict_proba(X), atol=0.2)
    assert np.mean(quantised.predict(X) == y) > 0.95


def test_one_class_is_certain_and_an_offset_moves_two() -> None:
    X = np.arange(6.0)[:, None]
    assert np.all(gw.BoostingClassifier(n_estimators=2).fit(X, ["a"] * 6).predict_proba(X) == 1.0)
    y = np.array([0, 1, 0, 1, 0, 1])
    model = gw.BoostingClassifier(n_estimators=1).fit(X, y, offset=np.full(6, 0.5))
    shift = model.decision_function(X, offset=np.full(6, 2.0)) - model.decision_function(X)
    np.testing.assert_allclose(shift, 2.0)
    with pytest.raises(TableError, match="offset"):
        model.predict(X, offset=[1.0])


def test_shares_that_differ_only_by_rounding_tie_for_the_first_class() -> None:
    X, y = [[0.0], [1.0]], ["no", "yes"]
    model = gw.BoostingClassifier(n_estimators=1).fit(X, y)
    to_a_tie = -model.decision_function(X)
    assert model.predict(X, offset=to_a_tie).tolist() == ["no", "no"]
    assert model.predict(X, offset=to_a_tie + 1e-15).tolist() == ["no", "no"]
    assert model.predict(X, offset=to_a_tie + 1e-9).tolist() == ["yes", "yes"]

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier

import glasswood as gw
from glasswood.web._target_rows import target_rows

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


def test_classes_stand_in_the_order_of_the_model() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X, NAMES)
    for given in (model, None):  # a model read from a file has no classes_, but knows its outputs
        rows = target_rows(given, model.ensemble_, NAMES, len(X))
        assert rows.classes == ("setosa", "versicolor", "virginica") and rows.n_rows == 150
        np.testing.assert_array_equal(rows.codes, Y)


def test_of_two_classes_the_output_is_the_second() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X[:100], NAMES[:100])
    rows = target_rows(None, model.ensemble_, NAMES[:100], 100)
    assert rows.classes == ("setosa", "versicolor")
    np.testing.assert_array_equal(rows.codes, Y[:100])
    assert target_rows(None, model.ensemble_, NAMES[50:60], 10).classes == ("not versicolor", "versicolor")


def test_unnamed_classes_are_taken_in_order() -> None:
    ensemble = gw.read(GradientBoostingClassifier(n_estimators=1, random_state=0).fit(X, Y))
    assert target_rows(None, ensemble, NAMES, 150).classes == ("setosa", "versicolor", "virginica")


def test_a_class_the_model_does_not_know_is_named() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X, NAMES)
    with pytest.raises(gw.TableError, match="the class 'rose'"):
        target_rows(model, model.ensemble_, np.where(Y == 1, "rose", NAMES), 150)


def test_numbers_stay_numbers() -> None:
    model = gw.TreeRegressor(max_depth=2).fit(X, X[:, 0])
    rows = target_rows(model, model.ensemble_, X[:, 0], 150)
    assert rows.classes is None and rows.n_rows == 150
    with pytest.raises(gw.TableError, match="y holds text"):
        target_rows(model, model.ensemble_, NAMES, 150)

"""A subclass that predicts something else than its trees is refused."""

from typing import Any

import numpy as np
import pytest
from catboost import CatBoostClassifier, CatBoostRegressor
from lightgbm import Booster, LGBMClassifier, LGBMRegressor
from perpetual import PerpetualBooster
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor
from xgboost import XGBClassifier, XGBRegressor

import glasswood as gw
from glasswood.readers._override import library_method, overridden

X = np.random.default_rng(0).normal(size=(80, 3))
Y = X[:, 0] + X[:, 1] ** 2
CLASSES = (Y > 1).astype(int)

REGRESSORS = {
    RandomForestRegressor: {"n_estimators": 3, "n_jobs": 2, "random_state": 0},
    DecisionTreeRegressor: {"random_state": 0},
    LGBMRegressor: {"n_estimators": 3, "verbose": -1},
    XGBRegressor: {"n_estimators": 3},
    CatBoostRegressor: {"iterations": 3, "verbose": 0, "allow_writing_files": False},
    PerpetualBooster: {"objective": "SquaredLoss", "budget": 0.2, "iteration_limit": 3},
    gw.TreeRegressor: {},
}
CLASSIFIERS = {
    RandomForestClassifier: {"n_estimators": 3},
    GradientBoostingClassifier: {"n_estimators": 3},
    LGBMClassifier: {"n_estimators": 3, "verbose": -1},
    XGBClassifier: {"n_estimators": 3},
    CatBoostClassifier: {"iterations": 3, "verbose": 0, "allow_writing_files": False},
    gw.TreeClassifier: {},
}


def subclass(parent: type, **methods: Any) -> type:
    return type(f"My{parent.__name__}", (parent,), methods)


@pytest.mark.parametrize("parent", REGRESSORS)
def test_a_predict_that_doubles_is_not_certified(parent: type) -> None:
    doubled = subclass(parent, predict=lambda self, X: 2 * np.asarray(parent.predict(self, X)))
    model = doubled(**REGRESSORS[parent]).fit(X, Y)
    assert overridden(model) == ("predict",)
    with pytest.raises(gw.ParityError, match=f"{doubled.__name__}.predict is not .*'s own predict"):
        gw.read(model, X)


@pytest.mark.parametrize("parent", REGRESSORS)
def test_a_predict_that_only_prints_is_certified(parent: type) -> None:
    talking = subclass(parent, predict=lambda self, X: np.asarray(parent.predict(self, X)))
    model = talking(**REGRESSORS[parent]).fit(X, Y)
    assert gw.read(model, X) == gw.read(parent(**REGRESSORS[parent]).fit(X, Y), X)


@pytest.mark.parametrize("parent", CLASSIFIERS)
@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_labels_and_probabilities_must_be_those_of_the_trees(parent: type, method: str) -> None:
    other = subclass(parent, **{method: lambda self, X: 1 - np.asarray(getattr(parent, method)(self, X))})
    model = other(**CLASSIFIERS[parent]).fit(X, CLASSES)
    with pytest.raises(gw.ParityError, match=f"{method} is not .*'s own {method}"):
        gw.read(model, X)


def test_an_overridden_decision_function_is_found() -> None:
    parent = GradientBoostingClassifier
    other = subclass(parent, decision_function=lambda self, X: parent.decision_function(self, X) + 1)
    with pytest.raises(gw.ParityError, match="decision_function is not scikit-learn's own"):
        gw.read(other(n_estimators=3).fit(X, CLASSES), X)


def test_a_method_set_on_the_object_and_a_booster_of_ones_own_are_found() -> None:
    model = RandomForestRegressor(3).fit(X, Y)
    model.predict = lambda rows: np.zeros(len(rows))
    with pytest.raises(gw.ParityError, match=r"RandomForestRegressor\.predict is not scikit-learn's own"):
        gw.read(model, X)
    shifted = subclass(Booster, predict=lambda self, X, **options: Booster.predict(self, X, **options) + 1)
    text = LGBMRegressor(n_estimators=3, verbose=-1).fit(X, Y).booster_.model_to_string()
    with pytest.raises(gw.ParityError, match=r"MyBooster\.predict is not LightGBM's own"):
        gw.read(shifted(model_str=text), X)


def test_an_override_that_wants_more_than_the_rows_cannot_be_compared() -> None:
    picky = subclass(DecisionTreeRegressor, predict=lambda self, X, threshold: X)
    with pytest.raises(gw.ParityError, match="could not be compared with the trees"):
        gw.read(picky().fit(X, Y), X)


def test_an_explanation_refuses_it_too_and_without_rows_nothing_is_certified() -> None:
    doubled = subclass(DecisionTreeRegressor, predict=lambda self, X: 2 * DecisionTreeRegressor.predict(self, X))
    model = doubled().fit(X, Y)
    with pytest.raises(gw.ParityError, match="glasswood reads the trees"):
        gw.effects(model, X)
    assert gw.read(model).source.parity == "not checked"
    own = subclass(gw.TreeRegressor, predict=lambda self, X: 2 * gw.TreeRegressor.predict(self, X))().fit(X, Y)
    with pytest.raises(gw.UnsupportedModelError, match=r"pass X to compare them, or read model\.ensemble_"):
        gw.read(own)
    assert gw.read(own.ensemble_) is own.ensemble_


def test_methods_that_the_library_lacks_are_not_overrides() -> None:
    extended = subclass(DecisionTreeRegressor, predict_proba=lambda self, X: X)
    model = extended().fit(X, Y)
    assert overridden(model) == ()
    np.testing.assert_array_equal(library_method(model, "predict")(X), model.predict(X))

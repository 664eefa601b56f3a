"""Forests of other packages whose trees are scikit-learn's: imbalanced-learn and quantile-forest."""

from typing import Any

import numpy as np
import pytest
from imblearn.ensemble import (
    BalancedBaggingClassifier,
    BalancedRandomForestClassifier,
    EasyEnsembleClassifier,
    RUSBoostClassifier,
)
from imblearn.over_sampling import SMOTE
from imblearn.pipeline import make_pipeline
from imblearn.under_sampling import RandomUnderSampler
from lightgbm import LGBMClassifier
from quantile_forest import ExtraTreesQuantileRegressor, RandomForestQuantileRegressor
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.preprocessing import StandardScaler
from xgboost import XGBClassifier

import glasswood as gw
from tests.agreement.record import record
from tests.agreement.tables import threshold_neighbours

X, THREE = make_classification(300, 6, n_informative=4, n_classes=3, weights=[0.6, 0.25, 0.15], random_state=0)
CLASSES = {"two classes": np.where(THREE > 0, "yes", "no"), "three classes": THREE}
balanced = {"n_estimators": 5, "random_state": 0}
MODELS: dict[str, Any] = {
    "defaults": BalancedRandomForestClassifier(
        **balanced, sampling_strategy="all", replacement=True, bootstrap=False, max_depth=5
    ),
    "trees": BalancedBaggingClassifier(**balanced),
    "forests": BalancedBaggingClassifier(RandomForestClassifier(3, max_depth=3, random_state=0), **balanced),
    "boosted trees": RUSBoostClassifier(**balanced),
}


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("what", MODELS)
def test_balanced_forests_agree(what: str, classes: str) -> None:
    model = MODELS[what].fit(X, CLASSES[classes])
    ensemble = gw.read(model, X)
    for rows in (X, threshold_neighbours(ensemble, X)):
        assert gw.read(model, rows).source.parity.leaves_equal
    theirs = model.predict_proba(X)
    if what != "boosted trees":  # its raw is decision_function, as scikit-learn's AdaBoost has it
        assert np.allclose(ensemble.predict(X), theirs if theirs.shape[1] > 2 else theirs[:, 1], rtol=1e-12)
    record("imbalanced-learn", type(model).__name__, f"{what}, {classes}")


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize(
    "model", [LGBMClassifier(n_estimators=3, verbose=-1, n_jobs=1), XGBClassifier(n_estimators=3, n_jobs=1)], ids=str
)
def test_samplers_of_a_pipeline_are_passed_over(model: Any, classes: str) -> None:
    y = np.unique(CLASSES[classes], return_inverse=True)[1]
    pipeline = make_pipeline(SMOTE(random_state=0), StandardScaler(), RandomUnderSampler(random_state=0), model)
    ensemble = gw.read(pipeline.fit(X, y), X)
    assert ensemble.source.parity.leaves_equal
    record("imbalanced-learn", "Pipeline", f"samplers before a scaler and {type(model).__name__}, {classes}")


def test_a_mean_of_boosters_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="not a sum over trees; read the members from estimators_"):
        gw.read(EasyEnsembleClassifier(2, random_state=0).fit(X, THREE))
    record("imbalanced-learn", "EasyEnsembleClassifier", "a mean of boosters is not a sum over trees", "refused")


@pytest.mark.parametrize(
    ("quantiles", "plain"),
    [(RandomForestQuantileRegressor, RandomForestRegressor), (ExtraTreesQuantileRegressor, ExtraTreesRegressor)],
)
def test_a_quantile_forest_is_refused_and_the_way_out_has_the_same_trees(quantiles: Any, plain: Any) -> None:
    options = {"n_estimators": 4, "min_samples_leaf": 3, "max_features": 0.5, "random_state": 3}
    model = quantiles(**options).fit(X, X[:, 0] + X[:, 1] ** 2)
    with pytest.raises(
        gw.UnsupportedModelError, match=r"fit scikit-learn's forest with the same options and random_state"
    ):
        gw.read(model)
    forest = plain(**options).fit(X, X[:, 0] + X[:, 1] ** 2)
    assert np.array_equal(gw.read(forest, X).apply(X), model.apply(X))
    record(
        "quantile-forest",
        type(model).__name__,
        "scikit-learn's forest with the same options has the same trees",
        "refused",
    )

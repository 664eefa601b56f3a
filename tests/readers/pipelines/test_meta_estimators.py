"""Meta-estimators around one model: what is read, noted and refused."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import glasswood as gw

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(120, 2)), columns=["a", "b"])
Y = np.exp(X.a + X.b / 3).to_numpy()
forest = RandomForestRegressor(3, max_depth=3, random_state=0)


@pytest.mark.parametrize("regressor", [forest, make_pipeline(StandardScaler(), forest)], ids=["plain", "pipeline"])
def test_a_logarithm_of_the_target_is_a_link(regressor: Any) -> None:
    model = TransformedTargetRegressor(regressor, func=np.log, inverse_func=np.exp).fit(X, Y)
    ensemble = gw.read(model, X)
    assert str(ensemble.link) == "log"
    assert np.allclose(ensemble.predict(X), model.predict(X), rtol=1e-12)


def test_a_target_that_is_not_transformed_needs_no_link() -> None:
    model = TransformedTargetRegressor(forest).fit(X, Y)
    assert np.allclose(gw.read(model, X).predict(X), model.predict(X), rtol=1e-12)


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (TransformedTargetRegressor(forest, func=np.log1p, inverse_func=np.expm1), "by expm1"),
        (TransformedTargetRegressor(forest, transformer=StandardScaler()), "by StandardScaler"),
        (
            TransformedTargetRegressor(
                HistGradientBoostingRegressor(loss="poisson", max_iter=2), func=np.sqrt, inverse_func=np.exp,
                check_inverse=False,
            ),
            "without a link of its own",
        ),
    ],
    ids=["expm1", "scaler", "two links"],
)  # fmt: skip
def test_other_transforms_of_the_target_are_refused(model: Any, why: str) -> None:
    with pytest.raises(gw.UnsupportedModelError, match=why):
        gw.read(model.fit(X, Y))


def test_calibration_is_noted_and_raw_is_that_of_the_classifier() -> None:
    y = (X.a > 0).astype(int)
    inside = HistGradientBoostingClassifier(max_iter=3).fit(X, y)
    model = CalibratedClassifierCV(FrozenEstimator(inside), ensemble=False, method="isotonic").fit(X, y)
    ensemble = gw.read(model, X)
    assert ensemble == gw.read(inside)
    assert ensemble.source.notes[-1] == (
        "raw and predictions are those before the calibration (isotonic) of CalibratedClassifierCV"
    )


def test_a_mean_of_calibrated_classifiers_is_refused() -> None:
    model = CalibratedClassifierCV(DecisionTreeClassifier(max_depth=2), cv=2).fit(X, X.a > 0)
    with pytest.raises(gw.UnsupportedModelError, match=r"averages 2 classifiers.*ensemble=False"):
        gw.read(model)


def test_meta_estimators_that_are_not_fitted_are_refused() -> None:
    for model in (TransformedTargetRegressor(forest), CalibratedClassifierCV(), GridSearchCV(forest, {})):
        with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
            gw.read(model)

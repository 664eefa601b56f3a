"""Meta-estimators around one model: what is read, noted and refused."""

import re
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
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, PowerTransformer, RobustScaler, StandardScaler
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
    "transformer",
    [
        StandardScaler(),
        StandardScaler(with_mean=False),
        StandardScaler(with_std=False),
        RobustScaler(),
        RobustScaler(with_centering=False),
        RobustScaler(with_scaling=False),
        MaxAbsScaler(),
        MinMaxScaler((3, 9)),
    ],
    ids=str,
)
def test_a_scaled_target_is_read_on_its_own_scale(transformer: Any) -> None:
    model = TransformedTargetRegressor(make_pipeline(StandardScaler(), forest), transformer=transformer)
    model.fit(X, 1e3 * Y + 1e6)
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal
    assert np.allclose(ensemble.predict(X), model.predict(X), rtol=1e-12)
    assert "on the scale of y" in ensemble.source.notes[-1]


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (TransformedTargetRegressor(forest, func=np.log1p, inverse_func=np.expm1), "turns it back by expm1"),
        (TransformedTargetRegressor(forest, transformer=PowerTransformer()), "turns it back by PowerTransformer"),
        (
            TransformedTargetRegressor(
                HistGradientBoostingRegressor(loss="poisson", max_iter=2), func=np.sqrt, inverse_func=np.exp,
                check_inverse=False,
            ),
            "turns it back by exp",
        ),
    ],
    ids=["expm1", "powers", "two links"],
)  # fmt: skip
def test_of_other_transforms_of_the_target_raw_is_read_and_predict_refused(model: Any, why: str) -> None:
    ensemble = gw.read(model.fit(X, Y), X)
    assert why in ensemble.source.notes[-1]
    assert np.array_equal(ensemble.predict_raw(X), gw.read(model.regressor_).predict_raw(X))
    with pytest.raises(gw.UnsupportedModelError, match="use predict_raw"):
        ensemble.predict(X)


def test_a_sigmoid_calibration_is_stated_with_what_it_found() -> None:
    y = (X.a + rng.normal(size=len(X)) > 0).astype(int)
    inside = DecisionTreeClassifier(max_depth=3).fit(X, y)
    model = CalibratedClassifierCV(FrozenEstimator(inside), ensemble=False, method="sigmoid").fit(X, y)
    note = gw.read(model).source.notes[-1]
    found = re.search(r"\(sigmoid: 1 / \(1 \+ exp\((\S+)·f ([+−]) (\S+?)\)\)\)", note)
    assert found is not None
    a, b = float(found[1]), float(found[2].replace("−", "-") + found[3])
    assert np.allclose(1 / (1 + np.exp(a * inside.predict_proba(X)[:, 1] + b)), model.predict_proba(X)[:, 1], rtol=1e-4)


def test_raw_before_a_calibration_is_read_and_predict_refused() -> None:
    y = (X.a > 0).astype(int)
    inside = HistGradientBoostingClassifier(max_iter=3).fit(X, y)
    model = CalibratedClassifierCV(FrozenEstimator(inside), ensemble=False, method="isotonic").fit(X, y)
    ensemble = gw.read(model, X)
    assert np.array_equal(ensemble.predict_raw(X), gw.read(inside).predict_raw(X))
    steps = len(np.unique(model.predict_proba(X)[:, 1]))
    assert ensemble.source.notes[-1] == (
        f"raw is that of the classifier inside, before the calibration (isotonic: {steps} steps) of "
        "CalibratedClassifierCV, so predict is refused"
    )
    with pytest.raises(gw.UnsupportedModelError, match=r"^raw is that of the classifier inside.*use predict_raw"):
        ensemble.predict(X)


def test_a_mean_of_calibrated_classifiers_is_refused() -> None:
    model = CalibratedClassifierCV(DecisionTreeClassifier(max_depth=2), cv=2).fit(X, X.a > 0)
    with pytest.raises(gw.UnsupportedModelError, match=r"averages 2 classifiers.*ensemble=False"):
        gw.read(model)


def test_meta_estimators_that_are_not_fitted_are_refused() -> None:
    for model in (TransformedTargetRegressor(forest), CalibratedClassifierCV(), GridSearchCV(forest, {})):
        with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
            gw.read(model)

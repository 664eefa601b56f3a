"""Boosting with scikit-learn: pipelines, searches, calibration, routing and copies, in everyday use."""

import copy
import io
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import AdaBoostClassifier, StackingRegressor, VotingClassifier
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import glasswood as gw
from glasswood.errors import GlasswoodWarning

RNG = np.random.default_rng(0)
N = 120
FRAME = pd.DataFrame(
    {
        "x": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
        "kind": pd.Categorical(RNG.choice(list("abc"), N)),
        "text": RNG.choice(["u", "v"], N),
    }
)
Y = FRAME["x"].fillna(1.0) + 2.0 * (FRAME["kind"] == "a") + 0.1 * RNG.normal(size=N)
TWO = np.where(Y > 0.5, "high", "low")
THREE = pd.qcut(Y, 3, labels=["low", "middle", "high"])


def regressor(loss: Any = "squared_error", **options: Any) -> Any:
    return gw.BoostingRegressor(loss, n_estimators=20, max_depth=3, **options)


def classifier(**options: Any) -> Any:
    return gw.BoostingClassifier(n_estimators=10, max_depth=2, **options)


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_a_pipeline_hands_frames_with_categories_on(output: str) -> None:
    frame: Any = FRAME if output == "pandas" else pl.from_pandas(FRAME)
    parts = [("number", StandardScaler(), ["x"]), ("rest", "passthrough", ["kind", "text"])]
    columns = ColumnTransformer(parts, verbose_feature_names_out=False).set_output(transform=output)
    model = make_pipeline(columns, regressor()).fit(frame, Y)
    assert model.score(frame, Y) > 0.8
    features = model[-1].ensemble_.features
    assert features.names == ("x", "kind", "text")
    assert features.categories == (None, ("a", "b", "c"), ("u", "v"))


def test_a_search_over_two_processes_finds_what_one_finds() -> None:
    grid = {"max_depth": [1, 3]}
    found = [GridSearchCV(regressor(), grid, cv=2, n_jobs=n_jobs).fit(FRAME, Y) for n_jobs in (1, 2)]
    assert found[0].best_params_ == found[1].best_params_
    np.testing.assert_array_equal(found[0].predict(FRAME), found[1].predict(FRAME))


def test_classes_are_predicted_across_folds_and_calibrated() -> None:
    share = cross_val_predict(classifier(), FRAME, THREE, method="predict_proba", cv=3)
    np.testing.assert_allclose(share.sum(axis=1), 1.0)
    assert cross_val_predict(classifier(), FRAME, TWO, method="decision_function", cv=3).shape == (N,)
    for target in (TWO, THREE):
        calibrated = CalibratedClassifierCV(classifier(), cv=3).fit(FRAME, target, sample_weight=np.ones(N))
        assert calibrated.score(FRAME, target) > 0.8


def test_copies_of_every_kind_are_equal() -> None:
    model = classifier(monotonic_cst={"x": 1}, random_state=0).fit(FRAME, THREE)
    again = clone(model).fit(FRAME, THREE)
    assert again.ensemble_ == model.ensemble_ == copy.deepcopy(model).ensemble_
    file = io.BytesIO()
    joblib.dump(model, file, compress=3)
    file.seek(0)
    read = joblib.load(file)
    np.testing.assert_array_equal(read.predict(FRAME), model.predict(FRAME))
    read.set_params(warm_start=True, n_estimators=12).fit(FRAME, THREE)
    whole = clone(model).set_params(n_estimators=12).fit(FRAME, THREE)
    assert read.ensemble_ == whole.ensemble_


def test_parameters_are_set_by_name() -> None:
    model = regressor().set_params(loss="absolute_error", max_depth=2)
    assert (model.loss, model.max_depth) == ("absolute_error", 2)
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        model.set_params(depth=3)


def test_weights_and_offsets_are_routed() -> None:
    weight, offset = RNG.random(N) + 0.5, RNG.normal(size=N)
    counts = RNG.poisson(np.exp(offset))
    with sklearn.config_context(enable_metadata_routing=True):
        model = regressor("poisson").set_fit_request(sample_weight=True, offset=True)
        model.set_predict_request(offset=True).set_score_request(sample_weight=True)
        routed: dict[str, Any] = {"sample_weight": weight, "offset": offset}
        scores = cross_val_score(model, FRAME, counts, params=routed, cv=3)
        assert np.all(np.isfinite(scores))
        line = make_pipeline(model).fit(FRAME, counts, **routed)
        alone = regressor("poisson").fit(FRAME, counts, **routed)
        np.testing.assert_array_equal(line.predict(FRAME, offset=offset), alone.predict(FRAME, offset=offset))
        two = classifier().set_fit_request(offset=True).set_predict_proba_request(offset=True)
        share = make_pipeline(two).fit(FRAME, TWO, offset=offset).predict_proba(FRAME, offset=offset)
        np.testing.assert_allclose(share.sum(axis=1), 1.0)


def test_others_build_on_it() -> None:
    pair = [("newton", classifier()), ("welch", classifier(gain="welch"))]
    assert VotingClassifier(pair, voting="soft").fit(FRAME, TWO).score(FRAME, TWO) > 0.9
    stack = StackingRegressor([("mean", regressor()), ("median", regressor("absolute_error"))], regressor(), cv=3)
    assert stack.fit(FRAME, Y).score(FRAME, Y) > 0.7
    logged = TransformedTargetRegressor(regressor(), func=np.log1p, inverse_func=np.expm1).fit(FRAME, Y - Y.min())
    assert logged.score(FRAME, Y - Y.min()) > 0.7
    model = regressor().fit(FRAME, Y)
    assert permutation_importance(model, FRAME, Y, n_repeats=2, random_state=0).importances_mean.argmin() == 2
    assert partial_dependence(model, FRAME, ["kind"], categorical_features=["kind"])["average"].argmax() == 0


def test_weights_that_sum_to_one_are_reported() -> None:
    x = FRAME[["x"]].fillna(1.0)
    with pytest.warns(GlasswoodWarning, match="sample_weight sums to 1, too little"):
        AdaBoostClassifier(classifier(), n_estimators=1).fit(x, TWO)
    assert AdaBoostClassifier(classifier(min_weight_leaf=0.01), n_estimators=2).fit(x, TWO).score(x, TWO) > 0.7


def test_a_warning_points_to_the_line_that_fits() -> None:
    with pytest.warns(GlasswoodWarning, match="share a bin") as caught:
        regressor(max_bins=2).fit(FRAME[["kind"]], Y)
    assert [one.filename for one in caught] == [__file__]


def test_levels_never_seen_and_columns_in_another_order() -> None:
    model = regressor().fit(FRAME, Y)
    strange = FRAME.assign(kind=pd.Categorical(["q"] * N), text="w")
    assert np.all(np.isfinite(model.predict(strange)))
    turned = FRAME.assign(kind=FRAME["kind"].cat.reorder_categories(list("cab")))
    np.testing.assert_array_equal(model.predict(turned), model.predict(FRAME))
    with pytest.raises(ValueError, match="same order as they were in fit"):
        model.predict(FRAME[["text", "x", "kind"]])
    table = [(FRAME[["text", "x", "kind"]], Y)]
    again = regressor().fit(FRAME, Y, eval_set=table)
    np.testing.assert_array_equal(
        again.history_.of("eval0", "squared_error"), again.history_.of("train", "squared_error")
    )


@pytest.mark.parametrize("kind", ["nullable", "pyarrow", "polars", "categorical", "enum"])
def test_frames_of_every_kind_give_one_model(kind: str) -> None:
    plain = FRAME.assign(kind=FRAME["kind"].astype(str))
    plain.loc[::7, "kind"] = None
    text = pl.from_pandas(plain).with_columns(pl.col("x").fill_nan(None))
    frames: dict[str, Any] = {
        "nullable": plain.convert_dtypes(),
        "pyarrow": plain.convert_dtypes(dtype_backend="pyarrow"),
        "polars": text,
        "categorical": text.with_columns(pl.col("kind", "text").cast(pl.Categorical)),
        "enum": text.with_columns(pl.col("kind").cast(pl.Enum(["a", "b", "c"]))),
    }
    one, other = regressor().fit(plain, Y), regressor().fit(frames[kind], Y.to_numpy())
    np.testing.assert_array_equal(other.predict(frames[kind]), one.predict(plain))

"""BoostingRegressor: scikit-learn's checks, every loss, offsets, early stopping, continued fits."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

import glasswood as gw
from glasswood.errors import OptionError, TableError


@parametrize_with_checks([gw.BoostingRegressor(), gw.BoostingClassifier()])
def test_scikit_learn_agrees(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("gain", ["newton", "cred_std", "welch"])
def test_it_is_as_good_as_histogram_boosting(gain: Any) -> None:
    options: Any = {"max_depth": 3, "learning_rate": 0.1}
    X, y = load_diabetes(return_X_y=True)
    ours = cross_val_score(gw.BoostingRegressor(gain=gain, n_estimators=60, **options), X, y, cv=5).mean()
    theirs = cross_val_score(HistGradientBoostingRegressor(max_iter=60, **options), X, y, cv=5).mean()
    assert ours > theirs - 0.04


def test_classes_are_separated_as_well_as_by_histogram_boosting() -> None:
    options: Any = {"max_depth": 3, "learning_rate": 0.1}
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_score(gw.BoostingClassifier(n_estimators=60, **options), X, y, cv=4).mean()
    theirs = cross_val_score(HistGradientBoostingClassifier(max_iter=60, **options), X, y, cv=4).mean()
    assert ours > theirs - 0.02


def test_stages_end_in_the_prediction() -> None:
    X, y = load_iris(return_X_y=True)
    model = gw.BoostingClassifier(n_estimators=7, max_depth=2).fit(X, y)
    stages = list(model.staged_predict_proba(X))
    assert len(stages) == 7
    np.testing.assert_array_equal(stages[-1], model.predict_proba(X))
    np.testing.assert_array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    X, y = load_diabetes(return_X_y=True)
    regressor = gw.BoostingRegressor("poisson", n_estimators=7, max_depth=2).fit(X, y)
    np.testing.assert_allclose(list(regressor.staged_predict(X))[-1], regressor.predict(X), rtol=1e-14)


def test_exposure_goes_in_as_an_offset() -> None:
    rng = np.random.default_rng(0)
    X, exposure = rng.normal(size=(500, 2)), rng.random(500) + 0.2
    y = rng.poisson(exposure * np.exp(X[:, 0]))
    model = gw.BoostingRegressor("poisson", n_estimators=30).fit(X, y, offset=np.log(exposure))
    np.testing.assert_allclose(model.predict(X, offset=np.log(exposure)), exposure * model.predict(X), rtol=1e-12)
    assert model.predict(X, offset=np.log(exposure)).sum() == pytest.approx(y.sum(), rel=0.02)
    with pytest.raises(TableError, match="offset has 3 values"):
        model.fit(X, y, offset=[1, 2, 3])


def test_early_stopping_watches_the_first_evaluation_table() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 4))
    y = rng.integers(0, 3, 300)
    model = gw.BoostingClassifier(early_stopping=True, n_iter_no_change=3, metrics=["accuracy"])
    model.fit(X[:200], y[:200], eval_set=[(X[200:], y[200:]), (X[:50], y[:50], np.ones(50))])
    assert model.history_.tables == ("train", "eval0", "eval1")
    best = model.history_.of("eval0", "softmax").argmin() + 1
    assert model.history_.best_round == best and model.ensemble_.n_trees == 3 * best
    regressor = gw.BoostingRegressor(early_stopping=True, random_state=0).fit(X, y)
    assert regressor.history_.tables == ("train", "validation")
    with pytest.raises(TableError, match="class 7, which training never saw"):
        model.fit(X[:200], y[:200], eval_set=(X[200:], np.full(100, 7)))


def test_warm_start_continues() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = gw.BoostingClassifier(n_estimators=3, warm_start=True, subsample=0.5, random_state=3).fit(X, y)
    model.set_params(n_estimators=6).fit(X, y)
    whole = gw.BoostingClassifier(n_estimators=6, subsample=0.5, random_state=3).fit(X, y)
    assert model.ensemble_ == whole.ensemble_
    assert model.fit(X, y).ensemble_.n_trees == 6
    with pytest.raises(OptionError, match="less than the 6 rounds"):
        model.set_params(n_estimators=4).fit(X, y)
    with pytest.raises(TableError, match="warm_start cannot continue"):
        model.fit(X[:, :5], y)


def test_frames_categories_and_missing_values() -> None:
    import pandas as pd
    import polars as pl

    rng = np.random.default_rng(2)
    kind = rng.choice(["a", "b", "c", None], 400)
    x = np.where(rng.random(400) < 0.2, np.nan, rng.normal(size=400))
    y = np.select([kind == "a", kind == "b"], [5.0, -5.0], 0.0) + np.where(np.isnan(x), 3.0, 0.0)
    frame = pd.DataFrame({"kind": kind, "x": x})
    model = gw.BoostingRegressor(n_estimators=80, learning_rate=0.3).fit(frame, y)
    assert model.score(frame, y) > 0.99
    np.testing.assert_array_equal(model.predict(pl.DataFrame({"x": x, "kind": kind})[:, [1, 0]]), model.predict(frame))
    assert model.feature_importances_.sum() == pytest.approx(1)
    codes = np.column_stack([np.array([{"a": 9, "b": 4, "c": 7, None: 2}[k] for k in kind]), x])
    coded = gw.BoostingRegressor(n_estimators=80, learning_rate=0.3, categorical_features=[0]).fit(codes, y)
    assert coded.score(codes, y) > 0.99
    assert coded.ensemble_.features.categories[0] == (2.0, 4.0, 7.0, 9.0)


def test_a_model_survives_a_pickle_and_any_number_of_jobs() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = gw.BoostingRegressor(n_estimators=5, subsample=0.7, random_state=1).fit(X, y)
    assert pickle.loads(pickle.dumps(model)).ensemble_ == model.ensemble_
    assert gw.BoostingRegressor(n_estimators=5, subsample=0.7, random_state=1, n_jobs=3).fit(X, y).ensemble_ == (
        model.ensemble_
    )


@pytest.mark.parametrize(
    ("change", "y", "message"),
    [
        ({}, [1.0, np.nan, 2.0], "y is missing in row 1"),
        ({}, [1.0, np.inf, 2.0], "y is infinite in row 1"),
        ({"loss": "poisson"}, [1.0, -1.0, 2.0], "found -1 in row 1"),
        ({"loss": "gamma"}, [1.0, 0.0, 2.0], "found 0 in row 1"),
        ({"loss": "logistic"}, [1.0, 0.0, 2.0], "loss must be one of"),
        ({"gain": "gini"}, [1.0, 0.0, 2.0], "gain must be one of"),
        ({"monotonic_cst": [1, 1]}, [1.0, 0.0, 2.0], "2 entries for 1 features"),
        ({"early_stopping": True}, [1.0, 0.0, 2.0], "validation_fraction"),
    ],
)
def test_bad_input_is_named(change: dict[str, Any], y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gw.BoostingRegressor(**change).fit(np.arange(3.0)[:, None], y)


def test_progress_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    gw.BoostingRegressor(n_estimators=2).fit([[0.0], [1.0]], [0.0, 1.0], progress=True)
    assert "2/2" in capsys.readouterr().err


def test_an_interrupt_leaves_the_last_fit_in_place() -> None:
    class Stops:
        def gradient_hessian(self, y: Any, raw: Any) -> Any:
            raise KeyboardInterrupt

    model = gw.BoostingRegressor(n_estimators=2).fit([[0.0], [1.0]], [0.0, 1.0])
    before = model.ensemble_
    with pytest.raises(KeyboardInterrupt):
        model.set_params(loss=Stops()).fit([[0.0], [1.0]], [0.0, 1.0])
    assert model.ensemble_ is before


@pytest.mark.serial
@pytest.mark.parametrize("at", [1, 100])
def test_control_c_ends_a_round_and_leaves_the_last_fit_in_place(control_c: Callable[[int], None], at: int) -> None:
    X = np.random.default_rng(0).random((60_000, 80), dtype=np.float32)
    model = gw.BoostingRegressor(n_estimators=1, max_depth=1).fit(X[:100], X[:100, 0])
    before = model.ensemble_
    control_c(at)
    with pytest.raises(KeyboardInterrupt):
        model.set_params(n_estimators=100_000, max_depth=None, colsample=1.0).fit(X, X[:, 0] * X[:, 1])
    assert model.ensemble_ is before


@pytest.mark.parametrize("statistics", ["exact", "quantised"])
@pytest.mark.parametrize("gain", ["newton", "cred_var", "cred_std", "welch"])
def test_tables_without_information_give_the_mean(gain: Any, statistics: Any) -> None:
    options: Any = {"gain": gain, "statistics": statistics, "n_estimators": 3}
    X = np.arange(6.0)[:, None]
    assert np.all(gw.BoostingRegressor(**options).fit(X, np.full(6, 2.5)).predict(X) == 2.5)
    assert gw.BoostingRegressor(**options).fit(X[:1], [4.0]).predict(X[:1])[0] == 4.0
    constant = gw.BoostingRegressor(**options).fit(np.ones((6, 2)), X[:, 0])
    np.testing.assert_allclose(constant.predict(np.ones((1, 2))), 2.5)
    np.testing.assert_allclose(
        gw.BoostingClassifier(**options).fit(np.ones((4, 1)), [0, 1, 1, 1]).predict_proba([[1.0]]), [[0.25, 0.75]]
    )


def test_rows_without_weight_do_not_count() -> None:
    X, y = load_diabetes(return_X_y=True)
    weight = np.ones(len(y))
    weight[::3] = 0.0
    spoilt = np.where(weight > 0, y, 1e9)
    some = gw.BoostingRegressor(n_estimators=5).fit(X[weight > 0], y[weight > 0])
    np.testing.assert_allclose(
        gw.BoostingRegressor(n_estimators=5).fit(X, spoilt, sample_weight=weight).predict(X), some.predict(X), rtol=1e-9
    )
    with pytest.raises(TableError, match="zero in every row"):
        gw.BoostingRegressor().fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(TableError, match="sample_weight"):
        gw.BoostingRegressor().fit(X, y, sample_weight=-np.ones(len(y)))


@pytest.mark.parametrize(
    ("gain", "scale"),  # credibility has a smallest variance of 2.2e-16, so tiny targets have no noise
    [("newton", 1e-30), ("newton", 1e30), ("welch", 1e-30), ("welch", 1e30), ("cred_std", 1e30), ("cred_var", 1e30)],
)
def test_the_scale_of_the_target_does_not_matter_without_a_ridge(gain: Any, scale: float) -> None:
    X, y = load_diabetes(return_X_y=True)
    options: Any = {"gain": gain, "n_estimators": 3, "l2": 0.0, "max_depth": 3}
    small, large = gw.BoostingRegressor(**options).fit(X, y), gw.BoostingRegressor(**options).fit(X, y * scale)
    np.testing.assert_allclose(large.predict(X), small.predict(X) * scale, rtol=1e-6)


def test_several_metrics_are_kept_and_drawn() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = gw.BoostingRegressor(n_estimators=4, metrics=["rmse", "mae"]).fit(
        X[:300], y[:300], eval_set=[(X[300:], y[300:])]
    )
    assert model.history_.metrics == ("squared_error", "rmse", "mae")
    assert model.history_.values.shape == (4, 2, 3)
    for metric in model.history_.metrics:
        assert len(model.history_.plot(metric=metric).lines) >= 2

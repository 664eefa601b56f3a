"""Every estimator behaves like those of scikit-learn."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import glasswood as gw
from glasswood.errors import OptionError, TableError, UnsupportedModelError

DRAWS_ROWS = {f"check_sample_weight_equivalence_on_{kind}_data": "rows are drawn" for kind in ("dense", "sparse")}
ESTIMATORS = [
    gw.TreeRegressor(),
    gw.TreeClassifier(),
    gw.TreeClassifier(criterion="entropy"),
    gw.ForestRegressor(5),
    gw.ForestClassifier(5),
    gw.ForestRegressor(5, splits="quantile"),
    gw.ForestClassifier(5, splits="quantile"),
    gw.ForestRegressor(3, bootstrap=False),
    gw.ForestClassifier(3, bootstrap=False, splits="quantile"),
]
CLASSIFIERS = [e for e in ESTIMATORS if hasattr(e, "predict_proba")]


def colours(n: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    colour = rng.choice(["blue", "green", "red", "teal"], n)
    size = rng.normal(size=n)
    size[::7] = np.nan
    y = np.isin(colour, ["blue", "red"]).astype(int)
    return pd.DataFrame({"size": size, "colour": colour}), y


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_scikit_learns_checks_pass(estimator: object) -> None:
    allowed = DRAWS_ROWS if getattr(estimator, "bootstrap", False) else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_estimator(estimator, expected_failed_checks=allowed, on_skip=None)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_frames_of_every_kind_give_the_same_model(estimator: object) -> None:
    X, y = colours()
    fitted = [
        clone(estimator).set_params(random_state=0).fit(frame, y)
        for frame in (X, pl.from_pandas(X), pa.Table.from_pandas(X))
    ]
    assert all(np.array_equal(fitted[0].predict(X), other.predict(X)) for other in fitted[1:])
    assert list(fitted[0].feature_names_in_) == ["size", "colour"]
    assert fitted[0].ensemble_.features.categories[1] == ("blue", "green", "red", "teal")


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=repr)
def test_levels_are_split_as_a_set(estimator: object) -> None:
    X, y = colours()
    fitted = clone(estimator).set_params(max_depth=1, random_state=0, max_features=None).fit(X, y)
    assert fitted.score(X, y) == 1.0


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_a_fitted_estimator_survives_pickling_and_is_read(estimator: object) -> None:
    X, y = colours()
    fitted = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.ensemble_ == fitted.ensemble_
    assert gw.read(fitted, X) is fitted.ensemble_
    assert fitted.ensemble_.source.model == type(estimator).__name__


def test_an_unfitted_estimator_is_not_read() -> None:
    with pytest.raises(UnsupportedModelError, match="not fitted"):
        gw.read(gw.TreeClassifier())


def test_estimators_work_in_pipelines_and_grids() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    pipeline = make_pipeline(StandardScaler(), gw.ForestClassifier(5, random_state=0))
    grid = GridSearchCV(pipeline, {"forestclassifier__max_depth": [1, 3]}, cv=2).fit(X, y)
    assert grid.best_estimator_.predict(X).shape == (80,)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_the_seed_decides_everything_and_the_global_state_nothing(estimator: object) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 4)), rng.integers(0, 2, 50)
    before = np.random.mtrand._rand.get_state()[1].copy()
    fits = [clone(estimator).set_params(random_state=7, n_jobs=n).fit(X, y) for n in (1, 2)]
    clone(estimator).set_params(random_state=None).fit(X, y)
    assert fits[0].ensemble_ == fits[1].ensemble_
    assert np.array_equal(before, np.random.mtrand._rand.get_state()[1])
    for state in (np.random.RandomState(0), np.random.default_rng(0)):
        clone(estimator).set_params(random_state=state).fit(X, y)


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if not getattr(e, "bootstrap", False)], ids=repr)
def test_a_weight_is_a_number_of_rows(estimator: object) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 6, size=(80, 3)).astype(np.float64), rng.integers(0, 3, 80)
    X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.integers(0, 4, 80)
    weighted = clone(estimator).set_params(random_state=0).fit(X, y, weight)
    repeated = clone(estimator).set_params(random_state=0).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    for name in ("feature", "threshold", "missing_left", "left", "right"):
        np.testing.assert_array_equal(getattr(weighted.ensemble_, name), getattr(repeated.ensemble_, name))
    np.testing.assert_allclose(weighted.ensemble_.value, repeated.ensemble_.value, rtol=1e-12, atol=1e-12)


def test_balanced_classes_weigh_the_same() -> None:
    X, y = np.array([[0.0], [0.0], [0.0], [0.0]]), [0, 0, 0, 1]
    tree = gw.TreeClassifier(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(tree.predict_proba([[0.0]]), [[0.5, 0.5]])
    tree = gw.TreeClassifier(class_weight="balanced").fit(X[:2], [0, 1], sample_weight=[3, 1])
    np.testing.assert_allclose(tree.predict_proba([[0.0]]), [[0.5, 0.5]])
    tree = gw.TreeClassifier(class_weight={0: 1, 1: 9}).fit(X, y)
    np.testing.assert_allclose(tree.predict_proba([[0.0]]), [[0.25, 0.75]])


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize(("bad", "message"), [(np.nan, "missing in row 2"), (np.inf, "infinite in row 2")])
def test_a_target_that_is_not_a_number_is_reported_with_its_row(estimator: object, bad: float, message: str) -> None:
    with pytest.raises(TableError, match=message):
        clone(estimator).fit(np.zeros((3, 1)), [0.0, 1.0, bad])


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_one_row_one_class_and_constant_features_give_a_leaf(estimator: object) -> None:
    for X, y in ((np.ones((1, 2)), [3]), (np.arange(6.0).reshape(3, 2), [3, 3, 3]), (np.ones((3, 2)), [3, 3, 3])):
        fitted = clone(estimator).fit(X, y)
        assert np.all(fitted.predict(X) == 3)
        assert np.all(np.diff(fitted.ensemble_.tree_start) == 1)


def test_text_is_not_a_regression_target() -> None:
    with pytest.raises(TableError, match="must be numbers"):
        gw.TreeRegressor().fit(np.zeros((2, 1)), ["a", "b"])


def test_a_table_without_rows_or_columns_is_refused() -> None:
    with pytest.raises(TableError, match="0 sample"):
        gw.TreeRegressor().fit(np.zeros((0, 2)), [])
    with pytest.raises(TableError, match="0 feature"):
        gw.TreeRegressor().fit(np.zeros((2, 0)), [1.0, 2.0])


@pytest.mark.parametrize(
    "estimator",
    [
        gw.TreeClassifier(),
        gw.ForestClassifier(5),
        gw.SirusClassifier(20, p0=0.0),
        gw.BoostingClassifier(n_estimators=2),
    ],
    ids=repr,
)
def test_a_fit_that_fails_leaves_the_last_one_whole(estimator: object) -> None:
    X, y = colours()
    model = clone(estimator).fit(X, y)
    before = dict(vars(model))
    with pytest.raises(TableError, match="sample_weight"):
        model.fit(np.zeros((60, 5)), np.where(y, "a", "b"), sample_weight=-np.ones(60))
    assert vars(model).keys() == before.keys() and all(vars(model)[name] is value for name, value in before.items())


@pytest.mark.parametrize("seed", ["a", 1.5])
def test_a_seed_must_be_a_whole_number(seed: object) -> None:
    with pytest.raises(OptionError, match="random_state must be an integer"):
        gw.ForestClassifier(2, random_state=seed).fit(*colours())


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_fitted_attributes_do_not_exist_before_fitting(estimator: object) -> None:
    for name in ("feature_importances_", "estimators_samples_"):
        if hasattr(type(estimator), name):
            with pytest.raises(NotFittedError):
                getattr(clone(estimator), name)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_a_single_weight_is_that_of_every_row(estimator: object) -> None:
    X, y = np.arange(8.0)[:, None], [0, 0, 0, 1, 1, 0, 1, 1]
    estimator = clone(estimator).set_params(random_state=0)
    expected = clone(estimator).fit(X, y, sample_weight=np.full(8, 2.0)).ensemble_
    for weight in (2, 2.0, np.int64(2), np.float32(2)):
        found = clone(estimator).fit(X, y, sample_weight=weight).ensemble_
        np.testing.assert_array_equal(found.weight, expected.weight)
    for weight, message in ((-1.0, "negative"), (np.nan, "missing"), (np.inf, "infinite"), (np.array(2.0), "single")):
        with pytest.raises(TableError, match=f"sample_weight .*{message}"):
            clone(estimator).fit(X, y, sample_weight=weight)

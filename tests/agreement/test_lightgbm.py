"""LightGBM: the same leaves and the same raw as the library, from boosters, wrappers and text files."""

import dataclasses
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import joblib
import lightgbm as lgb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.readers import lightgbm
from tests.agreement.opened_files import agreeing_file
from tests.agreement.record import record
from tests.agreement.tables import mixed_frame, signal, threshold_neighbours

QUIET: dict[str, Any] = {"verbose": -1, "num_threads": 1, "seed": 1}
SMALL: dict[str, Any] = {
    **QUIET,
    "num_leaves": 12,
    "min_data_in_leaf": 3,
    "min_data_per_group": 3,
    "cat_smooth": 1.0,
    "max_cat_to_onehot": 2,
}
FOREST: dict[str, Any] = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}
CATEGORIES = ["colour", "code", "flag"]


def categories(frame: pd.DataFrame) -> pd.DataFrame:
    """Text, integers with gaps and booleans as pandas categories."""
    return frame.astype(dict.fromkeys(CATEGORIES, "category"))


def numbers(frame: pd.DataFrame) -> np.ndarray:
    return frame.drop(columns="colour").to_numpy(dtype=np.float64)


TRAIN = mixed_frame(500, seed=0)
FRESH = mixed_frame(300, seed=1, unseen=True)
Y = signal(TRAIN, seed=0)
POSITIVE = np.exp(Y / 3)
BINARY = (np.median(Y) < Y).astype(int)
CLASS = np.digitize(Y, np.quantile(Y, [0.3, 0.6]))
GROUPS = [50] * 10


def booster(params: dict[str, Any], y: np.ndarray, X: Any = None, rounds: int = 12, **dataset: Any) -> lgb.Booster:
    table = categories(TRAIN) if X is None else X
    return lgb.train({**SMALL, **params}, lgb.Dataset(table, y, **dataset), rounds)


def assert_agreement(model: Any, X: Any, *, averaged: int = 1) -> gw.Ensemble:
    """Check the certificate, and compare once more with the library called with the user's own table."""
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal is True
    own = getattr(model, "booster_", model)
    leaves = own.predict(X, pred_leaf=True)
    np.testing.assert_array_equal(ensemble.apply(X), leaves.reshape(len(leaves), -1))
    magnitude = dataclasses.replace(ensemble, value=np.abs(ensemble.value))
    difference = np.abs(ensemble.predict_raw(X) - own.predict(X, raw_score=True) / averaged)
    assert np.all(difference <= 1e-12 * magnitude.predict_raw(X))
    return ensemble


def assert_on_thresholds(model: Any, X: Any) -> None:
    ensemble = gw.read(model)
    beside = threshold_neighbours(ensemble, X)
    assert len(beside) > 50
    assert gw.read(model, beside).source.parity.leaves_equal is True


def assert_file_holds_the_same(model: Any, folder: Path) -> None:
    own = getattr(model, "booster_", model)
    own.save_model(str(folder / "model.txt"))
    assert gw.read(folder / "model.txt") == gw.read(model) == gw.read(own)


def assert_file_agrees(model: Any, folder: Path, X: Any) -> None:
    assert_file_holds_the_same(model, folder)
    agreeing_file(lightgbm, folder / "model.txt", X)


def assert_read_file_agrees(model: Any, folder: Path, X: Any) -> None:
    assert_file_holds_the_same(model, folder)
    assert gw.read(folder / "model.txt", X).source.parity.leaves_equal is True


OBJECTIVES: list[tuple[dict[str, Any], np.ndarray]] = [
    ({"objective": "regression"}, Y),
    ({"objective": "regression_l1"}, Y),
    ({"objective": "huber"}, Y),
    ({"objective": "fair"}, Y),
    ({"objective": "quantile", "alpha": 0.3}, Y),
    ({"objective": "mape"}, Y),
    ({"objective": "poisson"}, POSITIVE),
    ({"objective": "gamma"}, POSITIVE),
    ({"objective": "tweedie"}, POSITIVE),
    ({"objective": "binary"}, BINARY),
    ({"objective": "binary", "sigmoid": 2.0}, BINARY),
    ({"objective": "cross_entropy"}, BINARY),
    ({"objective": "multiclass", "num_class": 3}, CLASS),
    ({"objective": "multiclassova", "num_class": 3, "sigmoid": 0.7}, CLASS),
    ({"objective": "lambdarank"}, CLASS),
    ({"objective": "rank_xendcg"}, CLASS),
]


@pytest.mark.parametrize(("params", "y"), OBJECTIVES, ids=[str(p["objective"]) for p, _ in OBJECTIVES])
def test_every_objective_agrees(params: dict[str, Any], y: np.ndarray, tmp_path: Path) -> None:
    model = booster(params, y, group=GROUPS if "rank" in params["objective"] else None)
    X = categories(FRESH)
    ensemble = assert_agreement(model, X)
    assert_on_thresholds(model, categories(TRAIN))
    assert_file_agrees(model, tmp_path, X)
    np.testing.assert_allclose(ensemble.predict(X), model.predict(X), rtol=1e-12, atol=1e-12)
    record("lightgbm", "gbdt", params["objective"])


@pytest.mark.parametrize(
    ("params", "y"),
    [
        ({"objective": "regression", "reg_sqrt": True}, POSITIVE),
        ({"objective": "cross_entropy_lambda"}, BINARY),
        ({"objective": lambda raw, data: (raw - data.get_label(), np.ones(len(raw)))}, Y),
    ],
    ids=["sqrt", "cross_entropy_lambda", "custom"],
)
def test_an_objective_with_an_unknown_link_has_only_exact_raw(params: dict[str, Any], y: np.ndarray) -> None:
    ensemble = assert_agreement(booster(params, y), categories(FRESH))
    with pytest.raises(gw.UnsupportedModelError, match="use predict_raw"):
        ensemble.predict(categories(FRESH))


@pytest.mark.parametrize("kind", ["dart", "goss", "linear objective, deep", "extra_trees", "monotone"])
def test_every_way_of_boosting_agrees(kind: str, tmp_path: Path) -> None:
    params = {
        "dart": {"boosting": "dart", "drop_rate": 0.5},
        "goss": {"data_sample_strategy": "goss"},
        "linear objective, deep": {"num_leaves": 200, "min_data_in_leaf": 1, "max_bin": 1000},
        "extra_trees": {"extra_trees": True, "feature_fraction": 0.5},
        "monotone": {"monotone_constraints": [1, 0, 0, 0, 0, 0, 0, 0]},
    }[kind]
    model = booster({"objective": "regression", **params}, Y, rounds=20)
    assert_agreement(model, categories(FRESH))
    assert_on_thresholds(model, categories(TRAIN))
    assert_file_agrees(model, tmp_path, categories(FRESH))
    record("lightgbm", kind, "regression")


@pytest.mark.parametrize(
    ("params", "y"),
    [
        ({"objective": "regression"}, Y),
        ({"objective": "binary"}, BINARY),
        ({"objective": "multiclass", "num_class": 3}, CLASS),
    ],
    ids=["regression", "binary", "multiclass"],
)
def test_a_forest_is_the_mean_of_its_trees(params: dict[str, Any], y: np.ndarray, tmp_path: Path) -> None:
    model = booster({**params, **FOREST}, y)
    X = categories(FRESH)
    ensemble = assert_agreement(model, X, averaged=12)
    np.testing.assert_allclose(ensemble.predict(X), model.predict(X), rtol=1e-12)
    assert_file_agrees(model, tmp_path, X)
    record("lightgbm", "rf", params["objective"])


def test_only_the_trees_up_to_best_iteration_are_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    model = lgb.LGBMRegressor(n_estimators=200, verbose=-1, n_jobs=1)
    stop = lgb.early_stopping(5, verbose=False)
    train = lgb.Dataset(X[:200], y[:200])
    valid = [lgb.Dataset(X[200:], y[200:], reference=train)]
    early = lgb.train(QUIET, train, 200, valid_sets=valid, callbacks=[stop], keep_training_booster=True)
    assert assert_agreement(early, X).n_trees == early.best_iteration < early.num_trees()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the name of the argument changed in LightGBM 4.7
        model.fit(X[:200], y[:200], eval_set=[(X[200:], y[200:])], callbacks=[stop])
    assert assert_agreement(model, X).n_trees == model.best_iteration_
    assert_read_file_agrees(model, tmp_path, X)
    record("lightgbm", "early stopping", "best_iteration")


@pytest.mark.parametrize("estimator", [lgb.LGBMRegressor, lgb.LGBMClassifier, lgb.LGBMRanker])
def test_wrappers_agree_and_equal_their_boosters(estimator: Any, tmp_path: Path) -> None:
    model = estimator(n_estimators=8, num_leaves=7, min_child_samples=3, verbose=-1, n_jobs=1)
    X, more = categories(TRAIN), {"group": GROUPS} if estimator is lgb.LGBMRanker else {}
    model.fit(X, CLASS if estimator is not lgb.LGBMRegressor else Y, **more)
    assert_agreement(model, categories(FRESH))
    assert_file_agrees(model, tmp_path, categories(FRESH))
    record("lightgbm", estimator.__name__, "wrapper")


@pytest.mark.parametrize("estimator", [lgb.LGBMRegressor, lgb.LGBMClassifier])
def test_objects_saved_by_joblib_agree(estimator: Any, tmp_path: Path) -> None:
    model = estimator(n_estimators=8, num_leaves=7, min_child_samples=3, verbose=-1, n_jobs=1)
    model.fit(categories(TRAIN), CLASS if estimator is lgb.LGBMClassifier else Y)
    before = gw.read(model, categories(FRESH))
    for kept in (model, model.booster_):
        joblib.dump(kept, tmp_path / "model.joblib")
        again = joblib.load(tmp_path / "model.joblib")
        assert_agreement(again, categories(FRESH))
        assert np.array_equal(gw.read(again).predict_raw(categories(FRESH)), before.predict_raw(categories(FRESH)))
    with pytest.raises(gw.ModelFileError, match="never unpickles; load it yourself"):
        gw.read(tmp_path / "model.joblib")
    record("lightgbm", estimator.__name__, "object saved by joblib")


def test_a_classifier_names_its_classes() -> None:
    few = TRAIN[["normal", "time"]]
    two = lgb.LGBMClassifier(n_estimators=2, verbose=-1, n_jobs=1).fit(few, np.array(["no", "yes"])[BINARY])
    assert gw.read(two, few).outputs == ("yes",)
    three = lgb.LGBMClassifier(n_estimators=2, verbose=-1, n_jobs=1).fit(few, np.array(["a", "b", "c"])[CLASS])
    assert gw.read(three, few).outputs == ("a", "b", "c")


@pytest.mark.parametrize(
    "options", [{}, {"zero_as_missing": True}, {"use_missing": False}], ids=["NaN", "Zero", "None"]
)
def test_missing_values_and_zeros_of_every_missing_type_agree(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(600, 3)), 1)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[rng.random(X.shape) < 0.2] = 0.0
    y = np.nan_to_num(X[:, 0], nan=2.0) + (X[:, 1] == 0) - np.isnan(X[:, 2])
    model = booster(options, y, X)
    tiny = np.array([0.0, -0.0, 1e-36, -1e-36, 1e-35, float(np.float32(1e-35)), 1.1e-35, -1.1e-35, np.nan, 0.1])
    Q = np.vstack([X, np.stack(np.meshgrid(tiny, tiny, tiny), axis=-1).reshape(-1, 3)])
    ensemble = assert_agreement(model, Q)
    assert_on_thresholds(model, X)
    assert ensemble.features.missing_routed.all() == ("use_missing" not in options)
    assert ensemble.features.zero_is_missing.all() == ("zero_as_missing" in options)
    record("lightgbm", "gbdt", f"missing values {options or ''}")


def test_a_column_without_missing_values_in_training_reads_nan_as_zero() -> None:
    X = np.random.default_rng(0).normal(size=(300, 2))
    ensemble = assert_agreement(booster({}, X[:, 0], X), np.array([[np.nan, 0.0], [0.0, 0.0], [np.nan, np.nan]]))
    assert not ensemble.features.missing_routed.any()


def test_integer_categories_with_gaps_agree_in_arrays_and_frames(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.choice([0, 3, 10, 40, 77, 1200], 500), rng.normal(size=500), rng.choice([7, 9], 500)])
    X[::9, 0] = np.nan
    y = 2.0 * np.isin(X[:, 0], [3, 77]) + X[:, 1] * (X[:, 2] == 9)
    Q = X.copy()
    Q[:60, 0] = np.repeat([5, -1, 2000, 1199, 41, 1], 10)  # unseen
    model = booster({}, y, X, categorical_feature=[0, 2])
    ensemble = assert_agreement(model, Q)
    assert ensemble.features.categories == ((0, 3, 10, 40, 77, 1200), None, (7, 9))
    assert_read_file_agrees(model, tmp_path, Q)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    named = booster({}, y, frame, categorical_feature=["a", "c"])
    assert_agreement(named, pd.DataFrame(Q, columns=["a", "b", "c"]))
    record("lightgbm", "gbdt", "integer categories with gaps")


def test_pandas_categories_of_text_integers_and_booleans_agree() -> None:
    ensemble = assert_agreement(booster({}, Y), categories(FRESH))
    labels = dict(zip(ensemble.feature_names, ensemble.features.categories, strict=True))
    assert labels["code"] == (3, 10, 77)
    assert labels["flag"] == (False, True)
    assert "é" in labels["colour"]
    record("lightgbm", "gbdt", "pandas categories, unseen levels")


def test_other_tables_are_checked_alike() -> None:
    model, X = booster({}, Y), categories(FRESH)
    expected = gw.read(model, X).predict_raw(X)
    plain = pl.DataFrame(FRESH.to_dict("series"))
    for table in (FRESH, plain, plain.to_arrow(), plain[plain.columns[::-1]]):
        assert gw.read(model, table).source.parity.leaves_equal is True
        np.testing.assert_array_equal(gw.read(model).predict_raw(table), expected)


def test_columns_in_another_order_are_refused_because_lightgbm_uses_positions() -> None:
    model, X = booster({}, Y), categories(FRESH)
    turned = X[X.columns[::-1]]
    with pytest.raises(gw.ParityError, match="another order than in training, and LightGBM takes them by position"):
        gw.read(model, turned)
    np.testing.assert_array_equal(gw.read(model).predict_raw(turned), gw.read(model, X).predict_raw(X))


def test_names_with_spaces_are_found_again() -> None:
    frame = pd.DataFrame({"a b": TRAIN["normal"], "c d e": TRAIN["holes"], "f": TRAIN["time"]})
    model = booster({}, Y, frame)
    turned = frame[frame.columns[::-1]]
    np.testing.assert_array_equal(gw.read(model).predict_raw(turned), assert_agreement(model, frame).predict_raw(frame))


def test_an_extra_column_beside_names_with_spaces_is_named_for_dropping() -> None:
    frame = pd.DataFrame({"a b": TRAIN["normal"], "c d e": TRAIN["holes"]})
    ensemble = gw.read(booster({}, Y, frame))
    with pytest.raises(gw.TableError, match=r"^the model does not know the column 'z'; drop it$"):
        ensemble.predict_raw(frame.assign(z=1.0))
    with pytest.raises(gw.TableError, match=r"lacks 'a_b'"):
        ensemble.predict_raw(frame.drop(columns="a b"))


def test_constant_columns_before_a_category_do_not_shift_it() -> None:
    frame = pd.DataFrame({"one": 1.0, "c": pd.Categorical(TRAIN["colour"]), "two": 2.0, "x": TRAIN["normal"]})
    ensemble = assert_agreement(booster({}, Y, frame), frame)
    assert ensemble.features.is_category.tolist() == [False, True, False, False]
    record("lightgbm", "gbdt", "constant columns")


def test_a_constant_category_keeps_its_label() -> None:
    frame = pd.DataFrame({"k": pd.Categorical(["only"] * 500), "c": pd.Categorical(TRAIN["colour"])})
    assert assert_agreement(booster({}, Y, frame), frame).features.categories[0] == ("only",)


def test_trees_that_never_split_agree(tmp_path: Path) -> None:
    model = booster({"min_data_in_leaf": 400}, Y)
    assert assert_agreement(model, categories(FRESH)).n_nodes == 1
    assert_file_agrees(model, tmp_path, categories(FRESH))
    lonely = booster({"objective": "multiclass", "num_class": 4}, np.where(CLASS == 2, 3, CLASS))  # class 2 has no rows
    assert_agreement(lonely, categories(FRESH))
    record("lightgbm", "gbdt", "single-leaf trees")


def test_timestamps_keep_their_seconds() -> None:
    X = (1.7e9 + np.arange(600.0)).reshape(-1, 1)
    model = booster({"min_data_in_bin": 1, "min_data_in_leaf": 1, "max_bin": 700}, np.sin(np.arange(600.0)), X)
    assert_agreement(model, np.vstack([X, X + 0.5]))
    assert_on_thresholds(model, X)
    record("lightgbm", "gbdt", "timestamps near 1.7e9")


def test_training_continued_on_a_table_with_missing_values_agrees() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    first = booster({}, X[:, 0], X)
    holes = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    second = lgb.train(SMALL, lgb.Dataset(holes, X[:, 0]), 5, init_model=first)
    assert assert_agreement(second, holes).features.missing_routed.any()
    third = lgb.train({**SMALL, "zero_as_missing": True}, lgb.Dataset(holes, X[:, 0]), 5, init_model=first)
    with pytest.raises(gw.UnsupportedModelError, match="0 as missing in some splits"):
        gw.read(third)


@settings(max_examples=40)
@given(data=st.data())
def test_random_configurations_agree(data: st.DataObject) -> None:
    params, y = OBJECTIVES[data.draw(st.integers(0, len(OBJECTIVES) - 1))]
    draw = {
        "num_leaves": st.integers(2, 40),
        "learning_rate": st.sampled_from([0.01, 0.3, 1.0]),
        "max_bin": st.sampled_from([3, 63, 255]),
        "boosting": st.sampled_from(["gbdt", "dart"]),
        "zero_as_missing": st.booleans(),
        "use_missing": st.booleans(),
        "max_cat_to_onehot": st.sampled_from([1, 4, 20]),
        "feature_fraction": st.sampled_from([0.4, 1.0]),
        "enable_bundle": st.booleans(),
    }
    options = {name: data.draw(strategy, label=name) for name, strategy in draw.items()}
    with_categories = data.draw(st.booleans())
    X, Q = (categories(TRAIN), categories(FRESH)) if with_categories else (numbers(TRAIN), numbers(FRESH))
    group = GROUPS if "rank" in params["objective"] else None
    model = booster({**params, **options}, y, X, rounds=data.draw(st.integers(1, 15)), group=group)
    assert_agreement(model, Q)
    neighbours = threshold_neighbours(gw.read(model), X)
    if len(neighbours):  # there is a split at a threshold
        assert gw.read(model, neighbours).source.parity.leaves_equal is True
    with TemporaryDirectory() as folder:
        assert_file_holds_the_same(model, Path(folder))


@pytest.mark.parametrize("code", [-1.0, 3.0, 1000.0])
def test_numbers_that_are_not_categories_go_where_lightgbm_sends_them(code: float) -> None:
    rng = np.random.default_rng(0)
    levels = rng.choice([1.0, 5.0, 7.0, 100.0], 300)
    Z = np.column_stack([rng.normal(size=300), levels])
    data = lgb.Dataset(Z, Z[:, 0] + 2 * (levels == 5) - (levels == 100), categorical_feature=[1])
    model = lgb.train({"verbose": -1, "min_data_in_leaf": 5, "num_threads": 1}, data, 10)
    Z[:, 1] = code
    assert gw.read(model, Z).source.parity.leaves_equal
    np.testing.assert_allclose(gw.read(model).predict_raw(Z), model.predict(Z), rtol=1e-12)
    Z[0, 1] = 5.7
    with pytest.raises(gw.TableError, match=r"must hold categories, found 5\.7 in row 0"):
        gw.read(model, Z)

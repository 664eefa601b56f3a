"""XGBoost: the same leaves and the same raw as the library, from boosters, wrappers, JSON and UBJSON files."""

import dataclasses
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xgboost as xgb
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.readers import xgboost
from tests.agreement.opened_files import agreeing_file
from tests.agreement.record import record
from tests.agreement.tables import mixed_frame, signal, threshold_neighbours

SMALL: dict[str, Any] = {"max_depth": 4, "nthread": 1, "seed": 1, "min_child_weight": 0.1, "verbosity": 0}
CATEGORIES = ["colour", "code"]  # XGBoost does not accept boolean categories


def ascii_only(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(colour=frame["colour"].replace("é", "e"))


def categories(frame: pd.DataFrame) -> pd.DataFrame:
    """Text and integers with gaps as pandas categories; seen levels first, as a user keeps them."""
    colours = ["red", "green", "blue", "a label beyond sixteen bytes", "e", "violet", "Red"]
    seen = [level for level in colours if level in set(frame["colour"])]
    codes = sorted(set(frame["code"]))
    return ascii_only(frame).assign(
        colour=pd.Categorical(ascii_only(frame)["colour"], ["e", *(level for level in seen if level != "e")]),
        code=pd.Categorical(frame["code"], codes),
    )


def numbers(frame: pd.DataFrame) -> np.ndarray:
    return frame.drop(columns="colour").to_numpy(dtype=np.float64)


TRAIN = mixed_frame(500, seed=0)
FRESH = mixed_frame(300, seed=1)
UNSEEN = mixed_frame(300, seed=1, unseen=True)
Y = signal(TRAIN, seed=0)
POSITIVE = np.exp(Y / 3)
BINARY = (np.median(Y) < Y).astype(int)
CLASS = np.digitize(Y, np.quantile(Y, [0.3, 0.6]))


def matrix(X: Any, y: Any = None) -> xgb.DMatrix:
    return xgb.DMatrix(X, y, enable_categorical=True, nthread=1)


def booster(params: dict[str, Any], y: np.ndarray, X: Any = None, rounds: int = 12) -> xgb.Booster:
    data = matrix(categories(TRAIN) if X is None else X, y)
    objective = params.get("objective", "")
    if objective.startswith("rank:"):
        data.set_group([50] * 10)
    if objective == "survival:aft":
        data.set_float_info("label_lower_bound", y)
        data.set_float_info("label_upper_bound", y * 1.5)
    return xgb.train({**SMALL, **params}, data, rounds)


def assert_agreement(model: Any, X: Any, *, rounds: int = 0) -> gw.Ensemble:
    """Check the certificate, and compare once more with the library called with the user's own table."""
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal is True
    own, used = (model if isinstance(model, xgb.Booster) else model.get_booster()), (0, rounds)
    leaves = own.predict(matrix(X), pred_leaf=True, iteration_range=used)
    np.testing.assert_array_equal(ensemble.apply(X), leaves.reshape(len(X), -1))
    magnitude = dataclasses.replace(ensemble, value=np.abs(ensemble.value), baseline=np.abs(ensemble.baseline))
    difference = np.abs(ensemble.predict_raw(X) - own.predict(matrix(X), output_margin=True, iteration_range=used))
    assert np.all(difference <= (ensemble.n_trees + 1) * 2.0**-24 * magnitude.predict_raw(X))
    return ensemble


def assert_on_thresholds(model: Any, X: Any) -> None:
    beside = threshold_neighbours(gw.read(model), X)
    assert len(beside) > 50
    assert gw.read(model, beside).source.parity.leaves_equal is True


def assert_files_hold_the_same(model: Any, folder: Path) -> None:
    ensemble = gw.read(model)
    for kind in ("json", "ubj"):
        model.save_model(folder / f"model.{kind}")
        assert gw.read(folder / f"model.{kind}") == ensemble


def assert_files_agree(model: Any, folder: Path, X: Any) -> None:
    assert_files_hold_the_same(model, folder)
    for kind in ("json", "ubj"):
        agreeing_file(xgboost, folder / f"model.{kind}", X)


def assert_read_files_agree(model: Any, folder: Path, X: Any) -> None:
    assert_files_agree(model, folder, X)
    assert gw.read(folder / "model.ubj", X).source.parity.leaves_equal is True


OBJECTIVES: list[tuple[dict[str, Any], np.ndarray]] = [
    ({"objective": "reg:squarederror"}, Y),
    ({"objective": "reg:squarederror", "base_score": 1e5}, Y + 1e5),
    ({"objective": "reg:squaredlogerror"}, POSITIVE),
    ({"objective": "reg:pseudohubererror"}, Y),
    ({"objective": "reg:absoluteerror"}, Y),
    ({"objective": "reg:quantileerror", "quantile_alpha": 0.3}, Y),
    ({"objective": "reg:quantileerror", "quantile_alpha": [0.2, 0.5, 0.9]}, Y),
    ({"objective": "reg:logistic"}, BINARY),
    ({"objective": "binary:logistic"}, BINARY),
    ({"objective": "binary:logistic", "base_score": 0.1}, BINARY),
    ({"objective": "binary:logistic", "base_score": 0.4999}, BINARY),
    ({"objective": "binary:logitraw"}, BINARY),
    ({"objective": "binary:logitraw", "base_score": 0.1}, BINARY),
    ({"objective": "multi:softprob", "num_class": 3}, CLASS),
    ({"objective": "count:poisson"}, POSITIVE),
    ({"objective": "reg:gamma"}, POSITIVE),
    ({"objective": "reg:gamma", "base_score": 3.0}, POSITIVE),
    ({"objective": "reg:tweedie"}, POSITIVE),
    ({"objective": "survival:aft"}, POSITIVE),
    ({"objective": "survival:cox"}, POSITIVE),
    ({"objective": "rank:ndcg"}, CLASS),
    ({"objective": "rank:pairwise"}, CLASS),
    ({"objective": "rank:map"}, BINARY),
]


@pytest.mark.parametrize(("params", "y"), OBJECTIVES, ids=[str(p["objective"]) for p, _ in OBJECTIVES])
def test_every_objective_agrees(params: dict[str, Any], y: np.ndarray, tmp_path: Path) -> None:
    model, X = booster(params, y), categories(FRESH)
    ensemble = assert_agreement(model, X)
    assert_on_thresholds(model, categories(TRAIN))
    assert_files_agree(model, tmp_path, X)
    raw = model.predict(matrix(X), output_margin=True).astype(np.float64)
    scale = ensemble.n_trees * 2.0**-20 * (1 + np.abs(raw).max())
    np.testing.assert_allclose(ensemble.predict(X), model.predict(matrix(X)), rtol=scale, atol=scale)
    record("xgboost", "gbtree", params["objective"])


def test_softmax_has_the_shares_of_softprob() -> None:
    X = categories(FRESH)
    ensemble = assert_agreement(booster({"objective": "multi:softmax", "num_class": 3}, CLASS), X)
    shares = booster({"objective": "multi:softprob", "num_class": 3}, CLASS).predict(matrix(X))
    np.testing.assert_allclose(ensemble.predict(X), shares, atol=1e-6)


def test_hinge_has_only_exact_raw() -> None:
    ensemble = assert_agreement(booster({"objective": "binary:hinge"}, BINARY), categories(FRESH))
    with pytest.raises(gw.UnsupportedModelError, match="use predict_raw"):
        ensemble.predict(categories(FRESH))


KINDS: dict[str, tuple[dict[str, Any], np.ndarray]] = {
    "dart": ({"booster": "dart", "rate_drop": 0.5}, Y),
    "dart, three classes": (
        {"booster": "dart", "rate_drop": 0.5, "objective": "multi:softprob", "num_class": 3},
        CLASS,
    ),
    "num_parallel_tree": ({"num_parallel_tree": 4, "subsample": 0.5}, Y),
    "num_parallel_tree, three classes": (
        {"num_parallel_tree": 2, "subsample": 0.5, "objective": "multi:softprob", "num_class": 3},
        CLASS,
    ),
    "lossguide": ({"grow_policy": "lossguide", "max_leaves": 40, "max_depth": 0}, Y),
    "approx": ({"tree_method": "approx"}, Y),
    "one-hot categories": ({"max_cat_to_onehot": 100}, Y),
    "category partitions": ({"max_cat_to_onehot": 1}, Y),
    "two targets, one output per tree": ({}, np.column_stack([Y, -2 * Y + POSITIVE])),
    "two labels": ({"objective": "binary:logistic"}, np.column_stack([BINARY, CLASS == 1])),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_booster_agrees(kind: str, tmp_path: Path) -> None:
    params, y = KINDS[kind]
    model, X = booster(params, y), categories(FRESH)
    assert_agreement(model, X)
    assert_on_thresholds(model, categories(TRAIN))
    assert_files_agree(model, tmp_path, X)
    record("xgboost", kind, params.get("objective", "reg:squarederror"))


NUMERIC_KINDS: dict[str, tuple[dict[str, Any], np.ndarray]] = {
    "pruned": ({"tree_method": "exact", "gamma": 2.0}, Y),
    "two targets, multi_output_tree": (
        {"multi_strategy": "multi_output_tree"},
        np.column_stack([Y, -2 * Y + POSITIVE]),
    ),
    "three classes, multi_output_tree": (
        {"multi_strategy": "multi_output_tree", "objective": "multi:softprob", "num_class": 3},
        CLASS,
    ),
}


@pytest.mark.parametrize("kind", NUMERIC_KINDS)
def test_kinds_without_categories_agree(kind: str, tmp_path: Path) -> None:
    params, y = NUMERIC_KINDS[kind]
    model, X = booster(params, y, numbers(TRAIN)), numbers(FRESH)
    assert_agreement(model, X)
    assert_on_thresholds(model, numbers(TRAIN))
    assert_files_agree(model, tmp_path, X)
    record("xgboost", kind, params.get("objective", "reg:squarederror"))


WRAPPERS: dict[str, tuple[Any, np.ndarray]] = {
    "XGBRegressor": (xgb.XGBRegressor, Y),
    "XGBClassifier": (xgb.XGBClassifier, BINARY),
    "XGBClassifier, three classes": (xgb.XGBClassifier, CLASS),
    "XGBRFRegressor": (xgb.XGBRFRegressor, Y),
    "XGBRFClassifier": (xgb.XGBRFClassifier, CLASS),
    "XGBRanker": (xgb.XGBRanker, CLASS),
}


@pytest.mark.parametrize("kind", WRAPPERS)
def test_wrappers_agree_and_equal_their_boosters(kind: str, tmp_path: Path) -> None:
    estimator, y = WRAPPERS[kind]
    model = estimator(n_estimators=8, max_depth=3, n_jobs=1, enable_categorical=True)
    model.fit(categories(TRAIN), y, **({"group": [50] * 10} if estimator is xgb.XGBRanker else {}))
    assert assert_agreement(model, categories(FRESH)) == gw.read(model.get_booster())
    assert_files_agree(model, tmp_path, categories(FRESH))
    record("xgboost", kind, "wrapper")


def test_wrappers_predict_to_best_iteration_and_boosters_with_all_rounds(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    model = xgb.XGBRegressor(n_estimators=100, n_jobs=1, early_stopping_rounds=4, num_parallel_tree=2)
    model.fit(X[:200], y[:200], eval_set=[(X[200:], y[200:])], verbose=False)
    assert assert_agreement(model, X, rounds=model.best_iteration + 1).n_trees == 2 * (model.best_iteration + 1)
    assert_read_files_agree(model, tmp_path, X)
    own = model.get_booster()
    assert assert_agreement(own, X).n_trees == 2 * own.num_boosted_rounds()
    assert_read_files_agree(own, tmp_path, X)
    np.testing.assert_allclose(gw.read(model).predict(X), model.predict(X), rtol=1e-5)
    record("xgboost", "early stopping", "best_iteration")


def test_labels_are_kept_and_unseen_ones_go_left() -> None:
    # XGBoost refuses frames with new labels; given codes, it sends them left
    ensemble = gw.read(booster({"max_cat_to_onehot": 1}, Y), categories(UNSEEN))
    assert ensemble.source.parity.leaves_equal is True
    labels = dict(zip(ensemble.feature_names, ensemble.features.categories, strict=True))
    assert labels["code"] == (3, 10, 77)
    assert labels["colour"] == ("e", "red", "green", "blue", "a label beyond sixteen bytes")
    assert not ensemble.features.coded.any()
    assert {"violet", "Red"} <= set(UNSEEN["colour"])
    record("xgboost", "gbtree", "pandas categories, unseen levels")


def test_labels_beyond_ascii_are_matched_by_code() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(TRAIN["colour"]), "x": TRAIN["normal"]})
    ensemble = assert_agreement(booster({}, Y, frame), frame)
    assert ensemble.features.coded.tolist() == [True, False]
    assert "beyond ASCII" in ensemble.source.notes[0]


@pytest.mark.parametrize("as_file", [False, True])
def test_labels_beyond_ascii_in_another_order_are_refused_with_the_reason(tmp_path: Path, as_file: bool) -> None:
    frame = pd.DataFrame({"c": pd.Categorical(TRAIN["colour"]), "x": TRAIN["normal"]})
    model: Any = booster({}, Y, frame)
    if as_file:
        model.save_model(tmp_path / "model.json")
        model = tmp_path / "model.json"
    turned = frame.assign(c=frame["c"].cat.set_categories(frame["c"].cat.categories[::-1].tolist()))
    with pytest.raises(gw.ParityError, match=r"only the codes of 'c': declare .*damages category labels beyond ASCII"):
        gw.read(model, turned)
    with pytest.raises(gw.TableError, match="a pandas category or polars Enum"):
        gw.read(model, frame.astype({"c": object}))


def test_integer_categories_with_gaps_agree_in_arrays(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.choice([0, 3, 10, 40, 77, 1200], 500), rng.normal(size=500)])
    X[::9, 0] = np.nan
    y = 2.0 * np.isin(X[:, 0], [3, 77]) + X[:, 1]
    data = xgb.DMatrix(X, y, feature_types=["c", "q"], enable_categorical=True)
    for onehot in (1, 100):
        model = xgb.train({**SMALL, "max_cat_to_onehot": onehot}, data, 8)
        Q = X.copy()
        Q[:60, 0] = np.repeat([5, 1201, 2000, 1199, 41, 1], 10)  # unseen
        assert gw.read(model, Q).source.parity.leaves_equal is True
        assert_read_files_agree(model, tmp_path, Q)
    record("xgboost", "gbtree", "integer categories with gaps")


def test_other_tables_and_orders_are_checked_alike() -> None:
    model, X = booster({}, Y), categories(UNSEEN)
    expected = gw.read(model, X).predict_raw(X)
    text = ascii_only(UNSEEN)
    plain = pl.DataFrame(text.to_dict("series"))
    for table in (X[X.columns[::-1]], text, plain, plain.to_arrow(), plain[plain.columns[::-1]]):
        assert gw.read(model, table).source.parity.leaves_equal is True
        np.testing.assert_array_equal(gw.read(model).predict_raw(table), expected)


def test_timestamps_collapse_as_they_do_in_float32() -> None:
    X = (1.7e9 + np.arange(2000.0)).reshape(-1, 1)
    model = booster({"max_depth": 6}, np.sin(np.arange(2000.0) / 50), X)
    assert_agreement(model, np.vstack([X, X + 0.5]))
    assert_on_thresholds(model, X)
    record("xgboost", "gbtree", "timestamps near 1.7e9")


def test_trees_that_never_split_agree() -> None:
    assert assert_agreement(booster({"gamma": 1e9}, Y, numbers(TRAIN)), numbers(FRESH)).n_nodes == 12


@settings(max_examples=40)
@given(data=st.data())
def test_random_configurations_agree(data: st.DataObject) -> None:
    params, y = OBJECTIVES[data.draw(st.integers(0, len(OBJECTIVES) - 1))]
    draw = {
        "max_depth": st.integers(1, 8),
        "eta": st.sampled_from([0.01, 0.3, 1.0]),
        "max_bin": st.sampled_from([2, 16, 256]),
        "booster": st.sampled_from(["gbtree", "dart"]),
        "rate_drop": st.sampled_from([0.0, 0.7]),
        "max_cat_to_onehot": st.sampled_from([1, 4, 20]),
        "num_parallel_tree": st.integers(1, 3),
        "subsample": st.sampled_from([0.5, 1.0]),
        "gamma": st.sampled_from([0.0, 1.0]),
        "tree_method": st.sampled_from(["hist", "approx"]),
    }
    options = {name: data.draw(strategy, label=name) for name, strategy in draw.items()}
    with_categories = data.draw(st.booleans())
    X, Q = (categories(TRAIN), categories(FRESH)) if with_categories else (numbers(TRAIN), numbers(FRESH))
    model = booster({**params, **options}, y, X, rounds=data.draw(st.integers(1, 10)))
    assert_agreement(model, Q)
    neighbours = threshold_neighbours(gw.read(model), X)
    if len(neighbours):  # there is a split at a threshold
        assert gw.read(model, neighbours).source.parity.leaves_equal is not False
    with TemporaryDirectory() as folder:
        assert_files_hold_the_same(model, Path(folder))


@pytest.mark.parametrize("code", [-1.0, 3.0, 1000.0])
def test_numbers_that_are_not_categories_go_where_xgboost_sends_them(code: float) -> None:
    rng = np.random.default_rng(0)
    levels = rng.choice([1.0, 5.0, 7.0, 100.0], 300)
    Z = np.column_stack([rng.normal(size=300), levels])
    y = Z[:, 0] + 2 * (levels == 5) - (levels == 100)
    model = xgb.XGBRegressor(n_estimators=6, feature_types=["q", "c"], enable_categorical=True, n_jobs=1).fit(Z, y)
    Z[:, 1] = code
    assert gw.read(model, Z).source.parity.leaves_equal
    np.testing.assert_allclose(gw.read(model).predict_raw(Z), model.predict(Z), rtol=1e-5)


def test_a_model_of_one_class_is_read() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2))
    model = xgb.XGBClassifier(n_estimators=3, n_jobs=1, objective="binary:logistic").fit(X, np.zeros(50, dtype=int))
    assert gw.read(model, X).source.parity.leaves_equal

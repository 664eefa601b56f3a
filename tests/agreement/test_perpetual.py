"""perpetual: the same leaves and the same raw as the library, from objects and from files."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from perpetual import PerpetualBooster
from perpetual.sklearn import PerpetualClassifier, PerpetualRanker, PerpetualRegressor

import glasswood as gw
from glasswood.readers import perpetual
from tests.agreement.opened_files import agreeing_file
from tests.agreement.record import record
from tests.agreement.tables import mixed_frame, signal, threshold_neighbours

CATEGORIES = ["colour", "code", "flag"]
SMALL: dict[str, Any] = {"budget": 0.3, "num_threads": 1, "iteration_limit": 30}
TRAIN = mixed_frame(500, seed=0)
FRESH = mixed_frame(300, seed=1)
Y = signal(TRAIN, seed=0)
CLASS = np.digitize(Y, np.quantile(Y, [0.3, 0.6]))
NUMBERS = ["normal", "holes", "constant", "time", "grid"]


def categorical(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype(dict.fromkeys(CATEGORIES, "category"))


def raw_of(model: Any, X: Any) -> np.ndarray:
    # perpetual encodes categories in the caller's array, so it gets a copy
    raw = model.predict_log_proba(X.copy()) if len(model.classes_) else model.predict(X.copy())
    return np.asarray(raw).reshape(len(X), -1)


def assert_agreement(model: Any, X: Any) -> gw.Ensemble:
    """Check the certificate, and compare once more with the library called with the user's own table."""
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal is True
    magnitude = dataclasses.replace(ensemble, value=np.abs(ensemble.value), baseline=np.abs(ensemble.baseline))
    ours, bound = ensemble.predict_raw(X), 1e-12 * magnitude.predict_raw(X)
    difference = np.abs(ours.reshape(len(ours), -1) - raw_of(model, X))
    assert np.all(difference <= bound.reshape(len(ours), -1))
    return ensemble


def assert_file_agrees(model: Any, folder: Path, X: Any) -> None:
    model.save_booster(str(folder / "model.json"))
    assert agreeing_file(perpetual, folder / "model.json", X) == gw.read(model)


def assert_read_file_agrees(model: Any, folder: Path, X: Any) -> None:
    assert_file_agrees(model, folder, X)
    assert gw.read(folder / "model.json", X).source.parity.leaves_equal is True


@pytest.mark.parametrize("branch", [False, True], ids=["two ways", "missing branch"])
def test_missing_values_and_categories(branch: bool, tmp_path: Path) -> None:
    model = PerpetualBooster(objective="SquaredLoss", create_missing_branch=branch, **SMALL)
    model.fit(categorical(TRAIN), Y)
    fresh = categorical(FRESH)
    ensemble = assert_agreement(model, fresh)
    assert ensemble.features.categories[1] == tuple(sorted(TRAIN["colour"].unique()))
    assert ensemble.features.categories[3] == (10, 3, 77) and ensemble.features.categories[6] == (False, True)
    assert_agreement(model, categorical(threshold_neighbours(ensemble, FRESH)))
    assert_read_file_agrees(model, tmp_path, fresh)
    record(
        "perpetual", "PerpetualBooster", f"missing values ({'own branch' if branch else 'default side'}), categories"
    )


@pytest.mark.parametrize("branch", [False, True], ids=["two ways", "missing branch"])
def test_rows_on_thresholds_in_a_plain_matrix(branch: bool, tmp_path: Path) -> None:
    X = TRAIN[NUMBERS].to_numpy(dtype=float)
    model = PerpetualBooster(objective="SquaredLoss", create_missing_branch=branch, **SMALL).fit(X, Y)
    ensemble = assert_agreement(model, X)
    assert not ensemble.features.named
    assert_agreement(model, threshold_neighbours(ensemble, X, per_feature=40))
    assert_agreement(model, np.array([[np.inf] * 5, [-np.inf] * 5, [1e300] * 5, [-1e300] * 5, [np.nan] * 5]))
    assert_file_agrees(model, tmp_path, X)
    record("perpetual", "PerpetualBooster", "timestamps, rows on thresholds and a float step beside, infinities")


OBJECTIVES = [
    "SquaredLoss", "QuantileLoss", "HuberLoss", "FairLoss", "AbsoluteLoss", "SquaredLogLoss", "MapeLoss",
    "PoissonLoss", "GammaLoss", "TweedieLoss",
]  # fmt: skip


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_regression_objectives(objective: str, tmp_path: Path) -> None:
    X = TRAIN[NUMBERS].copy()
    options = {"quantile": 0.3} if objective == "QuantileLoss" else {}
    model = PerpetualBooster(objective=objective, **SMALL, **options).fit(X, np.abs(Y) + 0.1)
    ensemble = assert_agreement(model, FRESH[NUMBERS])
    assert ensemble.source.objective == objective
    assert str(ensemble.link) == ("log" if objective in OBJECTIVES[-3:] else "identity")
    assert_file_agrees(model, tmp_path, FRESH[NUMBERS])
    record("perpetual", "PerpetualBooster", objective)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_have_boosters_of_unequal_length(n_classes: int, tmp_path: Path) -> None:
    labels = np.minimum(CLASS, n_classes - 1)
    model = PerpetualBooster(objective="LogLoss", **SMALL).fit(categorical(TRAIN), labels)
    fresh = categorical(FRESH)
    ensemble = assert_agreement(model, fresh)
    shares = model.predict_proba(fresh.copy())
    np.testing.assert_allclose(ensemble.predict(fresh), shares[:, 1] if n_classes == 2 else shares, rtol=1e-12)
    assert ensemble.outputs == (("1",) if n_classes == 2 else ("0", "1", "2"))
    assert ensemble.n_trees == np.sum(model.number_of_trees)
    assert_read_file_agrees(model, tmp_path, fresh)
    record("perpetual", "PerpetualBooster", f"LogLoss, {n_classes} classes, boosters of unequal length")


def test_wrappers_read_like_the_booster() -> None:
    X = TRAIN[NUMBERS].copy()
    assert_agreement(PerpetualRegressor(**SMALL).fit(X, Y), X)
    assert_agreement(PerpetualClassifier(**SMALL).fit(X, CLASS), X)
    ranker = PerpetualRanker(**SMALL).fit(X, CLASS.astype(float), group=np.full(50, 10))
    assert_agreement(ranker, X)
    record("perpetual", "PerpetualRegressor, PerpetualClassifier, PerpetualRanker", "scikit-learn wrappers")


def test_too_many_categories_are_compared_by_code() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"many": pd.Categorical(rng.choice([f"L{k:02d}" for k in range(40)], 600)), "x": rng.normal(size=600)}
    )
    y = rng.normal(size=40)[frame["many"].cat.codes] + frame["x"]
    for max_cat in (10, 1000):
        model = PerpetualBooster(objective="SquaredLoss", max_cat=max_cat, **SMALL).fit(frame.copy(), y.to_numpy())
        assert_agreement(model, frame)
    record("perpetual", "PerpetualBooster", "more categories than max_cat, more than 8 categories")


def test_tables_of_other_kinds_and_orders() -> None:
    model = PerpetualBooster(objective="SquaredLoss", **SMALL).fit(categorical(TRAIN), Y)
    expected = gw.read(model, categorical(FRESH)).predict_raw(categorical(FRESH))
    for table in (FRESH, FRESH[list(FRESH.columns[::-1])], pl.from_pandas(FRESH).to_arrow()):
        ensemble = gw.read(model, table)
        assert ensemble.source.parity.leaves_equal is True
        np.testing.assert_array_equal(ensemble.predict_raw(table), expected)
    with pytest.raises(gw.ParityError, match="perpetual itself reads the table differently"):
        gw.read(model, pl.from_pandas(FRESH))  # booleans are 'true' there, but 'True' in training
    record("perpetual", "PerpetualBooster", "pandas (also permuted), pyarrow")


def test_a_polars_column_that_would_end_the_process_is_refused_by_name() -> None:
    X = pl.DataFrame({"a": np.arange(60.0), "b": np.arange(60.0)[::-1]})
    model = PerpetualBooster(objective="SquaredLoss", **SMALL).fit(X, np.arange(60.0))
    assert gw.read(model, X).source.parity.leaves_equal is True
    with pytest.raises(gw.TableError, match="column 'b' is Float32; cast it to Float64"):
        gw.read(model, X.with_columns(pl.col("b").cast(pl.Float32)))


def test_unseen_categories_are_missing_and_refused_if_perpetual_confuses_them_with_another() -> None:
    model = PerpetualBooster(objective="SquaredLoss", **SMALL).fit(categorical(TRAIN), Y)
    odd = mixed_frame(100, seed=2, unseen=True)
    with pytest.raises(gw.ParityError, match="category of 'colour' in this row is new to the model"):
        gw.read(model, odd)
    ensemble = gw.read(model)
    blank = odd.assign(
        colour=odd["colour"].where(odd["colour"].isin(TRAIN["colour"])), code=odd["code"].where(odd["code"] != 11)
    )
    np.testing.assert_array_equal(ensemble.predict_raw(odd), ensemble.predict_raw(blank))


@settings(max_examples=40)
@given(
    budget=st.sampled_from([0.1, 0.5, 1.0]),
    branch=st.booleans(),
    splits=st.booleans(),
    treatment=st.sampled_from(["None", "AssignToParent", "AverageLeafWeight", "AverageNodeWeight"]),
    n=st.integers(50, 300),
    seed=st.integers(0, 3),
)
def test_random_configurations(budget: float, branch: bool, splits: bool, treatment: str, n: int, seed: int) -> None:
    train = mixed_frame(n, seed)
    model = PerpetualBooster(
        objective="SquaredLoss", budget=budget, num_threads=1, iteration_limit=15, create_missing_branch=branch,
        allow_missing_splits=splits, missing_node_treatment=treatment,
    ).fit(categorical(train), signal(train, seed))  # fmt: skip
    ensemble = gw.read(model, categorical(FRESH))
    assert ensemble.source.parity.leaves_equal is True

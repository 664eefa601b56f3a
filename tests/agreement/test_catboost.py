"""CatBoost: the same leaves and the same raw as the library, from objects, .cbm and .json files."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from catboost import CatBoost, CatBoostClassifier, CatBoostRanker, CatBoostRegressor, Pool, sum_models
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from tests.agreement.catboost_checks import assert_agreement, assert_files_agree
from tests.agreement.record import record
from tests.agreement.tables import mixed_frame, signal, threshold_neighbours

CATEGORIES = ["colour", "code", "flag"]
QUIET: dict[str, Any] = {"verbose": 0, "thread_count": 1, "allow_writing_files": False, "random_seed": 1}
SMALL: dict[str, Any] = {**QUIET, "iterations": 12, "depth": 4, "cat_features": CATEGORIES, "one_hot_max_size": 10}
TRAIN = mixed_frame(500, seed=0)
FRESH = mixed_frame(300, seed=1, unseen=True)
Y = signal(TRAIN, seed=0)
CLASS = np.digitize(Y, np.quantile(Y, [0.3, 0.6]))


@pytest.mark.parametrize("nan_mode", ["Min", "Max"])
@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise", "Lossguide"])
def test_every_growing_policy_with_missing_values_and_categories(policy: str, nan_mode: str, tmp_path: Path) -> None:
    model = CatBoostRegressor(**SMALL, grow_policy=policy, nan_mode=nan_mode).fit(TRAIN, Y)
    ensemble = assert_agreement(model, FRESH)
    assert_agreement(model, threshold_neighbours(ensemble, FRESH))
    assert_files_agree(model, tmp_path, oblivious=policy == "SymmetricTree")
    record(
        "CatBoost", f"CatBoostRegressor, {policy}", f"missing values (nan_mode {nan_mode}), one-hot categories, unseen"
    )


# one kind of file each, because each check starts a process that imports CatBoost
@pytest.mark.parametrize(("policy", "name"), [("SymmetricTree", "model.cbm"), ("Lossguide", "model.json")])
def test_files_are_asked_in_a_process_of_their_own(policy: str, name: str, tmp_path: Path) -> None:
    model = CatBoostRegressor(**SMALL, grow_policy=policy).fit(TRAIN, Y)
    model.save_model(str(tmp_path / name), format=Path(name).suffix[1:])
    assert gw.read(tmp_path / name, FRESH).source.parity.leaves_equal is True
    record("CatBoost", f"{Path(name).suffix} file", f"{policy}, checked in a child process")


REGRESSIONS = [
    "RMSE", "MAE", "Quantile:alpha=0.3", "MAPE", "Huber:delta=1", "Expectile:alpha=0.3", "Lq:q=3", "LogCosh",
    "LogLinQuantile:alpha=0.4", "Poisson", "Tweedie:variance_power=1.5",
]  # fmt: skip


@pytest.mark.parametrize("loss", REGRESSIONS)
def test_regression_losses_and_their_links(loss: str, tmp_path: Path) -> None:
    model = CatBoostRegressor(**SMALL, loss_function=loss).fit(TRAIN, np.abs(Y) + 0.1)
    ensemble = assert_agreement(model, FRESH)
    np.testing.assert_allclose(ensemble.predict(FRESH), model.predict(FRESH), rtol=1e-12)
    assert_files_agree(model, tmp_path)
    assert ensemble.source.objective == loss
    record("CatBoost", "CatBoostRegressor", loss)


@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise"])
@pytest.mark.parametrize("loss", ["Logloss", "CrossEntropy", "MultiClass", "MultiClassOneVsAll"])
def test_classification(loss: str, policy: str, tmp_path: Path) -> None:
    labels: Any = np.array(["low", "mid", "high"])[CLASS] if loss.startswith("Multi") else (Y > 1).astype(int)
    model = CatBoostClassifier(**SMALL, loss_function=loss, grow_policy=policy).fit(TRAIN, labels)
    ensemble = assert_agreement(model, FRESH)
    shares = model.predict_proba(FRESH)
    if ensemble.n_outputs == 1:
        shares = shares[:, 1]
        assert ensemble.outputs == (str(model.classes_[1]),)
    else:
        assert ensemble.outputs == tuple(model.classes_)
    np.testing.assert_allclose(ensemble.predict(FRESH), shares, rtol=1e-12)
    assert_files_agree(model, tmp_path, oblivious=policy == "SymmetricTree")
    record("CatBoost", f"CatBoostClassifier, {policy}", loss)


@pytest.mark.parametrize("loss", ["MultiRMSE", "MultiLogloss", "MultiQuantile:alpha=0.2,0.8", "RMSEWithUncertainty"])
def test_several_outputs(loss: str, tmp_path: Path) -> None:
    target: Any = {"MultiRMSE": np.c_[Y, -Y], "MultiLogloss": np.c_[Y > 0, Y > 1].astype(int)}.get(loss, Y)
    cls = CatBoostClassifier if loss == "MultiLogloss" else CatBoostRegressor
    model = cls(**SMALL, loss_function=loss).fit(TRAIN, target)
    ensemble = assert_agreement(model, FRESH)
    assert ensemble.outputs == ("y0", "y1")
    if loss == "RMSEWithUncertainty":
        with pytest.raises(gw.UnsupportedModelError, match="RMSEWithUncertainty"):
            ensemble.predict(FRESH)
    else:
        theirs = model.predict_proba(FRESH) if loss == "MultiLogloss" else model.predict(FRESH)
        np.testing.assert_allclose(ensemble.predict(FRESH), theirs, rtol=1e-12)
    assert_files_agree(model, tmp_path)
    record("CatBoost", cls.__name__, loss)


@pytest.mark.parametrize("loss", ["MultiClass", "MultiClassOneVsAll"])
@pytest.mark.parametrize(
    ("labels", "options", "outputs", "unseen"),
    [
        ([0, 1], {"classes_count": 4}, ("0", "1"), "2, 3"),
        ([1, 3], {"classes_count": 4}, ("1", "3"), "0, 2"),
        (["b", "d"], {"class_names": ["a", "b", "c", "d"]}, ("b", "d"), "a, c"),
        ([2, 5, 7], {"class_names": [7, 6, 5, 2]}, ("7", "5", "2"), "6"),
        ([2, 5, 7], {}, ("2", "5", "7"), ""),
    ],
)
def test_classes_without_a_training_row_are_left_out_and_named(
    loss: str, labels: list[Any], options: dict[str, Any], outputs: tuple[str, ...], unseen: str, tmp_path: Path
) -> None:
    y = np.array(labels)[np.digitize(Y, np.quantile(Y, [0.4, 0.7])[: len(labels) - 1])]
    model = CatBoostClassifier(**SMALL, loss_function=loss, **options).fit(TRAIN, y)
    ensemble = gw.read(model, FRESH)
    assert (ensemble.outputs, ensemble.source.parity.leaves_equal) == (outputs, True)
    columns = [list(map(str, model.classes_)).index(name) for name in outputs]
    raw, shares = model.predict(FRESH, prediction_type="RawFormulaVal"), model.predict_proba(FRESH)
    np.testing.assert_allclose(ensemble.predict_raw(FRESH), raw[:, columns], rtol=1e-12)
    np.testing.assert_allclose(ensemble.predict(FRESH), shares[:, columns], rtol=1e-12)
    assert np.delete(shares, columns, axis=1).sum() < 1e-300
    notes = [note for note in ensemble.source.notes if "training row" in note]
    assert notes == ([f"classes without a training row, whose probability is always 0: {unseen}"] if unseen else [])
    assert_files_agree(model, tmp_path)


@pytest.mark.parametrize("loss", ["YetiRank", "QueryRMSE", "PairLogit"])
def test_ranking(loss: str, tmp_path: Path) -> None:
    grades = np.clip(CLASS, 0, 2)
    pool = Pool(TRAIN, grades, cat_features=CATEGORIES, group_id=np.repeat(np.arange(50), 10))
    options = {key: value for key, value in SMALL.items() if key != "cat_features"}
    model = CatBoostRanker(**options, loss_function=loss).fit(pool)
    assert_agreement(model, FRESH)
    assert_files_agree(model, tmp_path)
    record("CatBoost", "CatBoostRanker", loss)


def test_timestamps_and_rows_on_borders_in_a_plain_matrix(tmp_path: Path) -> None:
    X = TRAIN[["normal", "holes", "constant", "time", "grid"]].to_numpy(dtype=float)
    model = CatBoostRegressor(**QUIET, iterations=60, depth=6).fit(X, Y)
    ensemble = assert_agreement(model, X)
    assert not ensemble.features.named
    rows = threshold_neighbours(ensemble, X, per_feature=40)
    assert len(rows) > 500
    assert_agreement(model, rows)
    extreme = np.array([[np.inf] * 5, [-np.inf] * 5, [1e300] * 5, [-1e300] * 5, [np.nan] * 5, [3.4028235e38] * 5])
    assert_agreement(model, extreme)
    assert_files_agree(model, tmp_path)
    record("CatBoost", "CatBoostRegressor", "timestamps, rows on borders and a float step beside, infinities")


def test_values_may_be_missing_even_if_training_had_none() -> None:
    model = CatBoostRegressor(**QUIET, iterations=10).fit(TRAIN[["normal", "time"]], Y)
    holed = TRAIN[["normal", "time"]].copy()
    holed.iloc[::3, 0] = np.nan
    ensemble = assert_agreement(model, holed)
    assert not ensemble.features.missing_routed.any()


def test_nan_mode_forbidden() -> None:
    model = CatBoostRegressor(**QUIET, iterations=10, nan_mode="Forbidden").fit(TRAIN[["normal", "time"]], Y)
    assert_agreement(model, FRESH[["normal", "time"]])


def test_best_iteration_is_what_is_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=len(TRAIN))
    model = CatBoostRegressor(**{**SMALL, "iterations": 200, "depth": 6}, learning_rate=0.5, use_best_model=True)
    model.fit(TRAIN, noise, eval_set=(FRESH, rng.normal(size=len(FRESH))))
    assert model.tree_count_ == model.best_iteration_ + 1 < 200
    assert assert_agreement(model, FRESH).n_trees == model.tree_count_
    assert_files_agree(model, tmp_path)
    record("CatBoost", "CatBoostRegressor", "best_iteration")


def test_scale_and_bias_and_sums_of_models(tmp_path: Path) -> None:
    one = CatBoostRegressor(**SMALL).fit(TRAIN, Y)
    one.set_scale_and_bias(-2.5, 0.75)
    ensemble = assert_agreement(one, FRESH)
    assert ensemble.baseline.tolist() == [0.75]
    assert_files_agree(one, tmp_path)
    two = CatBoostRegressor(**{**SMALL, "random_seed": 2, "depth": 3}).fit(TRAIN, -Y)
    total = assert_agreement(sum_models([one, two], weights=[0.5, 2.0]), FRESH)
    assert str(total.link) == "none"  # the sum does not record what it was trained for
    record("CatBoost", "CatBoostRegressor", "scale_and_bias, sum_models")


def test_stages_agree() -> None:
    model = CatBoostRegressor(**SMALL).fit(TRAIN, Y)
    ensemble = gw.read(model)
    values = ensemble.value[
        ensemble.tree_start[:-1, None].T + 0 * ensemble.apply(FRESH) + _leaf_nodes(ensemble, FRESH), 0
    ]
    ours = ensemble.baseline[0] + np.cumsum(values, axis=1)
    theirs = np.column_stack(list(model.staged_predict(FRESH)))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def _leaf_nodes(ensemble: gw.Ensemble, X: Any) -> np.ndarray:
    """Node within the tree of the leaf each row reaches; leaves of an oblivious tree come last, in order."""
    sizes = np.diff(ensemble.tree_start)
    return ensemble.apply(X) + (sizes - (sizes + 1) // 2)


def test_every_kind_of_table_and_column_order() -> None:
    model = CatBoostRegressor(**SMALL).fit(TRAIN, Y)
    expected = gw.read(model, FRESH).predict_raw(FRESH)
    tables = {
        "permuted": FRESH[list(FRESH.columns[::-1])],
        "categories": FRESH.astype({"colour": "category", "code": "category", "flag": "category"}),
        "text": FRESH.assign(code=FRESH["code"].astype(str)),
        "polars": pl.from_pandas(FRESH),
        "pyarrow": pl.from_pandas(FRESH).to_arrow(),
        "objects": FRESH.to_numpy(dtype=object),
    }
    for kind, table in tables.items():
        ensemble = gw.read(model, table)
        assert ensemble.source.parity.leaves_equal is True, kind
        np.testing.assert_array_equal(ensemble.predict_raw(table), expected)
    record("CatBoost", "CatBoostRegressor", "pandas (also permuted, category dtype), polars, pyarrow, object arrays")


def test_ignored_and_unused_features_stay_in_the_schema() -> None:
    model = CatBoostRegressor(**SMALL, ignored_features=["normal", "colour"]).fit(TRAIN, Y)
    ensemble = assert_agreement(model, FRESH)
    assert ensemble.feature_names == tuple(TRAIN.columns)
    model.drop_unused_features()
    dropped = gw.read(model)
    assert dropped.feature_names == ("holes", "code", "time", "flag", "grid")
    used = FRESH[list(dropped.feature_names)]
    np.testing.assert_array_equal(dropped.predict_raw(used), ensemble.predict_raw(FRESH))
    assert gw.read(model, used).source.parity.leaves_equal is True


def test_the_base_class_and_a_constant_model(tmp_path: Path) -> None:
    model = CatBoost({**SMALL, "loss_function": "RMSE"}).fit(Pool(TRAIN, Y, cat_features=CATEGORIES))
    assert_agreement(model, FRESH)
    for policy in ("SymmetricTree", "Lossguide"):
        flat = CatBoostRegressor(**QUIET, iterations=3, allow_const_label=True, bootstrap_type="No", grow_policy=policy)
        flat.fit(TRAIN[["normal", "grid"]], np.full(len(TRAIN), 2.0))
        assert_agreement(flat, FRESH[["normal", "grid"]])
        assert_files_agree(flat, tmp_path, oblivious=policy == "SymmetricTree")


CONFIGURATION = st.fixed_dictionaries(
    {
        "grow_policy": st.sampled_from(["SymmetricTree", "Depthwise", "Lossguide"]),
        "nan_mode": st.sampled_from(["Min", "Max"]),
        "depth": st.integers(1, 7),
        "iterations": st.integers(1, 25),
        "learning_rate": st.sampled_from([0.03, 0.3, 1.0]),
        "border_count": st.sampled_from([1, 7, 254, 400]),
        "boost_from_average": st.booleans(),
        "l2_leaf_reg": st.sampled_from([0.0, 3.0]),
        "random_seed": st.integers(0, 5),
    }
)


@settings(max_examples=40)
@given(options=CONFIGURATION, n=st.integers(20, 300), seed=st.integers(0, 3))
def test_random_configurations(options: dict[str, Any], n: int, seed: int) -> None:
    train = mixed_frame(n, seed)
    options = {**SMALL, **options}
    if options["grow_policy"] == "Lossguide":
        options["max_leaves"] = 17
    model = CatBoostRegressor(**options).fit(train, signal(train, seed))
    ensemble = assert_agreement(model, FRESH)
    neighbours = threshold_neighbours(ensemble, FRESH)
    if len(neighbours):
        assert_agreement(model, neighbours)

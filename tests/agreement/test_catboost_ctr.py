"""CatBoost's target statistics (CTR): the same leaves and the same raw as the library, by levels and combinations."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from catboost import CatBoost, CatBoostClassifier, CatBoostRegressor, Pool, sum_models
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from tests.agreement.catboost_checks import assert_agreement, assert_files_agree, raw_of
from tests.agreement.record import record
from tests.agreement.tables import mixed_frame, signal, threshold_neighbours
from tests.readers.ctr_documents import random_document, rows_of

QUIET: dict[str, Any] = {"verbose": 0, "thread_count": 1, "allow_writing_files": False, "random_seed": 1}
CATEGORIES = ["city", "code", "kind", "flag"]
SMALL: dict[str, Any] = {**QUIET, "iterations": 12, "depth": 5, "cat_features": CATEGORIES, "model_size_reg": 0}
PAIRED: dict[str, Any] = {**SMALL, "max_ctr_complexity": 3}


def table(n: int, seed: int, *, n_cities: int = 9, unseen: bool = False) -> pd.DataFrame:
    """Text, whole numbers, two levels, and a number with missing values; unseen: every fifth row has a new level."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "city": [f"city {k}" for k in rng.integers(0, n_cities, n)],
            "code": rng.choice([-4, 3, 10, 77], n),
            "kind": rng.choice(["p", "q", "é", "a label beyond sixteen bytes"], n),
            "flag": rng.choice(["yes", "no"], n),
            "holes": np.where(rng.random(n) < 0.15, np.nan, rng.normal(size=n)),
            "plain": rng.normal(size=n),
        }
    )
    if unseen:
        for k, name in enumerate(["city", "code", "kind", "flag"]):
            odd = np.arange(n) % 5 == k
            frame[name] = np.where(odd, 12345 if name == "code" else "never seen", frame[name])
            frame[name] = frame[name].astype(int if name == "code" else str)
    return frame


def target(frame: pd.DataFrame, seed: int) -> np.ndarray:
    """A target that depends on categories alone, together, and together with a number."""
    rng = np.random.default_rng(seed)
    city = frame["city"].str[5:].astype(int) % 7
    pair = ((city < 3) ^ (frame["code"] == 3)) | (frame["kind"] == "q")
    test = (frame["flag"] == "yes") & (frame["holes"].fillna(1.0) > 0.2)
    parts = 0.2 * city + 1.5 * pair + 1.2 * test * (frame["kind"] == "p") + 0.3 * frame["plain"]
    return parts.to_numpy(dtype=float) + rng.normal(size=len(frame)) * 0.2


TRAIN = table(700, seed=0)
FRESH = table(400, seed=1, unseen=True)
Y = target(TRAIN, seed=0)
CLASS = np.digitize(Y, np.quantile(Y, [0.3, 0.6]))


def elements(model: Any, folder: Path) -> set[tuple[str, ...]]:
    """The features over which the CTRs of a model are computed."""
    model.save_model(str(folder / "elements.json"), format="json")
    ctrs = json.loads((folder / "elements.json").read_text())["features_info"].get("ctrs", ())
    return {tuple(element["combination_element"] for element in ctr["elements"]) for ctr in ctrs}


@pytest.mark.parametrize("n_levels", [2, 3, 60, 5000])
def test_defaults_with_few_and_many_levels(n_levels: int, tmp_path: Path) -> None:
    train = table(max(600, 2 * n_levels), seed=2, n_cities=n_levels)
    options = {**QUIET, "iterations": 25, "cat_features": CATEGORIES}
    model = CatBoostRegressor(**options).fit(train, target(train, seed=2))
    fresh = table(400, seed=3, n_cities=n_levels, unseen=True)
    ensemble = assert_agreement(model, fresh)
    assert (ensemble.source.weight_kind, ensemble.n_trees) == ("weights", 25)
    assert_files_agree(model, tmp_path)
    if n_levels > 2:
        assert len(ensemble.features.categories[0] or ()) == train["city"].nunique()
        assert set(gw.read(model, train).features.categories[0] or ()) == set(train["city"])
    record("CatBoost", "CatBoostRegressor, CTR", f"defaults, {n_levels:,} levels, unseen levels")


@pytest.mark.parametrize("loss", ["Logloss", "MultiClass", "MultiClassOneVsAll"])
def test_classes(loss: str, tmp_path: Path) -> None:
    labels: Any = np.array(["low", "mid", "high"])[CLASS] if loss.startswith("Multi") else (Y > 1).astype(int)
    for options in ({**SMALL, "one_hot_max_size": 1}, PAIRED):
        model = CatBoostClassifier(**options, loss_function=loss).fit(TRAIN, labels)
        ensemble = assert_agreement(model, FRESH)
        shares = model.predict_proba(FRESH)
        theirs = shares if ensemble.n_outputs > 1 else shares[:, 1]
        np.testing.assert_allclose(ensemble.predict(FRESH), theirs, rtol=1e-12)
        assert_files_agree(model, tmp_path)
    record("CatBoost", "CatBoostClassifier, CTR", loss)


def test_many_trees_of_combinations() -> None:
    rng = np.random.default_rng(7)
    train = pd.DataFrame({f"c{k}": [f"level {v}" for v in rng.integers(0, 20, 800)] for k in range(3)})
    codes = [train[name].str[6:].astype(int).to_numpy() for name in train]
    own = rng.normal(size=(3, 20))
    y = sum(own[k][codes[k]] for k in range(3)) + own[0][codes[0]] * own[1][codes[1]] + rng.normal(size=800) * 0.2
    model = CatBoostRegressor(**QUIET, iterations=300, cat_features=list(train)).fit(train, y)
    rows = train.iloc[:200].assign(c1=["never seen"] * 20 + train["c1"].tolist()[:180])
    ensemble = assert_agreement(model, rows)
    assert np.isnan(ensemble.weight).all()  # trees were divided
    record("catboost", "CatBoostRegressor", "300 trees of combinations, defaults")


def test_classes_of_5000_levels() -> None:
    train = table(10_000, seed=5, n_cities=5000)
    y = np.where(target(train, seed=5) > 1.5, "yes", "no")
    model = CatBoostClassifier(**QUIET, iterations=20, cat_features=CATEGORIES).fit(train, y)
    assert_agreement(model, table(400, seed=6, n_cities=5000, unseen=True))
    record("catboost", "CatBoostClassifier", "defaults, 5,000 levels")


@pytest.mark.parametrize("nan_mode", ["Min", "Max"])
def test_combinations_of_categories_and_tests(nan_mode: str, tmp_path: Path) -> None:
    options = {**PAIRED, "iterations": 40, "nan_mode": nan_mode}
    model = CatBoostRegressor(**options).fit(TRAIN, Y)
    found = {kind for combination in elements(model, tmp_path) for kind in combination if len(combination) > 1}
    assert found == {"cat_feature_value", "float_feature", "cat_feature_exact_value"}
    ensemble = assert_agreement(model, FRESH)
    assert_agreement(model, threshold_neighbours(ensemble, FRESH))
    assert_files_agree(model, tmp_path)
    assert ensemble.source.weight_kind == "none"
    record("CatBoost", "CatBoostRegressor, CTR", f"combinations with tests of levels and numbers (nan_mode {nan_mode})")


TRAINED = [
    "Borders:TargetBorderCount=4:Prior=0.3",
    "Buckets:TargetBorderCount=3",
    "BinarizedTargetMeanValue:TargetBorderCount=5:Prior=0.7",
    "Counter:Prior=0.2:CtrBorderCount=40",
]


@pytest.mark.parametrize("ctr", TRAINED)
@pytest.mark.filterwarnings("ignore:Change of")
def test_every_kind_of_ctr_that_a_cpu_trains(ctr: str, tmp_path: Path) -> None:
    model = CatBoostRegressor(**PAIRED, simple_ctr=[ctr], combinations_ctr=[ctr]).fit(TRAIN, Y)
    assert any(len(combination) > 1 for combination in elements(model, tmp_path))
    assert_agreement(model, FRESH)
    if "BorderCount=5" in ctr:
        model.save_model(str(tmp_path / "m.cbm"))
        assert gw.read(tmp_path / "m.cbm") == gw.read(model)
    else:
        assert_files_agree(model, tmp_path)
    record("CatBoost", "CatBoostRegressor, CTR", ctr.partition(":")[0])


@pytest.mark.filterwarnings("ignore:Change of")
def test_a_json_file_of_fractions_is_refused_because_catboost_loads_them_as_0(tmp_path: Path) -> None:
    """A mean of the groups of the target has whole sums for two groups only."""
    path = tmp_path / "m.json"
    for n_borders, whole in ((1, True), (5, False)):
        ctr = f"BinarizedTargetMeanValue:TargetBorderCount={n_borders}"
        model = CatBoostRegressor(**SMALL, simple_ctr=[ctr], max_ctr_complexity=1).fit(TRAIN, Y)
        model.save_model(str(path), format="json")
        loaded = CatBoost().load_model(str(path), format="json")
        theirs = raw_of(loaded, Pool(FRESH, cat_features=CATEGORIES))
        assert np.allclose(theirs, raw_of(model, FRESH)) == whole
        if whole:
            np.testing.assert_allclose(gw.read(path).predict_raw(FRESH), theirs[:, 0], rtol=1e-12, atol=1e-12)
    with pytest.raises(gw.UnsupportedModelError, match=r"BinarizedTargetMeanValue.*not whole.*as 0.*save it as \.cbm"):
        gw.read(path)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_drawn_models_with_every_kind_of_ctr(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """Also kinds that only a GPU trains, with any prior, shift and scale: CatBoost loads the models that we
    generate."""
    rng = np.random.default_rng(seed)
    document = random_document(rng)
    path = tmp_path_factory.mktemp("drawn") / "m.json"
    path.write_text(json.dumps(document))
    model = CatBoost().load_model(str(path), format="json")
    model.save_model(str(path.with_suffix(".cbm")))
    ensemble = gw.read(path)
    rows = pd.DataFrame(rows_of(document, rng, 40)).set_axis(ensemble.feature_names, axis=1)
    pool = Pool(rows, cat_features=[name for name in ensemble.feature_names if name.startswith("c")])
    for own in (ensemble, gw.read(path.with_suffix(".cbm"))):
        np.testing.assert_array_equal(own.apply(rows), model.calc_leaf_indexes(pool, thread_count=1))
        np.testing.assert_allclose(own.predict_raw(rows), raw_of(model, pool)[:, 0], rtol=1e-12, atol=1e-12)
    for kind in {ctr["ctr_type"] for ctr in document["features_info"]["ctrs"]}:
        record("CatBoost", ".cbm and .json file, CTR, drawn at random", kind)


@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise", "Lossguide"])
def test_growing_policies_and_row_weights(policy: str, tmp_path: Path) -> None:
    weight = np.arange(len(TRAIN)) % 4 + 0.5
    model = CatBoostRegressor(**PAIRED, grow_policy=policy).fit(TRAIN, Y, sample_weight=weight)
    assert_agreement(model, FRESH)
    assert_files_agree(model, tmp_path, oblivious=policy == "SymmetricTree")
    record("CatBoost", f"CatBoostRegressor, {policy}", "CTR, row weights")


def test_ordered_boosting(tmp_path: Path) -> None:
    model = CatBoostRegressor(**PAIRED, boosting_type="Ordered").fit(TRAIN, Y)
    assert_agreement(model, FRESH)
    record("CatBoost", "CatBoostRegressor, CTR", "ordered boosting")


def test_counters_that_saw_levels_of_the_evaluation_table(tmp_path: Path) -> None:
    later = table(700, seed=5, n_cities=40)
    options = {**PAIRED, "counter_calc_method": "Full", "simple_ctr": ["Borders", "Counter"]}
    model = CatBoostRegressor(**options, combinations_ctr=["Counter"], use_best_model=False)
    model.fit(TRAIN, Y, eval_set=(later, target(later, seed=5)))
    assert_agreement(model, later)
    assert_agreement(model, FRESH)
    record("CatBoost", "CatBoostRegressor, CTR", "counter_calc_method Full")


def test_text_whole_numbers_and_flags_of_another_table(tmp_path: Path) -> None:
    train, fresh = mixed_frame(500, seed=0), mixed_frame(300, seed=1, unseen=True)
    options = {**QUIET, "iterations": 20, "one_hot_max_size": 1, "max_ctr_complexity": 2}
    model = CatBoostRegressor(**options, cat_features=["colour", "code", "flag"]).fit(train, signal(train, seed=0))
    assert_agreement(model, fresh)
    assert_files_agree(model, tmp_path)
    record("CatBoost", "CatBoostRegressor, CTR", "text, whole numbers and booleans as levels")


def test_sums_of_models(tmp_path: Path) -> None:
    one = CatBoostRegressor(**PAIRED).fit(TRAIN, Y)
    two = CatBoostRegressor(**{**PAIRED, "random_seed": 2, "depth": 3, "one_hot_max_size": 1}).fit(TRAIN, -Y)
    assert_agreement(sum_models([one, two], weights=[0.5, 2.0]), FRESH)
    record("CatBoost", "CatBoostRegressor, CTR", "sum_models")


def test_a_json_file_is_read_as_catboost_loads_it(tmp_path: Path) -> None:
    """If two CTRs differ only in how they group the target, CatBoost keeps one table for both in JSON."""
    ctrs = ["Borders:TargetBorderCount=1", "Borders:TargetBorderCount=3"]
    model = CatBoostRegressor(**SMALL, simple_ctr=ctrs).fit(TRAIN, Y)
    assert_agreement(model, FRESH)
    model.save_model(str(tmp_path / "m.json"), format="json")
    loaded = CatBoost().load_model(str(tmp_path / "m.json"), format="json")
    pool = Pool(FRESH, cat_features=CATEGORIES)
    theirs = raw_of(loaded, pool)[:, 0]
    assert np.abs(theirs - raw_of(model, pool)[:, 0]).max() > 0.01
    np.testing.assert_allclose(gw.read(tmp_path / "m.json").predict_raw(FRESH), theirs, rtol=1e-12, atol=1e-12)


def test_a_file_is_asked_in_a_process_of_its_own(tmp_path: Path) -> None:
    CatBoostRegressor(**PAIRED).fit(TRAIN, Y).save_model(str(tmp_path / "m.cbm"))
    assert gw.read(tmp_path / "m.cbm", FRESH).source.parity.leaves_equal is True
    record("CatBoost", ".cbm file", "CTR of combinations, checked in a child process")


def test_effects_and_attributions_of_combinations() -> None:
    model = CatBoostRegressor(**PAIRED).fit(TRAIN, Y)
    some = TRAIN.head(60)
    fx = gw.effects(model, some)
    assert {str(label) for label in fx["kind"].to_frame("pandas")["category"].dropna()} >= set(TRAIN["kind"])
    found = gw.attributions(model, some, background=some)
    np.testing.assert_allclose(found.baseline + found.values.sum(axis=1), raw_of(model, some)[:, 0], rtol=1e-9)
    with pytest.raises(gw.UnsupportedModelError, match="weight"):
        gw.attributions(model, some, method="path")


def test_attributions_by_path_where_no_leaf_is_divided() -> None:
    model = CatBoostRegressor(**SMALL, max_ctr_complexity=1).fit(TRAIN, Y)
    found = gw.attributions(model, FRESH, method="path")
    np.testing.assert_allclose(found.baseline + found.values.sum(axis=1), raw_of(model, FRESH)[:, 0], rtol=1e-9)

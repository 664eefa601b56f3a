"""gw.bounds equals the least and the largest raw over every row that a small model can tell apart."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import text_hash
from tests.agreement.small_models import catboost, forest, frame, histogram_boosting, lightgbm, own, xgboost
from tests.reference import predict as reference
from tests.reference.built import built
from tests.reference.proofs import all_columns, small


def as_table(rows: tuple[dict, ...]) -> np.ndarray:
    return np.array([[np.nan if value is None else value for value in row.values()] for row in rows], dtype=float)


@given(st.integers(0, 2**32))
@settings(max_examples=300)
def test_bounds_are_those_of_every_row(seed: int) -> None:
    arrays = small(seed)
    raw = gw.Ensemble._plan(built(arrays)).predict_raw(all_columns(arrays), 1)
    found = gw.bounds(built(arrays))
    assert found.proven
    np.testing.assert_array_equal(found.low, raw.min(axis=0))
    np.testing.assert_array_equal(found.high, raw.max(axis=0))
    for rows, expected in ((found.row_low, found.low), (found.row_high, found.high)):
        answers = built(arrays).predict_raw(as_table(rows)).reshape(len(rows), -1)
        np.testing.assert_array_equal(np.diag(answers), expected)


@given(st.integers(0, 2**32), st.integers(1, 4))
@settings(max_examples=200)
def test_a_search_that_ends_early_holds_a_true_bound(seed: int, max_nodes: int) -> None:
    arrays = small(seed)
    raw = reference.predict_raw(arrays, all_columns(arrays))
    found = gw.bounds(built(arrays), max_nodes=max_nodes)
    assert np.all(found.low <= raw.min(axis=0)) and np.all(found.high >= raw.max(axis=0))
    assert np.all(found.found_low >= raw.min(axis=0)) and np.all(found.found_high <= raw.max(axis=0))
    exact = np.array_equal(found.low, raw.min(axis=0)) and np.array_equal(found.high, raw.max(axis=0))
    assert exact or not found.proven


@given(st.integers(0, 2**32))
@settings(max_examples=150)
def test_bounds_in_a_domain_are_those_of_its_rows(seed: int) -> None:
    arrays = small(seed)
    rng = np.random.default_rng(seed)
    domain, only = {}, {}
    for j, n_levels in enumerate(arrays["n_levels"].tolist()):
        if n_levels:
            only[j] = rng.choice(n_levels, size=1 + int(rng.integers(n_levels)), replace=False).tolist()
            domain[f"x{j}"] = list(only[j])
        elif rng.random() < 0.7:
            low, high = np.sort(rng.normal(size=2)).tolist()
            ends = arrays["threshold"][arrays["feature"] == j]
            near = [*ends, *np.nextafter(ends[np.isfinite(ends)], np.inf), 0.0, 1e-30, -1e-30]
            only[j] = [low, high, *(x for x in near if low <= x <= high)]
            domain[f"x{j}"] = (low, high)
    raw = reference.predict_raw(arrays, all_columns(arrays, only))
    found = gw.bounds(built(arrays), domain)
    np.testing.assert_array_equal(found.low, raw.min(axis=0))
    np.testing.assert_array_equal(found.high, raw.max(axis=0))


@pytest.mark.parametrize("n_classes", [0, 3])
@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, histogram_boosting, forest, own])
@pytest.mark.filterwarnings("ignore")
def test_no_row_of_a_library_s_model_is_beyond_its_bounds(make, n_classes: int) -> None:
    model, X = make(n_classes)
    ensemble = gw.read(model, X)
    found, around = gw.bounds(ensemble), gw.bounds(ensemble, X)
    assert found.proven and around.proven
    raw = ensemble.predict_raw(X).reshape(len(X), -1)
    for of in (found, around):
        assert np.all(of.low <= raw.min(axis=0)) and np.all(raw.max(axis=0) <= of.high)
    assert np.all(found.low <= around.low) and np.all(around.high <= found.high)
    row = pd.DataFrame([around.row_high[0]])[list(ensemble.feature_names)]
    if "colour" in row:
        row = row.astype({"colour": frame()["colour"].dtype})
    assert ensemble.predict_raw(row).ravel()[0] == around.high[0]


def test_predictions_follow_links_that_rise() -> None:
    model, _ = own(2)
    found = gw.bounds(model)
    np.testing.assert_allclose(found.prediction_high, 1 / (1 + np.exp(-found.high)))
    assert gw.bounds(own(3)[0]).prediction_high is None


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ({"nrmal": 1}, "no feature 'nrmal'; did you mean 'normal'"),
        ({"normal": (2, 1)}, r"low <= high, got \(2, 1\)"),
        ({"normal": "high"}, "'normal' is a number, got 'high'"),
        ({"colour": (1, 2)}, "'colour' is a category; give a list"),
        ({"colour": ["rd"]}, "no level 'rd'; did you mean 'red'"),
        ({"normal": []}, "allows no value of feature 'normal'"),
        (frame()[:0], "without rows"),
    ],
)
def test_a_domain_that_makes_no_sense_is_refused(domain, message: str) -> None:
    with pytest.raises(gw.OptionError, match=message):
        gw.bounds(own(0)[0], domain)


def test_time_and_nodes_are_checked() -> None:
    with pytest.raises(gw.OptionError, match="max_nodes"):
        gw.bounds(own(0)[0], max_nodes=0)
    with pytest.raises(gw.OptionError, match="time_limit"):
        gw.bounds(own(0)[0], time_limit=-1)


def test_no_time_still_gives_a_true_bound() -> None:
    model, X = own(0)
    found = gw.bounds(model, time_limit=0)
    raw = gw.read(model).predict_raw(X)
    assert found.low <= raw.min() and raw.max() <= found.high and found.found_high <= found.high


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_without_time_the_bounds_are_sums_of_the_best_leaves(seed: int) -> None:
    arrays = small(seed)
    raw = reference.predict_raw(arrays, all_columns(arrays))
    found = gw.bounds(built(arrays), time_limit=0)
    assert found.n_nodes == 0
    assert np.all(found.low <= raw.min(axis=0)) and np.all(raw.max(axis=0) <= found.high)
    assert np.all(found.low <= found.found_low) and np.all(found.found_high <= found.high)


def test_words_for_a_domain_are_refused_with_what_to_pass() -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.OptionError, match=r"domain is a table or a mapping, got 'data'; .* pass the rows"):
        gw.bounds(model, "data")


def test_levels_of_a_domain_are_found_by_their_hash() -> None:
    X = pd.DataFrame({"k": pd.Categorical(["x", "y", "z"])})
    model = gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 2.0, 9.0]).ensemble_
    hashes = tuple(text_hash(level) for level in ("x", "y", "z"))
    nameless = tuple(f"#{known:08x}" for known in hashes)
    stored = model._with_features(dataclasses.replace(model.features, categories=(nameless,), hashes=(hashes,)))
    for levels in (["x", "y"], X["k"][:2], X["k"].unique()[:2], np.array(["x", "y"]), nameless[:2], {"x", nameless[1]}):
        found = gw.bounds(stored, {"k": list(levels) if isinstance(levels, tuple) else levels})
        assert (found.low[0], found.high[0]) == (1.0, 2.0)
    with pytest.raises(gw.OptionError, match="feature 'k' has no level 'w'"):
        gw.bounds(stored, {"k": "w"})


def test_values_of_a_domain_that_are_no_values_are_named() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, np.nan], "k": pd.Categorical(["x", "y", None])})
    model = gw.BoostingRegressor(n_estimators=2, min_weight_leaf=0.0).fit(X, [1.0, 2.0, 9.0])
    assert gw.bounds(model, {"k": pd.NA, "a": pd.NA}).row_low[0] == {"a": None, "k": None}
    for domain in ({"a": 10**400}, {"a": (0, 10**400)}, {"a": [1.0, 10**400]}):
        with pytest.raises(gw.OptionError, match="domain: feature 'a' is given an integer too large"):
            gw.bounds(model, domain)
    with pytest.raises(gw.TableError, match="domain: feature 'k' has list categories"):
        gw.bounds(model, {"k": [["x"]]})

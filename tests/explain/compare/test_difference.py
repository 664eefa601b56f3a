"""gw.difference: identities, over models of several libraries."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from tests.agreement.small_models import catboost, forest, frame, histogram_boosting, lightgbm, own, xgboost
from tests.reference.built import built
from tests.reference.ensembles import random_pair

N = 60


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, histogram_boosting])
@pytest.mark.filterwarnings("ignore")
def test_models_of_two_libraries_are_subtracted(make: Any, n_classes: int) -> None:
    (a, X), (b, _) = make(n_classes), own(n_classes)
    both = gw.difference(a, b, X, scale="raw")
    assert set(both.feature_names) == set(X.columns) and not both.features.coded.any()
    expected = gw.read(a, X).predict_raw(X) - gw.read(b).predict_raw(X)
    np.testing.assert_allclose(both.predict_raw(X), expected, rtol=0, atol=1e-12)


def cell_of(cells: Any, lower: float, upper: float, missing: bool, category: Any) -> int:
    if len(cells) == 1:  # the model does not use the feature
        return 0
    for i in range(len(cells)):
        if missing or cells.missing[i]:
            if missing and cells.missing[i]:
                return i
        elif cells.is_category:
            if cells.category[i] == category:
                return i
        elif cells.lower[i] <= lower and upper <= cells.upper[i]:
            return i
    raise AssertionError("no such cell")


@pytest.mark.parametrize("method", ["interventional", "path"])
def test_effects_of_the_difference_are_the_difference_of_effects(method: str) -> None:
    (a, X), _ = own(0), None
    b = gw.BoostingRegressor(n_estimators=4, max_depth=2).fit(frame(), frame()["normal"])
    rows = X if method == "interventional" else None
    of_both, of_a, of_b = (gw.effects(model, rows, method=method) for model in (gw.difference(a, b), a, b))
    for name in X.columns:
        cells = of_both[name].cells
        for i in range(len(cells)):
            at = cells.lower[i], cells.upper[i], bool(cells.missing[i]), cells.category[i]
            parts = [fx[name].value[cell_of(fx[name].cells, *at)] for fx in (of_a, of_b)]
            np.testing.assert_allclose(of_both[name].value[i], parts[0] - parts[1], rtol=1e-12, atol=1e-12)


@given(st.integers(0, 2**32))
@settings(max_examples=40)
def test_effects_and_ledger_of_random_differences_add_up(seed: int) -> None:
    a, b, rng = random_pair(seed, n_category_features=0)
    if len(a["baseline"]) > 1:
        return
    for arrays in (a, b):
        arrays["zero_is_missing"] = np.zeros(len(arrays["n_levels"]), dtype=bool)
    rows = rng.normal(size=(30, len(a["n_levels"])))
    rows[rng.random(rows.shape) < 0.1] = np.nan
    one, two = built(a), built(b)
    both = gw.difference(one, two)
    of_both, of_a, of_b = (gw.effects(model, rows) for model in (both, one, two))
    for name in both.feature_names:
        cells = of_both[name].cells
        for i in range(len(cells)):
            at = cells.lower[i], cells.upper[i], bool(cells.missing[i]), cells.category[i]
            parts = [fx[name].value[cell_of(fx[name].cells, *at)] for fx in (of_a, of_b)]
            np.testing.assert_allclose(of_both[name].value[i], parts[0] - parts[1], rtol=1e-12, atol=1e-12)
    expected = one.predict_raw(rows) - two.predict_raw(rows)
    if expected.var() > 1e-12:
        ledger = gw.ledger(both, rows)
        np.testing.assert_allclose(ledger.variance, expected.var(), rtol=1e-9)
        assert -1e-9 <= ledger.effects[0] <= ledger.effects_and_pairs[0] + 1e-9 <= 1 + 2e-9


@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, histogram_boosting, forest, own])
@pytest.mark.filterwarnings("ignore")
def test_a_model_minus_itself_is_exactly_zero(make: Any) -> None:
    for n_classes in (0, 3):
        model, X = make(n_classes)
        assert not gw.difference(model, model, X).predict_raw(X).any()


def test_the_ledger_of_a_difference_adds_up() -> None:
    model, X = own(0)
    b = gw.BoostingRegressor(n_estimators=4, max_depth=2).fit(frame(), frame()["normal"])
    found = gw.ledger(gw.difference(model, b), X)
    expected = gw.read(model).predict_raw(X) - gw.read(b).predict_raw(X)
    np.testing.assert_allclose(found.variance, np.var(expected), rtol=1e-10)
    assert 0 <= found.effects[0] <= found.effects_and_pairs[0] <= 1


def test_attributions_of_the_difference_add_up() -> None:
    (a, X), (b, _) = own(0), lightgbm(0)
    found = gw.attributions(gw.difference(a, b, X), X, background=X[:20])
    expected = gw.read(a).predict_raw(X) - gw.read(b, X).predict_raw(X)
    np.testing.assert_allclose(found.values.sum(axis=1) + found.baseline, expected, atol=1e-10)


def test_different_links_need_a_word() -> None:
    (a, X), (b, _) = own(2), own(0)
    with pytest.raises(gw.UnsupportedModelError, match=r"link logit, the second identity.*scale='raw'"):
        gw.difference(a, b)
    expected = gw.read(a).predict_raw(X) - gw.read(b).predict_raw(X)
    np.testing.assert_allclose(gw.difference(a, b, scale="raw").predict_raw(X), expected, atol=1e-13)
    with pytest.raises(gw.OptionError, match="scale must be one of"):
        gw.difference(a, b, scale="log")


def test_models_with_other_features_need_a_table_with_all() -> None:
    (a, X), (b, rows) = own(0), forest(0)
    table = pd.concat([X, rows.drop(columns=[name for name in rows if name in X])], axis=1)
    both = gw.difference(a, b, table)
    assert set(both.feature_names) == set(table.columns)
    expected = gw.read(a).predict_raw(X) - gw.read(b).predict_raw(table[rows.columns])
    np.testing.assert_allclose(both.predict_raw(table), expected, atol=1e-12)


def test_other_outputs_are_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="other outputs"):
        gw.difference(own(2)[0], own(3)[0], scale="raw")

"""A model times a power of two has the same explanations times that power, bit by bit, at any scale."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import Ensemble
from glasswood.explain.effects import purify
from glasswood.results._outputs import weighted_mean, weighted_sd
from tests.reference.built import built_with_columns
from tests.reference.effect_cases import as_frame

POWERS = [600, -600, 40, -40, 900, -900]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3)).round(1)
X[::11, 1] = np.nan
Y = X[:, 0] * np.nan_to_num(X[:, 1]) + X[:, 2] ** 2 + RNG.normal(size=300) * 0.1
MODEL = gw.BoostingRegressor(n_estimators=8, max_depth=3).fit(X, Y).ensemble_
CLASSES = gw.BoostingClassifier(n_estimators=3, max_depth=2).fit(X, np.digitize(Y, [0.5, 2.0])).ensemble_
METHODS = ["interventional", "path", "observed", "shared", "leafmean", "treemind"]


def times(model: Ensemble, power: int, weight_power: int = 0) -> Ensemble:
    factor = 2.0**power
    return dataclasses.replace(
        model, value=model.value * factor, baseline=model.baseline * factor, weight=model.weight * 2.0**weight_power
    )


def check(found: Any, expected: Any, names: str, factor: float) -> None:
    for name in names.split():
        np.testing.assert_array_equal(
            np.asarray(getattr(found, name)), np.asarray(getattr(expected, name)) * factor, err_msg=name
        )


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rows", [X, None], ids=["rows", "no rows"])
@pytest.mark.parametrize("model", [MODEL, CLASSES], ids=["one output", "several"])
def test_effects(model: Ensemble, rows: Any, method: str, power: int) -> None:
    if rows is None and method in ("interventional", "observed"):
        return
    expected = gw.effects(model, rows, method=method)
    found = gw.effects(times(model, power, power), rows, method=method)
    for one, other in zip(found.features, expected.features, strict=True):
        check(one, other, "value effect spread baseline", 2.0**power)
        check(one, other, "weight", 2.0**power if rows is None else 1.0)
    check(found.importance(), expected.importance(), "sd mean_abs", 2.0**power)
    assert found.importance().features == expected.importance().features


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("degree", [2, 3])
def test_interactions(method: str, degree: int, power: int) -> None:
    for rows in (X, None):
        if rows is None and method in ("interventional", "observed"):
            continue
        expected = gw.interactions(MODEL, rows, method=method, degree=degree)
        found = gw.interactions(times(MODEL, power, power), rows, method=method, degree=degree)
        for one, other in zip(found.tables, expected.tables, strict=True):
            check(one, other, "value effect spread baseline term_sd interaction strength", 2.0**power)
            check(one, other, "h2", 1.0)
            for margin, known in zip(one.alone, other.alone, strict=True):
                np.testing.assert_array_equal(margin, known * 2.0**power)


@pytest.mark.parametrize("power", [600, -600, 40, -40])
@pytest.mark.parametrize("model", [MODEL, CLASSES], ids=["one output", "several"])
def test_ledger(model: Ensemble, power: int) -> None:
    expected, found = gw.ledger(model, X), gw.ledger(times(model, power), X)
    assert 0.5 < expected.effects.min() < 1.0
    check(found, expected, "effects effects_and_pairs pairs left_over", 1.0)
    check(found, expected, "mean", 2.0**power)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found.variance, np.ldexp(expected.variance, 2 * power))
    found.to_frame(), found.to_dict(), found._repr_html_()


def test_boosted_neighbours() -> None:
    expected = gw.examples(MODEL, X, method="boosted").weights(X).toarray()
    assert expected.any()
    for power in POWERS:
        found = gw.examples(times(MODEL, power), X, method="boosted").weights(X).toarray()
        np.testing.assert_array_equal(found, expected)


def test_the_ledger_of_a_target_of_1e200_is_that_of_the_target() -> None:
    for model in (gw.TreeRegressor(max_depth=4), gw.ForestRegressor(5, max_depth=4, random_state=0)):
        plain, large = (clone_fit(model, factor) for factor in (1.0, 1e200))
        np.testing.assert_allclose(gw.ledger(large, X).effects, gw.ledger(plain, X).effects, rtol=1e-9)
        one, other = gw.interactions(large, X)[0, 1], gw.interactions(plain, X)[0, 1]
        assert one.h2 == pytest.approx(other.h2) and other.h2 > 0.01
        assert one.strength == pytest.approx(other.strength * 1e200)


def clone_fit(model: Any, factor: float) -> Any:
    return type(model)(**model.get_params()).fit(X, Y * factor)


@settings(max_examples=60)
@given(built_with_columns(n_rows=20, n_leaves=6, odd=False), st.sampled_from(POWERS[:4]))
def test_any_model(case: tuple[Ensemble, Any], power: int) -> None:
    model, columns = case
    if model.n_trees == 0 or np.abs(model.value).max(initial=0.0) > 1e30:
        return
    rows = as_frame(model, columns)
    expected, found = gw.effects(model, rows), gw.effects(times(model, power), rows)
    for one, other in zip(found.features, expected.features, strict=True):
        check(one, other, "value effect baseline", 2.0**power)


@pytest.mark.parametrize("power", POWERS)
def test_means_and_deviations_of_tables(power: int) -> None:
    value, weight = RNG.normal(size=(4, 5)), RNG.random((4, 5)) * (RNG.random((4, 5)) < 0.7)
    factor = 2.0**power
    for w in (weight, weight * 2.0**-power):
        assert weighted_mean(value * factor, w) == weighted_mean(value, weight) * factor
        assert weighted_sd(value * factor, w) == weighted_sd(value, weight) * factor
        np.testing.assert_array_equal(purify(value * factor, w), purify(value, weight) * factor)
        cube, mass = np.stack([value, value[::-1]]), np.stack([w, w])
        np.testing.assert_array_equal(purify(cube * factor, mass), purify(cube, np.stack([weight, weight])) * factor)

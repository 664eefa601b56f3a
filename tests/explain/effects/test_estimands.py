"""Every method at every degree equals its definition: categories, missing and unseen cells, weights, outputs."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

import glasswood as gw
from tests.reference import effects as reference
from tests.reference.effect_cases import Case, cases, random_case

METHODS = ("interventional", "path", "observed", "shared", "leafmean", "treemind")
WAYS = [(method, True) for method in METHODS] + [(method, False) for method in METHODS if method[0] not in "io"]


def same(found: Any, expected: NDArray[np.float64], tolerance: float = 1e-10) -> None:
    shaped = np.asarray(found, dtype=float).reshape(expected.shape)
    np.testing.assert_allclose(shaped, expected, rtol=tolerance, atol=tolerance)


def arguments(case: Case, with_rows: bool) -> dict[str, Any]:
    return {"X": case.X, "sample_weight": case.weight} if with_rows else {}


def check(found: Any, case: Case, S: tuple[int, ...], method: str, with_rows: bool) -> None:
    expected = reference.compute(case.ensemble, S, method, *((case.rows, case.w) if with_rows else ()))
    same(found.value, expected.value)
    same(found.weight, expected.weight)
    # the variance is a difference of two sums: half of the digits are left in its root
    same(found.spread, expected.spread, 1e-6)


@pytest.mark.parametrize(("method", "with_rows"), WAYS)
@settings(max_examples=15)
@given(case=cases())
def test_effects_equal_their_definition(method: str, with_rows: bool, case: Case) -> None:
    fx = gw.effects(case.ensemble, method=method, **arguments(case, with_rows))
    for f in range(len(case.ensemble.features)):
        check(fx[f], case, (f,), method, with_rows)


@pytest.mark.parametrize("seed", [45, 278, 369])
def test_missing_values_separated_by_infinity_have_a_cell(seed: int) -> None:
    case = random_case(seed)
    assert np.isposinf(case.ensemble.threshold).any() and not case.ensemble.features.missing_routed.all()
    for with_rows in (True, False):
        fx = gw.effects(case.ensemble, method="leafmean", **arguments(case, with_rows))
        for f in range(len(case.ensemble.features)):
            check(fx[f], case, (f,), "leafmean", with_rows)


def test_thresholds_next_to_a_zero_that_is_missing_are_one() -> None:
    case = random_case(323, n_features=3, n_category_features=1)
    assert case.ensemble.features.zero_is_missing[0] and {0.0, 1e-35} <= set(case.ensemble.threshold.tolist())
    for method in METHODS:
        ix = gw.interactions(case.ensemble, method=method, **arguments(case, True))
        for S in combinations(range(3), 2):
            check(ix[S], case, S, method, True)


@pytest.mark.parametrize(("method", "with_rows"), WAYS)
@settings(max_examples=8)
@given(case=cases(n_features=3, n_category_features=1))
def test_pairs_equal_their_definition(method: str, with_rows: bool, case: Case) -> None:
    ix = gw.interactions(case.ensemble, method=method, **arguments(case, with_rows))
    for S in combinations(range(3), 2):
        check(ix[S], case, S, method, with_rows)


@pytest.mark.parametrize(("method", "with_rows"), WAYS)
@settings(max_examples=3)
@given(case=cases(n_features=3, n_category_features=1, n_thresholds=2))
def test_triples_equal_their_definition(method: str, with_rows: bool, case: Case) -> None:
    ix = gw.interactions(case.ensemble, degree=3, method=method, **arguments(case, with_rows))
    check(ix[2, 0, 1].transpose(("x0", "x1", "x2")), case, (0, 1, 2), method, with_rows)


@settings(max_examples=15)
@given(case=cases(n_features=3, n_category_features=1))
def test_h2_equals_its_definition_whatever_the_method(case: Case) -> None:
    exact = gw.interactions(case.ensemble, **arguments(case, True))
    path = gw.interactions(case.ensemble, method="path", **arguments(case, True))
    for S in combinations(range(3), 2):
        expected = reference.h2(case.ensemble, *S, case.rows, case.w)
        same(exact[S].h2, expected)
        same(path[S].h2, expected)


def test_large_requests_come_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    from glasswood.explain.effects.estimands import _tables
    from tests.reference.effect_cases import random_case

    case = random_case(3, n_features=4, n_category_features=1, n_trees=4)
    whole = gw.interactions(case.ensemble, case.X)
    monkeypatch.setattr(_tables, "_GROUP_CELLS", 1)
    for key, table in gw.interactions(case.ensemble, case.X).items():
        np.testing.assert_array_equal(table.value, whole[key].value)
        np.testing.assert_array_equal(table.h2, whole[key].h2)

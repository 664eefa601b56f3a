"""ledger: what the terms of partial dependence reproduce."""

import resource
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

import glasswood as gw
from glasswood.errors import OptionError, TableError
from glasswood.explain.effects import _nested_shares
from tests.ensemble.examples import two_trees
from tests.reference import effects as reference
from tests.reference.built import built
from tests.reference.effect_cases import Case, cases
from tests.reference.ensembles import Recipe, random_ensemble

RNG = np.random.default_rng(0)
X = RNG.normal(size=(700, 4))


def model(n_leaves: int, shape: str) -> gw.Ensemble:
    recipe = Recipe(n_trees=20, n_features=4, n_leaves=n_leaves, shapes=(shape,), odd=False, n_outputs=2)
    return built(random_ensemble(np.random.default_rng(3), recipe))


@settings(max_examples=15)
@given(case=cases())
def test_shares_equal_their_definition(case: Case) -> None:
    found = gw.ledger(case.ensemble, case.X, sample_weight=case.weight)
    variance, effects, pairs = reference.ledger(case.ensemble, case.rows, case.w)
    np.testing.assert_allclose(found.variance, variance, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.effects, effects, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.effects_and_pairs, pairs, rtol=1e-8, atol=1e-8)


def test_stumps_are_the_sum_of_their_effects() -> None:
    e = model(2, "grown")
    np.testing.assert_allclose(gw.ledger(e, X).effects, 1, atol=1e-12)
    fx = gw.effects(e, X)
    total = np.tile(gw.effects(e, X)[0].value.T @ fx[0].weight[:, 0] / len(X), (len(X), 1))
    for effect in fx.values():
        inner = effect.cells.upper[:-2] if effect.cells.missing[-1] else effect.cells.upper[:-1]
        centre = effect.weight[:, 0] @ effect.value / len(X)
        total += effect.value[np.searchsorted(inner, X[:, e.feature_names.index(effect.feature)])] - centre
    np.testing.assert_allclose(total, e.predict_raw(X), atol=1e-9)


def test_depth_2_is_the_sum_of_effects_and_pairs() -> None:
    found = gw.ledger(model(4, "oblivious"), X)
    np.testing.assert_allclose(found.effects_and_pairs, 1, atol=1e-12)
    assert (found.effects < 0.999).all()


@settings(max_examples=30)
@given(case=cases())
def test_shares_are_never_negative_and_add_up_to_one(case: Case) -> None:
    found = gw.ledger(case.ensemble, case.X, sample_weight=case.weight)
    parts = np.array([found.effects, found.pairs, found.left_over])
    assert (parts >= 0).all()
    np.testing.assert_allclose(parts.sum(axis=0), 1, rtol=1e-15)
    assert (found.effects_and_pairs >= found.as_they_stand - 1e-12).all()


def test_correlated_features_do_not_spoil_the_shares() -> None:
    """Five features that are all 0 or all 1, and a model that uses all of them: each effect alone reproduces it.

    Added without coefficients, effects range from −1.25 to 1.25 while raw ranges from −.5 to .5, and ten pairs subtract
    5: the share of all terms is 1 − (3.5 / 1)².
    """
    corners = np.array(list(product([0.0, 1.0], repeat=5)))
    tree = gw.TreeRegressor().fit(corners, corners.prod(axis=1))
    found = gw.ledger(tree, corners[[0, -1]])
    assert found.effects.tolist() == pytest.approx([1]) and found.left_over.tolist() == pytest.approx([0])
    assert found.as_they_stand.tolist() == pytest.approx([1 - 3.5**2])


def test_terms_beyond_the_limit_share_a_coefficient(monkeypatch: pytest.MonkeyPatch) -> None:
    e = model(8, "grown")
    whole = gw.ledger(e, X)
    monkeypatch.setattr(_nested_shares, "_MAX_COLUMNS", 5)
    monkeypatch.setattr(_nested_shares, "_MIN_COLUMNS", 1)
    found = gw.ledger(e, X)
    np.testing.assert_array_equal(found.effects, whole.effects)
    assert (found.effects <= found.effects_and_pairs).all()
    assert (found.effects_and_pairs <= whole.effects_and_pairs + 1e-12).all()
    np.testing.assert_array_equal(found.effects_and_pairs, gw.ledger(e, X, n_jobs=3).effects_and_pairs)


def test_a_constant_model_is_reproduced() -> None:
    recipe = Recipe(n_trees=0, n_features=2)
    found = gw.ledger(built(random_ensemble(RNG, recipe)), X[:, :2])
    assert found.effects.tolist() == found.effects_and_pairs.tolist() == [1]
    assert found.left_over.tolist() == [0]


@settings(max_examples=25)
@given(case=cases())
def test_terms_at_the_rows_alone_give_the_same_shares(case: Case) -> None:
    whole = gw.ledger(case.ensemble, case.X, sample_weight=case.weight)
    alone = gw.ledger(case.ensemble, case.X, sample_weight=case.weight, max_cells=1)
    np.testing.assert_allclose(alone.effects_and_pairs, whole.effects_and_pairs, rtol=1e-9, atol=1e-9)


def test_many_cells_need_little_memory_and_any_number_of_threads() -> None:
    """A pair of 9,000 × 9,000 cells, as in forests of full depth, is never allocated."""
    recipe = Recipe(n_trees=40, n_features=3, n_leaves=900, n_thresholds=200_000, shapes=("grown",), odd=False)
    e = built(random_ensemble(np.random.default_rng(5), recipe))
    rows = np.random.default_rng(6).normal(size=(300, 3))
    with pytest.raises(OptionError, match="max_cells=50,000,000"):
        gw.interactions(e, rows)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = gw.ledger(e, rows)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # kB; one table would take 650 MB
    np.testing.assert_array_equal(gw.ledger(e, rows, n_jobs=2).effects_and_pairs, found.effects_and_pairs)
    np.testing.assert_allclose(gw.ledger(e.cut(2), rows, max_cells=1).effects_and_pairs, 1, atol=1e-9)


def test_rows_are_needed_and_options_checked() -> None:
    with pytest.raises(TableError, match="pass X"):
        gw.ledger(two_trees(), None)  # type: ignore[arg-type]
    for wrong in ("a", 0, -1, 1.5):
        with pytest.raises(OptionError, match="max_cells must be"):
            gw.ledger(two_trees(), np.zeros((1, 2)), max_cells=wrong)  # type: ignore[arg-type]
    with pytest.raises(TableError, match="no row"):
        gw.ledger(two_trees(), np.zeros((1, 2)), sample_weight=[0.0])
    with pytest.raises(TableError, match="sum of sample_weight is infinite"):
        gw.ledger(two_trees(), np.zeros((2, 2)), sample_weight=[1e308, 1e308])

"""interactions: what must hold for every model, and what is refused."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import glasswood as gw
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError
from tests.ensemble.examples import two_trees
from tests.reference import effects as reference
from tests.reference.built import built
from tests.reference.effect_cases import Case, cases, random_case
from tests.reference.ensembles import Recipe, random_ensemble


def additive_model(seed: int = 0) -> Ensemble:
    """Trees of one split each."""
    recipe = Recipe(n_trees=30, n_features=3, n_category_features=1, n_leaves=2, shapes=("grown",))
    return built(random_ensemble(np.random.default_rng(seed), recipe))


@settings(max_examples=10)
@given(case=cases(n_features=2))
def test_all_features_together_explain_raw_completely(case: Case) -> None:
    table = gw.interactions(case.ensemble, case.X, sample_weight=case.weight)["x0", "x1"]
    raw = case.ensemble.predict_raw(case.X)
    axes = [reference.cells(case.ensemble, f) for f in (0, 1)]
    for row, found in zip(case.rows, raw, strict=True):
        at = tuple(axis.index(cell) for axis, cell in zip(axes, row, strict=True))
        np.testing.assert_allclose(table.value[at], found, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("method", ["interventional", "path"])
def test_an_additive_model_has_no_interaction(method: str) -> None:
    e = additive_model()
    X = [[x, y, c] for x in (-1.0, 0.0, 0.3, 2.0) for y in (-1.0, 1.0, 0.2) for c in (0, 1)]
    ix = gw.interactions(e, np.array(X) if method == "interventional" else None, method=method)
    for table in ix.values():
        assert np.abs(table.interaction).max() < 1e-12
        assert table.strength < 1e-12
        assert np.isnan(table.h2) or table.h2 < 1e-24


def test_features_never_on_one_path_have_h2_of_exactly_0() -> None:
    ix = gw.interactions(additive_model(), np.zeros((5, 3)))
    assert [table.h2 for table in ix.values()] == [0, 0, 0]


@settings(max_examples=10)
@given(case=cases(n_features=3, n_category_features=1))
def test_purified_tables_have_mean_0_along_every_feature(case: Case) -> None:
    for table in gw.interactions(case.ensemble, case.X, sample_weight=case.weight).values():
        n = len(case.ensemble.outputs)
        product = (table.interaction * table.weight).reshape(*(len(c) for c in table.cells), n)
        scale = 1 + np.abs(table.value).max()
        assert np.abs(product.sum(axis=0)).max() < 1e-10 * scale * case.w.sum()
        assert np.abs(product.sum(axis=1)).max() < 1e-10 * scale * case.w.sum()


def test_a_pair_may_be_asked_for_in_either_order() -> None:
    ix = gw.interactions(two_trees())
    forth, back = ix["f1", "f2"], ix["f2", "f1"]
    np.testing.assert_array_equal(back.value, forth.value.T)
    np.testing.assert_array_equal(back.interaction, forth.interaction.T)
    assert back.cells == forth.cells[::-1]
    assert ix[0, 1] is forth
    assert list(ix) == [("f1", "f2")]


def test_pairs_are_chosen() -> None:
    e = random_case(5, n_features=4, n_trees=4).ensemble
    assert list(gw.interactions(e, pairs=[("x2", 0), (1, "x3")])) == [("x2", "x0"), ("x1", "x3")]
    assert list(gw.interactions(e, features=[0, 2, 3])) == [("x0", "x2"), ("x0", "x3"), ("x2", "x3")]
    assert list(gw.interactions(e, pairs=np.array([[2, 0], [1, 3]]))) == [("x2", "x0"), ("x1", "x3")]
    assert list(gw.interactions(e, pairs=(pair for pair in [(0, 1)]))) == [("x0", "x1")]
    assert len(gw.interactions(e, degree=3)) == 4
    assert list(gw.interactions(e, pairs=[("x0", "x1", "x2")], degree=3)) == [("x0", "x1", "x2")]


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"pairs": [("f1", "nope")]}, "no feature 'nope'"),
        ({"pairs": [("f1",)]}, "tuples of 2 features"),
        ({"pairs": "f1"}, "tuples of 2 features, got 'f1'"),
        ({"pairs": 3}, "tuples of 2 features, got 3"),
        ({"pairs": iter(())}, "pairs is empty"),
        ({"pairs": [("f1", "f1")]}, "names one twice"),
        ({"pairs": [("f1", "f2"), ("f2", "f1")]}, "same features twice"),
        ({"pairs": [("f1", "f2")], "features": ["f1"]}, "not both"),
        ({"degree": 1}, "at least 2"),
        ({"degree": 3}, "needs as many features"),
        ({"max_cells": "a"}, "max_cells must be a whole number, at least 1; got 'a'"),
        ({"max_cells": 0}, "max_cells must be a whole number, at least 1; got 0"),
        ({"max_cells": -1}, "max_cells must be a whole number, at least 1; got -1"),
        ({"max_cells": 15}, "16 cells, more than max_cells=15.*fewer pairs"),
    ],
)
def test_impossible_requests_are_refused(kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        gw.interactions(two_trees(), **kwargs)


@pytest.mark.parametrize("method", ["interventional", "path", "observed", "shared", "leafmean", "treemind"])
@pytest.mark.parametrize("with_rows", [False, True])
def test_the_margins_of_a_pair_are_the_effects_of_its_features(method: str, with_rows: bool) -> None:
    if method in ("interventional", "observed") and not with_rows:
        return
    case = random_case(11, n_features=3, n_category_features=1, n_trees=6)
    rows = {"X": case.X, "sample_weight": case.weight} if with_rows else {}
    fx = gw.effects(case.ensemble, method=method, **rows)
    ix = gw.interactions(case.ensemble, method=method, **rows)
    for table in (*ix.values(), ix["x2", "x0"]):
        for name, margin in zip(table.features, table.alone, strict=True):
            np.testing.assert_allclose(margin, fx[name].effect, rtol=1e-10, atol=1e-10)
    assert gw.interactions(case.ensemble, degree=3, method=method, **rows)["x0", "x1", "x2"].margins() == ()


@settings(max_examples=10)
@given(case=cases(n_features=3, n_category_features=1))
def test_the_sd_of_a_term_is_that_of_its_values_at_the_rows(case: Case) -> None:
    fx = gw.effects(case.ensemble, case.X, sample_weight=case.weight)
    by_path = gw.interactions(case.ensemble, case.X, method="path", sample_weight=case.weight)
    n = len(case.ensemble.outputs)
    for S, table in gw.interactions(case.ensemble, case.X, sample_weight=case.weight).items():
        j, k = (fx[name].value.reshape(-1, n) for name in S)
        term = table.value.reshape(len(j), len(k), n) - j[:, None] - k[None]
        w = table.weight.reshape(len(j), len(k), n) / case.w.sum()
        sd = np.sqrt(np.sum(w * (term - np.sum(w * term, axis=(0, 1))) ** 2, axis=(0, 1)))
        np.testing.assert_allclose(np.atleast_1d(table.term_sd), sd, atol=1e-9 * (1 + np.abs(term).max()))
        np.testing.assert_array_equal(by_path[S].term_sd, table.term_sd)


def test_the_sd_of_terms_ranks_where_cells_outnumber_rows() -> None:
    """If nearly every row has its own row and column of the table, little remains after purifying."""
    from sklearn.ensemble import RandomForestRegressor

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    model = RandomForestRegressor(60, random_state=0).fit(X, 2 * X[:, 0] * X[:, 1] + X[:, 2])
    ix = gw.interactions(model, X)
    assert ix.ranking(by="term_sd").to_frame("polars").row(0)[:2] == ("x0", "x1")
    assert ix["x0", "x1"].strength < 0.5 * ix["x0", "x1"].term_sd


def test_strength_ranks_pairs() -> None:
    rng = np.random.default_rng(0)
    from sklearn.ensemble import RandomForestRegressor

    X = rng.normal(size=(500, 3))
    model = RandomForestRegressor(10, max_depth=4, random_state=0).fit(X, 4 * X[:, 0] * X[:, 1] + 0.1 * X[:, 2])
    ix = gw.interactions(model, X)
    frame = ix.ranking().to_frame("polars")
    assert frame.columns == ["feature_0", "feature_1", "strength", "h2"]
    assert frame.row(0)[:2] == ("x0", "x1")
    assert frame["strength"].is_sorted(descending=True)


@settings(max_examples=6)
@given(case=cases(n_features=3, n_category_features=1))
def test_purified_tables_equal_dense_least_squares(case: Case) -> None:
    n = len(case.ensemble.outputs)
    for kwargs in ({}, {"X": case.X, "sample_weight": case.weight}):
        ix = gw.interactions(case.ensemble, method="path", **kwargs)
        for S in combinations(range(3), 2):
            shape = (*(len(c) for c in ix[S].cells), n)
            value, weight, found = (a.reshape(shape) for a in (ix[S].value, ix[S].weight, ix[S].interaction))
            for o in range(n):
                if weight[..., o].any():
                    expected = reference.purify(value[..., o], weight[..., o])
                    np.testing.assert_allclose(found[..., o], expected, atol=1e-8)

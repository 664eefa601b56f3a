"""Coarse pairs are means of exact joint effects over rows; what they leave out is said and adds up."""

import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.errors import OptionError
from glasswood.explain.effects import _interactions, _row_terms, coarse_interactions, find_terms
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.explain.effects._coarse_cells import coarse_cells
from tests.reference import effects as reference
from tests.reference.built import built
from tests.reference.effect_cases import Case, cases
from tests.reference.ensembles import Recipe, random_ensemble

RNG = np.random.default_rng(0)
X = RNG.normal(size=(800, 4))
FOREST = built(
    random_ensemble(
        np.random.default_rng(2),
        Recipe(n_trees=12, n_features=4, n_leaves=120, n_thresholds=5000, shapes=("grown",), odd=False),
    )
)


@settings(max_examples=25)
@given(case=cases(n_features=3, n_trees=3, n_leaves=9, n_thresholds=4), resolution=st.integers(2, 4))
def test_tables_equal_their_definition(case: Case, resolution: int) -> None:
    found = gw.interactions(case.ensemble, case.X, resolution=resolution, sample_weight=case.weight)
    n_outputs = case.ensemble.n_outputs
    for table in found.values():
        j, k = (case.ensemble.feature_names.index(name) for name in table.features)
        owners = []
        for f in (j, k):
            mass = reference.row_weight(case.ensemble, (f,), case.rows, case.w)[:, 0]
            owners.append(coarse_cells(make_grid(case.ensemble).cells[f], mass, resolution).owner)
        known = reference.coarse_pair(case.ensemble, (j, k), owners, case.rows, case.w)
        shape = table.value.shape[:2]
        np.testing.assert_allclose(table.value.reshape(*shape, n_outputs), known.value, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(table.weight.reshape(*shape, n_outputs), known.weight)
        np.testing.assert_allclose(np.atleast_1d(table.kept), known.kept, atol=1e-7)
        np.testing.assert_allclose(np.atleast_1d(table.term_sd), known.term_sd, rtol=1e-6, atol=1e-9)


def test_other_orders_and_pickled_tables_keep_what_is_left_out() -> None:
    table = gw.interactions(FOREST, X, resolution=8)["x0", "x1"]
    turned, copied = table.transpose(("x1", "x0")), pickle.loads(pickle.dumps(table))
    assert 0 < table.kept < 1 and (turned.kept, turned.left_out) == (copied.kept, copied.left_out)
    assert (turned.kept, turned.left_out) == (table.kept, table.left_out)
    for name in ("effect", "interaction"):
        np.testing.assert_array_equal(getattr(turned, name), getattr(table, name).T)
        np.testing.assert_array_equal(getattr(copied, name), getattr(table, name))


def test_cells_with_rows_equal_the_exact_table_where_none_are_joined() -> None:
    shallow = FOREST.cut(2)
    exact, coarse = gw.interactions(shallow, X), gw.interactions(shallow, X, resolution=10_000)
    for pair, table in coarse.items():
        held = table.weight > 0
        np.testing.assert_allclose(table.value[held], exact[pair].value[held], rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(table.weight, exact[pair].weight)
        assert np.isnan(table.value[~held]).all() and table.kept == pytest.approx(1)
        assert table.h2 == pytest.approx(exact[pair].h2) and table.term_sd == pytest.approx(exact[pair].term_sd)
        assert table.baseline == pytest.approx(exact[pair].baseline)
        np.testing.assert_allclose(np.nansum(np.abs(table.alone[0] - exact[pair].alone[0])), 0, atol=1e-9)


def test_parts_add_up_in_every_cell_and_the_rest_is_said() -> None:
    found = gw.interactions(FOREST, X, resolution=8)
    exact = gw.interactions(FOREST, X, pairs=[("x0", "x1")])["x0", "x1"]
    table = found["x0", "x1"]
    first, second = table.margins()
    held = table.weight > 0
    total = first[:, None] + second + table.interaction
    np.testing.assert_allclose(total[held], table.effect[held], atol=1e-10)
    assert 0 < table.kept < 1 and table.term_sd == pytest.approx(exact.term_sd)
    assert table.term_sd**2 == pytest.approx(table.kept * table.term_sd**2 + table.left_out**2)
    assert found.resolution == 8 and max(table.value.shape) <= 9  # with the cell of missing values
    assert gw.interactions(FOREST, X, resolution=40)["x0", "x1"].kept > table.kept
    assert exact.kept == 1 and exact.left_out == 0


def test_the_loss_is_in_rankings_and_documents() -> None:
    found = gw.interactions(FOREST, X, resolution=8)
    frame = found.ranking().to_frame("polars")
    assert frame.columns[-1] == "kept"
    table = found[frame["feature_0"][0], frame["feature_1"][0]]
    assert frame["kept"][0] == table.kept and found.ranking().to_dict()["kept"][0] == table.kept
    assert found.to_dict()["resolution"] == 8 and table.to_dict()["kept"] == table.kept
    assert "kept" in found._repr_html_()
    assert "kept" not in gw.interactions(FOREST.cut(2), X).ranking().to_frame("polars").columns


def test_trees_and_pairs_a_few_at_a_time_give_the_same_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gw.interactions(FOREST, X, resolution=8)
    monkeypatch.setattr(_row_terms, "_MAX_SLOTS", 3000)
    monkeypatch.setattr(_row_terms, "_MAX_LEAVES", 500)
    monkeypatch.setattr(_interactions, "_MAX_VALUES", 1600)
    one, two = (gw.interactions(FOREST, X, resolution=8, n_jobs=n) for n in (1, 2))
    for pair, table in one.items():
        np.testing.assert_array_equal(table.value, two[pair].value)
        np.testing.assert_allclose(table.value, whole[pair].value, rtol=1e-10, atol=1e-12)
        assert table.kept == two[pair].kept == pytest.approx(whole[pair].kept)


def test_terms_of_the_ledger_give_the_tables_of_all_pairs() -> None:
    known = gw.interactions(FOREST, X, resolution=8)
    found = coarse_interactions(find_terms(FOREST, X), 8)
    assert {frozenset(pair) for pair in found} == {frozenset(pair) for pair in known}
    for pair, table in known.items():
        np.testing.assert_array_equal(table.value, found[pair].value)


def test_scale_does_not_matter() -> None:
    large = dataclasses.replace(FOREST, value=FOREST.value * 2.0**600, baseline=FOREST.baseline * 2.0**600)
    one, two = (gw.interactions(e, X, resolution=8)["x0", "x1"] for e in (FOREST, large))
    np.testing.assert_array_equal(one.value * 2.0**600, two.value)
    assert one.kept == two.kept and one.h2 == two.h2


def test_what_coarse_cells_need_is_checked() -> None:
    for options, message in (
        ({"method": "observed"}, "method='interventional'"),
        ({"degree": 3}, "degree=3"),
        ({"resolution": 1}, "resolution must be"),
        ({"max_cells": 10}, "max_cells=10"),
    ):
        with pytest.raises(OptionError, match=message):
            gw.interactions(FOREST, X, **({"resolution": 8} | options))
    with pytest.raises(OptionError, match="pass X"):
        gw.interactions(FOREST, resolution=8)
    with pytest.raises(OptionError, match="resolution=32"):
        gw.interactions(FOREST, X, max_cells=1000)

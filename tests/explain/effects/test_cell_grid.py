"""CellGrid: which cells a feature has."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings

import glasswood as gw
from glasswood.ensemble import Ensemble, FeatureSchema
from glasswood.explain.effects._cell_grid import make_grid
from tests.ensemble.examples import stump, two_trees
from tests.reference import effects as reference
from tests.reference.effect_cases import Case, cases


def routed(e: Ensemble, flag: bool) -> Ensemble:
    schema = FeatureSchema.numeric(e.feature_names, missing_routed=flag)
    return dataclasses.replace(e, features=schema)


def test_intervals_lie_between_the_thresholds_of_all_trees() -> None:
    cells = make_grid(routed(two_trees(), False)).cells[0]
    np.testing.assert_array_equal(cells.lower, [-np.inf, 1, 2.5])
    np.testing.assert_array_equal(cells.upper, [1, 2.5, np.inf])


def test_missing_values_have_a_cell_if_the_model_routes_them() -> None:
    assert make_grid(routed(stump(), True)).cells[0].missing.tolist() == [False, False, True]
    assert make_grid(routed(stump(), False)).cells[0].missing.tolist() == [False, False]


def test_missing_values_unlike_any_interval_have_a_cell() -> None:
    e = two_trees()
    torn = dataclasses.replace(e, missing_left=np.arange(e.n_nodes) == 6)  # left at 1.0, right at 2.5: nowhere
    assert make_grid(routed(torn, False)).cells[0].missing.tolist() == [False, False, False, True]
    assert make_grid(routed(torn, False)).cells[1].missing.tolist() == [False, False, False]


@settings(max_examples=30)
@given(case=cases())
def test_cells_equal_their_definition(case: Case) -> None:
    grid = make_grid(case.ensemble)
    for f in range(len(case.ensemble.features)):
        kinds = [kind for kind, _ in reference.cells(case.ensemble, f)]
        found = grid.cells[f]
        assert len(found) == len(kinds) == grid.size[f]
        assert found.missing.tolist() == [kind == "missing" for kind in kinds]
        if len(kinds) > 1:
            assert found.unseen.tolist() == [kind == "unseen" for kind in kinds]
            assert [label is not None for label in found.category] == [kind == "level" for kind in kinds]


def test_the_grid_is_made_once() -> None:
    e = two_trees()
    assert make_grid(e) is make_grid(e)


def test_an_infinite_threshold_separates_only_missing_values_and_makes_no_cell() -> None:
    from sklearn.tree import DecisionTreeRegressor

    X = np.array([[1.0], [2.0], [3.0], [np.nan], [np.nan]])
    tree = DecisionTreeRegressor(max_depth=1).fit(X, [0.0, 0.0, 0.0, 5.0, 5.0])
    fx = gw.effects(tree, X)["x0"]
    assert fx.cells.upper[0] == np.inf
    assert fx.value.tolist() == [0.0, 5.0]
    assert fx.weight.tolist() == [3.0, 2.0]
    assert fx.cells.missing.tolist() == [False, True]
    assert gw.effects(tree)["x0"].value.tolist() == [0.0, 5.0]


def test_there_is_no_cell_between_thresholds_that_only_zero_separates() -> None:
    """LightGBM's zero_as_missing splits at ±1e-35, and zero itself is missing."""
    import lightgbm as lgb

    rng = np.random.default_rng(0)
    X = np.where(rng.random((600, 1)) < 0.3, 0.0, rng.normal(size=(600, 1)))
    y = np.select([X[:, 0] < 0, X[:, 0] > 0], [1.0, 2.0], 5.0)
    options = {"zero_as_missing": True, "verbose": -1, "num_leaves": 8, "min_data_in_leaf": 5, "num_threads": 1}
    fx = gw.effects(lgb.train(options, lgb.Dataset(X, y), 10), X)[0]
    assert np.sum(fx.cells.upper == 0) == 1
    assert not np.any((np.abs(fx.cells.upper) < 1e-30) & (fx.cells.upper != 0))
    assert fx.weight.sum() == 600
    assert fx.weight[fx.cells.missing].tolist() == [np.sum(X == 0)]
    assert fx.value[np.flatnonzero(fx.cells.upper == 0)[0]] == pytest.approx(1.0, abs=0.5)

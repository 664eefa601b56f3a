"""Cuts are data values at quantiles, and thresholds move to the nearest of them."""

import numpy as np
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from glasswood.ensemble import FeatureSchema, align
from glasswood.explain.rules._grid import cut_positions, distinct_values, feature_places, grown_grid, snapped_grid


def cuts_of(values: list[float], n_quantiles: int, weight: list[float] | None = None) -> list[float]:
    array = np.array(values)
    distinct, mass = distinct_values(array, np.ones(len(array)) if weight is None else np.array(weight))
    return distinct[cut_positions(mass, n_quantiles)].tolist()


def test_cuts_are_the_values_that_reach_each_share_of_the_weight() -> None:
    assert cuts_of(list(range(20)), 4) == [4.0, 9.0, 14.0]
    assert cuts_of([0.0, 1.0, 1.0, np.nan, 3.0], 10) == [0.0, 1.0]
    assert cuts_of([5.0], 10) == [] and cuts_of([np.nan], 10) == []


def test_a_weight_is_a_number_of_rows() -> None:
    rng = np.random.default_rng(0)
    values, weight = rng.integers(0, 40, 60).astype(float), rng.integers(0, 4, 60)
    assert cuts_of(values.tolist(), 7, weight.tolist()) == cuts_of(np.repeat(values, weight).tolist(), 7)


def test_cuts_are_those_the_forest_uses() -> None:
    rng = np.random.default_rng(1)
    X, y, weight = rng.normal(size=(200, 2)), rng.normal(size=200), rng.integers(1, 4, 200).astype(float)
    forest = gw.ForestRegressor(60, splits="quantile", n_quantiles=6, random_state=0).fit(X, y, weight).ensemble_
    grid = grown_grid(forest, align(X, forest.features), y, weight)
    for f in range(2):
        values, mass = distinct_values(X[:, f], weight)
        assert grid.cuts[f].tolist() == values[cut_positions(mass, 6)].tolist()


def test_thresholds_move_where_the_fewest_rows_change_side() -> None:
    X = np.arange(20.0)[:, None]
    tree = DecisionTreeRegressor(max_depth=1).fit(X, (X[:, 0] > 11).astype(float))
    ensemble = gw.read(tree)
    grid = snapped_grid(ensemble, align(X, ensemble.features), np.zeros(20), np.ones(20), n_quantiles=4, max_depth=None)
    assert grid.cuts[0].tolist() == [4.0, 9.0, 14.0]
    assert grid.cut[0] == 1  # 12 rows are below 11.5, 10 below 9 and 15 below 14
    assert grid.snapped_share == 2 / 20


def test_features_stand_in_the_order_of_their_names() -> None:
    assert feature_places(FeatureSchema.numeric(["b", "c", "a"])).tolist() == [1, 2, 0]
    assert feature_places(FeatureSchema.numeric(["x10", "x2"], named=False)).tolist() == [0, 1]

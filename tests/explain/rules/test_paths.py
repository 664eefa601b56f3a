"""Paths are sets of conditions, counted once per tree."""

import numpy as np

import glasswood as gw
from glasswood.ensemble import align
from glasswood.explain.rules._grid import grown_grid
from glasswood.explain.rules._paths import count_paths
from tests.explain.rule_cases import mixed


def test_frequencies_sum_to_the_mean_number_of_nodes() -> None:
    X, y = mixed()
    sirus = gw.SirusRegressor(40, max_depth=4, random_state=0).fit(X, y)
    forest = sirus.forest_
    counts = count_paths(forest, grown_grid(forest, align(X, forest.features), y, np.ones(len(y))), None)
    assert counts.count.sum() / forest.n_trees == (forest.n_nodes - forest.n_trees) / forest.n_trees


def test_conditions_of_one_feature_are_one_interval() -> None:
    X = np.arange(8.0)[:, None]
    y = np.array([0, 0, 5, 5, 5, 0, 0, 0.0])
    forest = gw.ForestRegressor(3, splits="quantile", bootstrap=False, max_depth=3, n_quantiles=20).fit(X, y).ensemble_
    counts = count_paths(forest, grown_grid(forest, align(X, forest.features), y, np.ones(8)), None)
    texts = {" & ".join(c.to_text() for c in counts.conditions(p)) for p in range(len(counts.count))}
    assert texts == {"x0 <= 4", "x0 > 4", "x0 <= 1", "1 < x0 <= 4"}
    assert set(counts.count.tolist()) == {3}
    # the interval is the difference of two earlier rules
    assert len(counts.choose(0.0, 10)) == 2

"""Rows reach the same nodes as in `apply`."""

import numpy as np
import pandas as pd

import glasswood as gw
from glasswood.ensemble import align
from glasswood.explain.trees._node_rows import node_rows


def test_rows_end_in_the_leaves_of_apply() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=300), "c": rng.choice(list("abcdef"), 300)})
    X.loc[rng.random(300) < 0.2, "x"] = np.nan
    X.loc[rng.random(300) < 0.2, "c"] = None
    ensemble = gw.TreeRegressor().fit(X, rng.normal(size=300)).ensemble_
    asked = pd.concat([X, pd.DataFrame({"x": [0.0], "c": ["never"]})], ignore_index=True)
    seen = node_rows(ensemble, align(asked, ensemble.features))
    leaf = ensemble.apply(asked)[:, 0]
    for node in np.flatnonzero(ensemble.feature < 0):
        np.testing.assert_array_equal(seen.rows[node], np.flatnonzero(leaf == node))
    inner = (ensemble.feature == 0) & np.isfinite(ensemble.threshold)
    assert np.all(seen.low[inner] <= ensemble.threshold[inner])
    assert np.all(seen.high[inner] > ensemble.threshold[inner])


def test_the_rows_of_every_node_are_those_that_its_path_lets_through() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    ensemble = gw.TreeRegressor().fit(X, rng.normal(size=200)).ensemble_
    seen = node_rows(ensemble, align(X, ensemble.features))
    expected = {0: np.arange(200)}
    for node in range(ensemble.n_nodes):
        rows = expected[node]
        np.testing.assert_array_equal(seen.rows[node], rows)
        if ensemble.feature[node] >= 0:
            left = X[rows, ensemble.feature[node]] <= ensemble.threshold[node]
            expected[int(ensemble.left[node])], expected[int(ensemble.right[node])] = rows[left], rows[~left]
    assert len(seen.rows.order) == 200  # not a list per node

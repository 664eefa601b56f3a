import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import align
from glasswood.web.panels.tree._plane import plane_of, plane_to_dict


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.booleans())
def test_cells_send_rows_where_thresholds_do(seed: int, gaps: bool) -> None:
    random = np.random.RandomState(seed)
    X = random.randint(0, 6, size=(40, 3)) / 2.0
    if gaps:
        X[random.rand(40) < 0.2, 0] = np.nan
    tree = gw.TreeClassifier(max_depth=4).fit(X, random.randint(0, 3, 40)).ensemble_
    plane = plane_of([tree])
    rows = plane_to_dict(plane, tree, align(X, tree.features), np.arange(40))
    for node in np.flatnonzero(tree.feature >= 0):
        feature = int(tree.feature[node])
        cells = np.array(rows[plane.features.index(feature)]["cells"])
        cut = plane.rank(feature, float(tree.threshold[node]))
        known = ~np.isnan(X[:, feature])
        np.testing.assert_array_equal((cells <= cut)[known], (X[:, feature] <= tree.threshold[node])[known])
        assert (cells[~known] == -1).all()


def test_a_second_feature_is_added_where_there_is_one() -> None:
    X = np.array([[0.0, 5.0, 7.0], [1.0, 5.0, 7.0]])
    assert plane_of([gw.TreeClassifier().fit(X, [0, 1]).ensemble_]).features == (0, 1)
    assert plane_of([gw.TreeClassifier().fit(X[:, :1], [0, 1]).ensemble_]).features == (0,)


def test_an_axis_of_one_value_has_a_width_and_far_numbers_stay_apart() -> None:
    X = np.array([[1e9, 5.0], [1e9 + 1, 5.0]])
    tree = gw.TreeClassifier().fit(X, [0, 1]).ensemble_
    first, second = plane_to_dict(plane_of([tree]), tree, align(X, tree.features), np.arange(2))
    assert first["values"] == [1e9, 1e9 + 1] and first["domain"] == [1e9 - 0.05, 1e9 + 1.05]
    assert second["domain"] == [4.0, 6.0]


def test_infinite_values_are_at_the_edge() -> None:
    X = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, np.inf]])
    tree = gw.TreeClassifier().fit(X[:, :], [0, 1, 1]).ensemble_
    shown = plane_to_dict(plane_of([tree]), tree, align(X, tree.features), np.arange(3))
    assert all(np.isfinite(feature["values"]).all() for feature in shown)


def test_rows_of_few_values_are_spread_but_cross_no_threshold() -> None:
    X = np.array([[1.0, 0.1], [2.0, 0.2], [3.0, 0.3], [3.0, 0.4]] * 5)
    tree = gw.TreeClassifier().fit(X[:, :1], (X[:, 0] > 1).astype(int)).ensemble_
    (shown,) = plane_to_dict(plane_of([tree]), tree, align(X[:, :1], tree.features), np.arange(20))
    assert shown["spread"] == 0.3
    many = np.arange(40.0).reshape(-1, 1)
    tree = gw.TreeClassifier().fit(many, [0] * 20 + [1] * 20).ensemble_
    (shown,) = plane_to_dict(plane_of([tree]), tree, align(many, tree.features), np.arange(40))
    assert shown["spread"] == 0.0

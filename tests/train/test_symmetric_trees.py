"""Symmetric trees: one question per level, and the same bits however the work is shared."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.train.boosting import Boosted
from glasswood.train.boosting._tree_source import LocalTrees
from tests.train.examples import columns_of, fit, mixed_table


def boosted(X: Any, labels: Any, y: Any, **options: Any) -> Boosted:
    data, features = columns_of(X, labels)
    return fit(data, y, features=features, n_estimators=3, max_depth=5, symmetric=True, **options)


def test_a_level_has_one_question_and_a_node_it_does_not_divide_waits() -> None:
    # the second question divides the left half alone, the third the right half
    X = np.repeat(np.arange(8.0), 5)[:, None]
    y = np.repeat([0.0, 0.0, 0.0, 9.0, 20.0, 20.0, 20.0, 24.0], 5)
    options: dict[str, Any] = {"n_estimators": 1, "learning_rate": 1.0, "l2": 0.0, "symmetric": True}
    for levels, thresholds in ((1, [3.5]), (2, [3.5, 2.5]), (3, [3.5, 2.5, 6.5])):
        model = gw.BoostingRegressor(max_depth=levels, **options).fit(X, y).ensemble_
        assert sorted(model.threshold[model.feature >= 0]) == sorted(thresholds)
        assert len(model.feature) == 2 * levels + 1  # the waiting half stays whole
    np.testing.assert_array_equal(model.predict(X), y)


def test_a_tree_asks_no_more_questions_than_it_has_levels() -> None:
    X, labels, y = mixed_table(2_000, 30)
    model = boosted(X, labels, y).ensemble
    for t in range(model.n_trees):
        nodes = np.arange(model.tree_start[t], model.tree_start[t + 1])
        inner = nodes[model.feature[nodes] >= 0]
        asked = {
            (int(model.feature[k]), float(model.threshold[k]), model.missing_left[k], tuple(left_levels(model, k)))
            for k in inner
        }
        assert len(asked) <= 5 < len(inner)
        # what a feature gains in all nodes of a level is positive, though it may be negative in one of them
        assert all(model.gain[inner[model.feature[inner] == f]].sum() > 0 for f in np.unique(model.feature[inner]))


def left_levels(model: Any, node: int) -> list[int]:
    own = model.category_set[node]
    return model.set_bits[model.set_start[own] : model.set_start[own + 1]].tolist() if own >= 0 else []


@pytest.mark.parametrize("statistics", ["exact", "quantised"])
@pytest.mark.parametrize("n_levels", [30, 300])
def test_threads_and_shared_columns_change_no_bit(n_levels: int, statistics: str) -> None:
    X, labels, y = mixed_table(70_000, n_levels)  # enough rows for threads to share a node
    alone = boosted(X, labels, y, statistics=statistics).ensemble
    assert boosted(X, labels, y, statistics=statistics, n_threads=4).ensemble == alone
    for how in ({"bundles": False}, {"least_rows": 0}):
        assert boosted(X, labels, y, statistics=statistics, make_trees=partial(LocalTrees, **how)).ensemble == alone


def test_weights_stand_for_repeated_rows() -> None:
    X, labels, y = mixed_table(500, 10)
    counts = np.random.default_rng(1).integers(0, 4, 500)
    weighted = boosted(X, labels, y, weight=counts.astype(float)).ensemble
    repeated = boosted(np.repeat(X, counts, axis=0), labels, np.repeat(y, counts)).ensemble
    data, _ = columns_of(X, labels)
    np.testing.assert_allclose(weighted._plan().predict_raw(data), repeated._plan().predict_raw(data), atol=1e-9)


def test_constraints_hold() -> None:
    X, labels, y = mixed_table(2_000, 10)
    rising = boosted(X[:, :3], labels[:3], -y, monotonic_cst=[0, 1, 0]).ensemble
    grid = np.zeros((50, 3))
    grid[:, 1] = np.linspace(-3, 3, 50)
    assert np.all(np.diff(rising._plan().predict_raw(grid)[:, 0]) >= 0)
    apart = boosted(X, labels, y, interaction_cst=[[0, 1, 2], [3, 4, 5, 6, 7, 8]]).ensemble
    for t in range(apart.n_trees):
        used = apart.feature[apart.tree_start[t] : apart.tree_start[t + 1]]
        assert np.all(used[used >= 0] < 3) or np.all(used[used >= 0] >= 3)

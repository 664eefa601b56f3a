"""Constraints: monotone everywhere, interactions only where allowed."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble import FeatureSchema
from glasswood.errors import OptionError
from glasswood.train import GAINS
from glasswood.train._constraints import interaction_groups, monotone_signs
from tests.train.test_boosting import fit

LOSSES = ("squared_error", "absolute_error", "quantile", "poisson")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(LOSSES), st.sampled_from(GAINS), st.sampled_from([None, 10]))
def test_monotone_constraints_hold_everywhere(seed: int, loss: str, gain: str, max_leaf_nodes: int | None) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 3)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.poisson(np.exp(np.nan_to_num(X[:, 0] - X[:, 1]))).astype(float) + (loss == "poisson")
    options: dict[str, Any] = {"loss": loss, "gain": gain, "max_leaf_nodes": max_leaf_nodes, "l2": 0.1}
    options["statistics"] = "integer" if seed % 2 else "exact"
    model = fit(X, y, monotonic_cst=[1, -1, 0], n_estimators=8, learning_rate=0.5, **options).ensemble
    grid = np.sort(rng.normal(size=200) * 2)
    for feature, sign in ((0, 1), (1, -1)):
        for row in X[:6]:
            rows = np.tile(row, (200, 1))
            rows[:, feature] = grid
            steps = np.diff(model.predict_raw(rows)) * sign
            assert steps.min() >= -1e-12


def test_paths_stay_within_a_group() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = X[:, 0] * X[:, 1] + X[:, 1] * X[:, 2] + X[:, 0] * X[:, 2] + 2 * np.abs(X[:, 3])
    model = fit(X, y, n_estimators=40, max_depth=4, interaction_cst=[[0, 1], [1, 2]]).ensemble
    allowed = [{0, 1}, {1, 2}, {3}]
    path: dict[int, set[int]] = {int(root): set() for root in model.tree_start[:-1]}
    for node in range(model.n_nodes):
        if model.feature[node] < 0:
            assert any(path[node] <= group for group in allowed)
            continue
        for child in (model.left[node], model.right[node]):
            path[int(child)] = path[node] | {int(model.feature[node])}
    assert {frozenset(p) for p in path.values()} >= {frozenset({0, 1}), frozenset({1, 2}), frozenset({3})}


def test_names_and_positions_are_checked() -> None:
    features = FeatureSchema.numeric(["a", "b", "c"])
    assert monotone_signs({"b": -1}, features).tolist() == [0, -1, 0]
    assert interaction_groups([["a", 1]], features) == [[0], [0], [1]]
    with pytest.raises(OptionError, match="no feature 'd'"):
        monotone_signs({"d": 1}, features)
    with pytest.raises(OptionError, match="2 entries for 3 features"):
        monotone_signs([1, 0], features)
    with pytest.raises(OptionError, match="−1, 0 or 1; got 2"):
        monotone_signs([2, 0, 0], features)
    with pytest.raises(OptionError, match="no feature 7"):
        interaction_groups([[7]], features)

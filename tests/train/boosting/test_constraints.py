"""Constraints: monotone everywhere, interactions only where allowed."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble import FeatureSchema
from glasswood.errors import OptionError
from glasswood.train.boosting import GAINS
from glasswood.train.boosting._constraints import interaction_groups, make_constraints, monotone_signs
from tests.train.examples import fit

LOSSES = ("squared_error", "absolute_error", "quantile", "poisson")


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from(LOSSES), st.sampled_from(GAINS), st.sampled_from([None, 10]))
def test_monotone_constraints_hold_everywhere(seed: int, loss: str, gain: str, max_leaf_nodes: int | None) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 3)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.poisson(np.exp(np.nan_to_num(X[:, 0] - X[:, 1]))).astype(float) + (loss == "poisson")
    options: dict[str, Any] = {"loss": loss, "gain": gain, "max_leaf_nodes": max_leaf_nodes, "l2": 0.1}
    options["statistics"] = "quantised" if seed % 2 else "exact"
    model = fit(X, y, monotonic_cst=[1, -1, 0], n_estimators=8, learning_rate=0.5, **options).ensemble
    grid = np.sort(rng.normal(size=200) * 2)
    for feature, sign in ((0, 1), (1, -1)):
        for row in X[:6]:
            rows = np.tile(row, (200, 1))
            rows[:, feature] = grid
            steps = np.diff(model.predict_raw(rows)) * sign
            assert steps.min() >= -1e-12


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from(GAINS), st.sampled_from([None, 8]))
def test_they_hold_with_categories_for_classes_and_in_continued_fits(seed: int, gain: str, leaves: int | None) -> None:
    rng = np.random.default_rng(seed)
    level = rng.integers(-1, 6, 150).astype(np.int32)  # −1 is missing
    x = rng.normal(size=(2, 150)).round(1)
    x[rng.random(x.shape) < 0.15] = np.nan
    # the levels act against the constraint
    score = np.nan_to_num(x[0]) * np.where(level == 2, -3, 1) - np.nan_to_num(x[1]) + rng.normal(size=150)
    features = FeatureSchema(
        names=("a", "b", "kind"),
        named=True,
        categories=(None, None, tuple("pqrstu")),
        coded=np.zeros(3, dtype=bool),
        missing_routed=np.ones(3, dtype=bool),
        zero_is_missing=np.zeros(3, dtype=bool),
    )
    n_classes = int(rng.integers(2, 4))
    options: dict[str, Any] = {
        "loss": "logistic" if n_classes == 2 else "softmax",
        "outputs": ("1",) if n_classes == 2 else ("0", "1", "2"),
        "gain": gain,
        "max_leaf_nodes": leaves,
        "statistics": "quantised" if seed % 2 else "exact",
        "subsample": 0.7,
        "learning_rate": 0.5,
        "monotonic_cst": {"a": 1, "b": -1},
        "features": features,
    }
    y = (score > 0).astype(float) if n_classes == 2 else np.digitize(score, [-1, 1]).astype(float)
    half = fit([x[0], x[1], level], y, n_estimators=3, **options)
    model = fit([x[0], x[1], level], y, n_estimators=6, before=half, **options).ensemble
    assert model.n_trees == 6 * model.n_outputs
    grid = np.sort(rng.normal(size=60) * 2)
    for feature, sign in ((0, 1), (1, -1)):
        for other in (np.nan, float(rng.normal())):
            for code in range(-1, 7):  # 6 was never seen
                columns: list[Any] = [np.full(60, other), np.full(60, other), np.full(60, code, dtype=np.int32)]
                columns[feature] = grid
                assert (np.diff(model._plan().predict_raw(columns), axis=0) * sign).min() >= -1e-12


@pytest.mark.parametrize("options", [{}, {"max_leaf_nodes": 12, "max_depth": None}, {"colsample": 0.5}])
def test_paths_stay_within_a_group(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = X[:, 0] * X[:, 1] + X[:, 1] * X[:, 2] + X[:, 0] * X[:, 2] + 2 * np.abs(X[:, 3])
    model = fit(X, y, n_estimators=40, interaction_cst=[[0, 1], [1, 2]], **{"max_depth": 4, **options}).ensemble
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
    with pytest.raises(OptionError, match="−1, 0 or 1; got"):
        monotone_signs(np.zeros((3, 3)), features)
    with pytest.raises(OptionError, match="no feature at position 7"):
        interaction_groups([[7]], features)


def test_trees_grown_without_a_constraint_may_violate_one_set_later() -> None:
    features = FeatureSchema.numeric(["a", "b"])
    free = make_constraints(None, None, features)
    tied = make_constraints({"b": -1}, [["a"], ["b"]], features)
    tied.check_kept_by(tied)
    free.check_kept_by(tied)
    with pytest.raises(OptionError, match="had no such monotonic_cst of 'b'"):
        tied.check_kept_by(free)
    with pytest.raises(OptionError, match="had no such monotonic_cst of 'b'"):
        tied.check_kept_by(make_constraints({"b": 1}, [["a"], ["b"]], features))
    with pytest.raises(OptionError, match="had no such interaction_cst"):
        tied.check_kept_by(make_constraints({"b": -1}, None, features))

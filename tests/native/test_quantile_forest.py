"""Quantile forests of two classes: fast summation and selection of quantiles change no bit.

Fractional weights use the plain way (every value sorted, every row added as a double), so forests with all weights 1/2
must equal those with weights 1, tree for tree.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood import _native
from tests.reference.trees import quantile_cuts

SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e300, 5e-324])


def random_table(seed: int, n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns of every kind: smooth, skewed, whole numbers, constant, with missing and infinite values."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    for f in range(n_features):
        kind = rng.integers(5)
        if kind == 1:
            X[:, f] = np.exp(6 * X[:, f])
        elif kind == 2:
            X[:, f] = np.round(X[:, f] * rng.integers(1, 9))
        elif kind == 3:
            X[:, f] = 7.0
        elif kind == 4:
            rows = rng.random(n_rows) < 0.2
            X[rows, f] = rng.choice(SPECIAL, rows.sum())
    return X, (rng.random(n_rows) < 0.2 + 0.6 * (X[:, 0] > 0)).astype(int)


def grown(X: np.ndarray, y: np.ndarray, weight: float | np.ndarray, **options: object) -> list[np.ndarray]:
    forest = gw.ForestClassifier(4, splits="quantile", bootstrap=False, random_state=3, **options)
    e = forest.fit(X, y, sample_weight=np.broadcast_to(weight, len(y))).ensemble_
    return [e.feature, e.threshold, e.missing_left, e.value]


def assert_same(one: list[np.ndarray], other: list[np.ndarray]) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    n_rows=st.sampled_from([2, 15, 63, 64, 65, 700, 1500]),
    n_quantiles=st.sampled_from([2, 3, 10, 11, 40, 255]),
    max_depth=st.sampled_from([1, 2, None]),
)
def test_whole_weights_give_the_trees_of_any_weights(
    seed: int, n_rows: int, n_quantiles: int, max_depth: int | None
) -> None:
    X, y = random_table(seed, n_rows, 5)
    options = {"n_quantiles": n_quantiles, "max_depth": max_depth, "max_features": 3}
    assert_same(grown(X, y, 1.0, **options), grown(X, y, 0.5, **options))


def test_rows_that_count_often_are_added_as_doubles() -> None:
    X, y = random_table(1, 900, 4)
    weight = np.random.default_rng(0).integers(0, 200, 900).astype(float)
    weight[:2] = 1
    assert_same(grown(X, y, weight), grown(X, y, weight / 2))
    small = weight % 50
    small[:2] = 1
    assert_same(grown(X, y, small), grown(X, y, small / 2))


@pytest.mark.parametrize("bootstrap", [False, True])
def test_cpu_levels_change_no_bit(bootstrap: bool) -> None:
    X, y = random_table(2, 3000, 6)
    best, found = _native.cpu_level(), []
    try:
        for level in ("plain", "v3", "v4"):
            _native.use_cpu_level(level)
            forest = gw.SirusClassifier(30, bootstrap=bootstrap, random_state=0).fit(X, y).forest_
            found.append([forest.feature, forest.threshold, forest.value])
    finally:
        _native.use_cpu_level(best)
    assert_same(found[0], found[1])
    assert_same(found[0], found[2])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_thresholds_are_the_quantiles_of_the_reference(seed: int, weighted: bool) -> None:
    X, y = random_table(seed, 2500, 1)
    weight = np.random.default_rng(seed).integers(0, 4, 2500).astype(float) if weighted else np.ones(2500)
    forest = gw.ForestClassifier(5, splits="quantile", n_quantiles=8, bootstrap=False, random_state=0)
    threshold = forest.fit(X, y, sample_weight=weight).ensemble_.threshold
    used = set(threshold[np.isfinite(threshold)].tolist())
    assert used <= set(quantile_cuts(X[:, 0], weight, 8))


def test_a_row_drawn_more_often_than_a_byte_can_count() -> None:
    X, y = random_table(5, 1000, 3)
    weight = np.full(1000, 0.01)
    weight[0] = 1000.0  # drawn nearly every time
    forest = gw.ForestClassifier(5, splits="quantile", random_state=0).fit(X, y, sample_weight=weight).ensemble_
    np.testing.assert_array_equal(forest.weight[forest.tree_start[:-1]], 1000.0)

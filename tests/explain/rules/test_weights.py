"""Weights of rules: non-negative ridge, with folds that do not depend on how often a row is repeated."""

import numpy as np

from glasswood.explain.rules._fit import rule_outputs
from glasswood.explain.rules._weights import row_folds, rule_weights


def problem(n: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 4))
    masks = np.column_stack([x[:, 0] > 0, x[:, 1] > 1, (x[:, 0] > 0.5) & (x[:, 2] > 0), x[:, 3] > 0])
    y = 3.0 * masks[:, 0] + masks[:, 1] + rng.normal(size=n)
    return masks, y - y.mean(), rng.integers(1, 4, n).astype(float)


def fit(masks: np.ndarray, y: np.ndarray, weight: np.ndarray, l2: float | None) -> tuple[np.ndarray, float]:
    mean = float(np.average(y, weights=weight))
    _, inside, outside = rule_outputs(masks, y[:, None] - mean, weight)
    found = rule_weights(masks, inside[:, 0], outside[:, 0], y, weight, mean=mean, l2=l2, seed=5)
    return found.coefficient, found.l2


def test_the_weights_minimise_the_penalised_error() -> None:
    masks, y, weight = problem()
    beta, _ = fit(masks, y, weight, 0.1)
    y = y - np.average(y, weights=weight)
    _, inside, outside = rule_outputs(masks, y[:, None], weight)
    gamma = np.where(masks, inside.T, outside.T)

    def loss(b: np.ndarray) -> float:
        residual = y - gamma @ b
        residual = residual - np.average(residual, weights=weight)
        return float(np.average(residual**2, weights=weight) + 0.1 * b @ b)

    for i in range(4):
        for step in (1e-4, -1e-4):
            other = beta.copy()
            other[i] = max(0.0, other[i] + step)
            assert loss(other) >= loss(beta)


def test_a_weight_of_k_is_the_row_k_times_cross_validation_included() -> None:
    masks, y, weight = problem()
    times = weight.astype(int)
    one, l2 = fit(masks, y, weight, None)
    two, l2_repeated = fit(np.repeat(masks, times, axis=0), np.repeat(y, times), np.ones(times.sum()), None)
    np.testing.assert_allclose(l2, l2_repeated, rtol=1e-9)
    np.testing.assert_allclose(one, two, rtol=1e-7, atol=1e-10)


def test_a_clear_signal_is_hardly_shrunk() -> None:
    masks, y, weight = problem()
    chosen, _ = fit(masks, y, weight, None)
    plain, _ = fit(masks, y, weight, 0.0)
    np.testing.assert_allclose(chosen[0], plain[0], rtol=0.02)
    large, _ = fit(masks, y, weight, 1e6)
    assert large.max() < 1e-5


def test_folds_are_even_and_equal_rows_share_one() -> None:
    masks, y, _ = problem(5_000)
    fold = row_folds(masks, y, 0)
    assert np.bincount(fold).min() > 400
    assert np.array_equal(fold, row_folds(masks[::-1], y[::-1], 0)[::-1])
    assert np.any(fold != row_folds(masks, y, 1))

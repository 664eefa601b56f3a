"""Continued fits: the same result as a single fit, or refused with a reason."""

from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows
from glasswood.errors import OptionError
from glasswood.train.boosting import BoostingTable
from tests.train.examples import fit


@pytest.mark.parametrize("subsample", [1.0, 0.5])
def test_a_continued_fit_equals_a_single_fit(subsample: float) -> None:
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(300, 4)), rng.normal(size=300)
    options: dict[str, Any] = {"subsample": subsample, "colsample": 0.5, "seed": 7}
    half = fit(X, y, n_estimators=4, **options)
    whole = fit(X, y, n_estimators=9, **options)
    on = fit(X, y, n_estimators=9, before=half, **options)
    assert on.ensemble == whole.ensemble
    np.testing.assert_array_equal(on.history.values, whole.history.values)


def test_a_fit_continued_after_early_stopping_keeps_only_improvements() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(300, 4)), rng.normal(size=300)
    watched = BoostingTable(name="valid", rows=AlignedRows(100, X[:100]), y=y[:100])
    options: dict[str, Any] = {"evaluate": [watched], "learning_rate": 0.3, "n_iter_no_change": 3}
    stopped = fit(X[100:], y[100:], early_stopping=True, n_estimators=50, **options)
    assert stopped.n_rounds < 50
    same = fit(X[100:], y[100:], early_stopping=True, n_estimators=60, before=stopped, **options)
    assert same.ensemble == stopped.ensemble
    assert (
        same.history.best_round == stopped.history.best_round == same.history.of("valid", "squared_error").argmin() + 1
    )
    free = fit(X[100:], y[100:], n_estimators=20, before=stopped, **options)
    assert free.n_rounds == free.history.best_round == free.history.n_rounds == 20


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        (
            {"loss": "quantile", "quantile": 0.3},
            {"loss": "quantile", "quantile": 0.7},
            r"quantile\(quantile=0.3\), not quantile",
        ),
        (
            {"loss": "tweedie", "power": 1.2},
            {"loss": "tweedie"},
            r"had the loss tweedie\(power=1.2\), not tweedie\(power=1.5",
        ),
        ({}, {"loss": "poisson"}, "had the loss squared_error, not poisson"),
        ({}, {"monotonic_cst": [0, 1]}, "had no such monotonic_cst of 'x1'"),
        ({"monotonic_cst": [1, 0]}, {"monotonic_cst": [-1, 0]}, "had no such monotonic_cst of 'x0'"),
        ({}, {"interaction_cst": [[0], [1]]}, "had no such interaction_cst"),
        ({}, {"n_estimators": 1}, "less than the 2 rounds there are already"),
    ],
)
def test_reasons_why_a_fit_cannot_continue_are_named(first: Any, then: Any, message: str) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.random(40) + 0.1
    before = fit(X, y, n_estimators=2, **first)
    with pytest.raises(OptionError, match=message):
        fit(X, y, before=before, **{"n_estimators": 4, **then})


@pytest.mark.parametrize(
    "then", [{"gain": "welch"}, {"max_bins": 5}, {"l2": 0.0}, {"statistics": "quantised"}, {"monotonic_cst": None}]
)
def test_a_fit_can_continue_with_other_growing_options(then: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), rng.normal(size=80)
    before = fit(X, y, n_estimators=2, monotonic_cst=[1, 0], seed=5)
    after = fit(X, y, n_estimators=4, before=before, seed=6, **{"monotonic_cst": [1, 0], **then})
    assert after.seed == 5 and after.ensemble.n_trees == after.history.n_rounds == 4
    n_nodes = before.ensemble.n_nodes
    np.testing.assert_array_equal(after.ensemble.threshold[:n_nodes], before.ensemble.threshold)

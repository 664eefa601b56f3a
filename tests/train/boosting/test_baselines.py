"""Baselines: no other constant has a smaller loss."""

from typing import Any

import numpy as np
import pytest

from glasswood.train.boosting._baselines import lower_quantile
from glasswood.train.boosting._losses import make_loss

NAMES = ("squared_error", "absolute_error", "quantile", "poisson", "gamma", "tweedie", "logistic")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_offset", [False, True])
def test_no_other_constant_is_better(name: str, with_offset: bool) -> None:
    rng = np.random.default_rng(0)
    y: Any = rng.integers(0, 2, 501).astype(float) if name == "logistic" else rng.gamma(1.0, size=501)
    weight = rng.random(501)
    offset = rng.normal(size=(1, 501)) if with_offset else np.zeros((1, 501))
    loss = make_loss(name, quantile=0.3, power=1.6)
    start = loss.start(y, weight, offset, 1)
    here = loss.mean(y, start[:, None] + offset, weight, 1)
    for step in (-0.01, 0.01):
        assert here <= loss.mean(y, start[:, None] + step + offset, weight, 1)


def test_classes_without_rows_start_finite() -> None:
    loss = make_loss("softmax", quantile=0.5, power=1.5)
    start = loss.start(np.zeros(4), np.empty(0), np.zeros((3, 4)), 3)
    assert np.all(np.isfinite(start)) and start.argmax() == 0
    logistic = make_loss("logistic", quantile=0.5, power=1.5)
    assert logistic.start(np.ones(4), np.empty(0), np.zeros((1, 4)), 1).tolist() == [30.0]


def test_the_lower_quantile_is_a_value_of_the_data() -> None:
    values = np.array([3.0, 1.0, 2.0, 4.0])
    assert lower_quantile(values, np.empty(0), 0.5) == 2.0
    assert lower_quantile(values, np.array([1.0, 1.0, 1.0, 10.0]), 0.5) == 4.0
    assert lower_quantile(values, np.array([0.1, 0.2, 0.3, 0.4]), 0.5) == 2.0


@pytest.mark.parametrize("name", ["poisson", "gamma", "tweedie"])
def test_large_offsets_do_not_overflow(name: str) -> None:
    loss = make_loss(name, quantile=0.5, power=1.5)
    y, weight = np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 0.0])
    near = loss.start(y, weight, np.array([[0.0, 1.0, 0.0]]), 1)
    far = loss.start(y, weight, np.array([[2000.0, 2001.0, 9000.0]]), 1)
    assert far[0] == pytest.approx(near[0] - 2000.0)

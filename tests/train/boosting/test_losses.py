"""Losses: kernels agree with formulas, gradients with finite differences."""

from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from glasswood.errors import OptionError
from glasswood.train.boosting._losses import make_loss
from tests.reference.boosting import slopes

NAMES = ("squared_error", "absolute_error", "quantile", "poisson", "gamma", "tweedie", "logistic")
NONE = np.empty(0)
DEVIANCES: dict[str, Any] = {
    "squared_error": metrics.mean_squared_error,
    "absolute_error": metrics.mean_absolute_error,
    "quantile": lambda y, p, **k: metrics.mean_pinball_loss(y, p, alpha=0.3, **k),
    "poisson": metrics.mean_poisson_deviance,
    "gamma": metrics.mean_gamma_deviance,
    "tweedie": lambda y, p, **k: metrics.mean_tweedie_deviance(y, p, power=1.4, **k),
    "logistic": metrics.log_loss,
}


def data(name: str) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 5000).astype(float) if name == "logistic" else rng.gamma(1.0, size=5000) + 0.01
    return y, rng.normal(size=5000), rng.random(5000)


@pytest.mark.parametrize("name", NAMES)
def test_kernels_give_the_slopes_of_the_formulas(name: str) -> None:
    y, raw, weight = data(name)
    loss = make_loss(name, quantile=0.3, power=1.4)
    grad, hess = np.empty((1, 5000)), np.empty((1, 5000))
    loss.fill(y, raw[None], weight, grad, hess, 2)
    g, h = slopes(name, y, raw, 0.3, 1.4)
    np.testing.assert_allclose(grad[0], weight * g, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(hess[0], weight * np.maximum(h, 1e-6), rtol=1e-11)


@pytest.mark.parametrize("name", NAMES)
def test_the_mean_is_the_metric_of_scikit_learn(name: str) -> None:
    y, raw, weight = data(name)
    loss = make_loss(name, quantile=0.3, power=1.4)
    prediction = loss.link.inverse(raw[:, None], objective=name)[:, 0]
    assert loss.mean(y, raw[None], weight, 2) == pytest.approx(
        DEVIANCES[name](y, prediction, sample_weight=weight), rel=1e-10
    )
    assert loss.mean(y, raw[None], NONE, 1) == pytest.approx(DEVIANCES[name](y, prediction), rel=1e-10)


@pytest.mark.parametrize("name", ["poisson", "gamma", "tweedie", "logistic", "squared_error"])
def test_the_gradient_is_the_slope_of_the_mean(name: str) -> None:
    y, raw, _ = data(name)
    loss, step = make_loss(name, quantile=0.3, power=1.4), 1e-5
    grad, hess = np.empty((1, 5000)), np.empty((1, 5000))
    loss.fill(y, raw[None], NONE, grad, hess, 1)
    slope = (loss.mean(y, raw[None] + step, NONE, 1) - loss.mean(y, raw[None] - step, NONE, 1)) / (2 * step)
    factor = 1 if name == "logistic" else 2  # a deviance is twice the minimised loss
    assert factor * grad.mean() == pytest.approx(slope, rel=1e-6)


def test_softmax_slopes_are_those_of_its_shares() -> None:
    rng = np.random.default_rng(1)
    raw, y = rng.normal(size=(3, 50)) * 3, rng.integers(0, 3, 50).astype(float)
    share = np.exp(raw) / np.exp(raw).sum(axis=0)
    loss = make_loss("softmax", quantile=0.5, power=1.5)
    grad, hess = np.empty((3, 50)), np.empty((3, 50))
    loss.fill(y, raw, NONE, grad, hess, 1)
    np.testing.assert_allclose(grad, share - (np.arange(3)[:, None] == y), atol=1e-14)
    np.testing.assert_allclose(hess, np.maximum(share * (1 - share), 1e-6), rtol=1e-12)
    assert loss.mean(y, raw, NONE, 1) == pytest.approx(metrics.log_loss(y, share.T))


def test_unknown_losses_are_refused() -> None:
    with pytest.raises(OptionError, match="one of 'squared_error'"):
        make_loss("mse", quantile=0.5, power=1.5)
    with pytest.raises(OptionError, match="gradient_hessian"):
        make_loss(print, quantile=0.5, power=1.5)

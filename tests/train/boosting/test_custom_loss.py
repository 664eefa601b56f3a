"""CustomLossAdapter: results of a user's object are used, or refused with its name."""

import pickle
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import glasswood as gw
from glasswood.errors import OptionError
from glasswood.train.boosting._losses import make_loss

NONE = np.empty(0)
X = np.random.default_rng(0).normal(size=(60, 2))
Y = X[:, 0] + 0.5 * X[:, 1] ** 2


class Own:
    def __init__(self, slopes: Callable[[Any, Any], Any]) -> None:
        self.slopes = slopes

    def gradient_hessian(self, y: Any, raw: Any) -> Any:
        return self.slopes(y, raw)


class Squared:
    def gradient_hessian(self, y: Any, raw: Any) -> Any:
        return raw - y, np.ones_like(y)

    def loss(self, y: Any, raw: Any) -> Any:
        return (raw - y) ** 2

    def baseline(self, y: Any, weight: Any) -> Any:
        return np.average(y, weights=weight)


def fitted(slopes: Callable[[Any, Any], Any]) -> Any:
    return gw.BoostingRegressor(Own(slopes), n_estimators=3, max_depth=2).fit(X, Y)


def test_a_custom_loss_must_give_numbers_for_every_row() -> None:
    class Bad:
        def gradient_hessian(self, y: Any, raw: Any) -> Any:
            return np.full(len(y), np.nan), np.ones(len(y))

        def baseline(self, y: Any, weight: Any) -> float:
            return 2.5

    loss = make_loss(Bad(), quantile=0.5, power=1.5)
    assert loss.start(np.zeros(3), NONE, np.zeros((1, 3)), 1).tolist() == [2.5]
    assert np.isnan(loss.mean(np.zeros(3), np.zeros((1, 3)), NONE, 1))
    with pytest.raises(OptionError, match="gradient of Bad must be 3 finite numbers"):
        loss.fill(np.zeros(3), np.zeros((1, 3)), NONE, np.empty((1, 3)), np.empty((1, 3)), 1)


@pytest.mark.parametrize("given", [None, ("a", "b"), (np.ones(3), np.ones(3), np.ones(3)), (np.ones(2), np.ones(3))])
def test_a_custom_loss_must_give_two_arrays(given: Any) -> None:
    class Bad:
        def gradient_hessian(self, y: Any, raw: Any) -> Any:
            return given

        def baseline(self, y: Any, weight: Any) -> Any:
            return np.nan

        def loss(self, y: Any, raw: Any) -> Any:
            return y[1:]

    loss = make_loss(Bad(), quantile=0.5, power=1.5)
    with pytest.raises(OptionError, match="Bad must"):
        loss.fill(np.zeros(3), np.zeros((1, 3)), NONE, np.empty((1, 3)), np.empty((1, 3)), 1)
    with pytest.raises(OptionError, match="baseline of Bad must be a finite number"):
        loss.start(np.zeros(3), NONE, np.zeros((1, 3)), 1)
    with pytest.raises(OptionError, match="loss of Bad must be 3 finite numbers"):
        loss.mean(np.zeros(3), np.zeros((1, 3)), NONE, 1)


def test_a_custom_loss_without_a_value_cannot_stop_early_nor_reach_the_callers_target() -> None:
    class Half:
        def gradient_hessian(self, y: Any, raw: Any) -> Any:
            return np.subtract(raw, y, out=y), np.ones(len(y))

    X, y = np.arange(20.0)[:, None], np.arange(20.0)
    model = gw.BoostingRegressor(Half(), n_estimators=30).fit(X, y)
    assert model.score(X, np.arange(20.0)) > 0.9 and np.array_equal(y, np.arange(20.0))
    with pytest.raises(OptionError, match="Half has no loss"):
        model.set_params(early_stopping=True).fit(X, y)


@pytest.mark.parametrize(
    "slopes",
    [
        lambda y, raw: ((raw - y).tolist(), [1] * len(y)),
        lambda y, raw: np.stack([raw - y, np.ones(len(y))]),
        lambda y, raw: ((raw - y).astype(object), np.ones(len(y), dtype=np.int8)),
        lambda y, raw: (np.subtract(raw, y, out=raw), y.fill(7.0) or np.ones(len(y), dtype=np.float32)),
    ],
    ids=["lists", "one array", "objects and integers", "arguments written to"],
)
def test_slopes_of_any_kind_grow_the_trees_of_the_built_in(slopes: Any) -> None:
    built_in = gw.BoostingRegressor(n_estimators=3, max_depth=2).fit(X, Y)
    np.testing.assert_array_equal(fitted(slopes).predict(X), built_in.predict(X))


def test_single_precision_is_taken_as_it_is() -> None:
    built_in = gw.BoostingRegressor(n_estimators=3, max_depth=2).fit(X, Y)
    single = fitted(lambda y, raw: ((raw - y).astype(np.float32), np.ones(len(y), dtype=np.float32)))
    np.testing.assert_allclose(single.predict(X), built_in.predict(X), atol=1e-6)


@pytest.mark.parametrize(
    ("slopes", "message"),
    [
        (lambda y, raw: (raw - y, np.zeros(len(y))), "hessian of Own is nowhere above 0"),
        (lambda y, raw: (raw - y, -np.ones(len(y))), "hessian of Own is nowhere above 0"),
        (lambda y, raw: (raw - y, np.full(len(y), np.inf)), "hessian of Own must be 60 finite numbers"),
        (lambda y, raw: (raw - y, 1.0), "hessian of Own must be 60 finite numbers"),
        (lambda y, raw: ((raw - y)[:, None], np.ones(len(y))), "gradient of Own must be 60 finite numbers"),
        (lambda y, raw: ((raw - y) * 1j, np.ones(len(y))), "gradient of Own must be 60 finite numbers"),
        (lambda y, raw: (1e200 * (raw - y), np.ones(len(y))), "gradient of Own is as large as"),
        (lambda y, raw: (raw - y, np.full(len(y), 1e200)), r"hessian of Own is as large as 1e\+200"),
    ],
)
def test_useless_slopes_are_named(slopes: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        fitted(slopes)


def test_a_hessian_below_its_floor_counts_as_the_floor() -> None:
    def falling(y: Any, raw: Any) -> Any:
        return raw - y, np.where(y > 0, 1.0, -1.0)

    def floored(y: Any, raw: Any) -> Any:
        return raw - y, np.where(y > 0, 1.0, 1e-6)

    np.testing.assert_array_equal(fitted(falling).predict(X), fitted(floored).predict(X))


def test_what_the_users_code_raises_comes_through() -> None:
    def fails(y: Any, raw: Any) -> Any:
        raise ZeroDivisionError("the user's own")

    with pytest.raises(ZeroDivisionError, match="the user's own"):
        fitted(fails)


def test_a_baseline_is_given_weights_even_where_there_are_none() -> None:
    model = gw.BoostingRegressor(Squared(), n_estimators=1).fit(X, Y)
    assert model.ensemble_.baseline[0] == pytest.approx(Y.mean())
    weighted = gw.BoostingRegressor(Squared(), n_estimators=1).fit(X, Y, sample_weight=np.arange(60.0))
    assert weighted.ensemble_.baseline[0] == pytest.approx(np.average(Y, weights=np.arange(60.0)))


def test_a_model_with_its_own_loss_is_pickled_copied_and_stopped_early() -> None:
    options: Any = {"n_estimators": 30, "early_stopping": True, "random_state": 0, "metrics": ["mae"]}
    model = gw.BoostingRegressor(Squared(), **options).fit(X, Y)
    assert model.history_.metrics == ("Squared", "mae")
    assert model.ensemble_.n_trees == model.history_.of("validation", "Squared").argmin() + 1
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert clone(model).fit(X, Y).ensemble_ == model.ensemble_


@pytest.mark.serial
@pytest.mark.usefixtures("control_c")
def test_control_c_within_the_users_code_ends_the_fit(capsys: pytest.CaptureFixture[str]) -> None:
    called: list[int] = []

    def stopped(y: Any, raw: Any) -> Any:
        called.append(1)
        if len(called) == 3:
            signal.raise_signal(signal.SIGINT)
        return raw - y, np.ones(len(y))

    model = gw.BoostingRegressor(Own(stopped), n_estimators=100)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, Y, progress=True)
    assert len(called) == 3
    assert not hasattr(model, "ensemble_")
    assert capsys.readouterr().err.endswith("\n")  # the bar's line is closed

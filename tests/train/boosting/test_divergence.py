"""Steps end at the minimum of a leaf; harmful rounds are stopped; no model predicts infinity for its rows."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.errors import DivergenceWarning, OptionError
from glasswood.train.boosting._losses import make_loss

RNG = np.random.default_rng(0)
X = RNG.normal(size=(500, 4))
MU = np.exp(X[:, 0] + 0.5 * X[:, 1] * X[:, 2])
TARGETS = {
    "gamma": RNG.gamma(1.0, MU) + 1e-9,
    "poisson": RNG.poisson(MU).astype(float),
    "tweedie": np.where(RNG.random(500) < 0.5, 0.0, RNG.gamma(1.0, MU)),
}


def losses(model: Any, name: str) -> Any:
    return model.history_.of("train", name)


@pytest.mark.parametrize("statistics", ["exact", "quantised"])
@pytest.mark.parametrize("learning_rate", [0.1, 1.0])
@pytest.mark.parametrize("name", TARGETS)
def test_the_training_loss_of_a_log_link_never_rises(name: str, learning_rate: float, statistics: str) -> None:
    model = gw.BoostingRegressor(
        loss=name, learning_rate=learning_rate, l2=0.0, n_estimators=60, statistics=statistics, min_weight_leaf=0.0
    ).fit(X, TARGETS[name])
    assert np.all(np.diff(losses(model, name)) <= 1e-12)
    assert np.abs(model.ensemble_.predict_raw(X)).max() < 60
    assert np.isfinite(model.predict(X)).all()


@settings(max_examples=100)
@given(st.sampled_from(["poisson", "gamma", "tweedie"]), st.floats(1.01, 1.99), st.integers(0, 2**32 - 1), st.data())
def test_a_leaf_never_passes_its_minimum(name: str, power: float, seed: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(seed)
    n = data.draw(st.integers(4, 8))
    side = np.arange(n) % 2
    y = np.exp(rng.normal(size=n) * data.draw(st.sampled_from([0.1, 1.0, 4.0])))
    if name != "gamma":
        y[: n - 1] *= rng.random(n - 1) < 0.7
    weight = rng.random(n) + 0.1
    offset = rng.normal(size=n) * data.draw(st.sampled_from([0.0, 3.0]))
    model = gw.BoostingRegressor(
        loss=name, power=power, learning_rate=1.0, l2=0.0, n_estimators=1, max_depth=1, min_weight_leaf=0.0
    ).fit(side[:, None], y, sample_weight=weight, offset=offset)
    loss = make_loss(name, quantile=0.5, power=power)
    step = model.ensemble_.predict_raw(side[:, None]) - model.ensemble_.baseline[0]
    before = model.ensemble_.baseline[0] + offset
    for k in (side == 0, side == 1):
        raw = [(before + share * step)[None, k] for share in (0.0, 0.5, 1.0)]
        first, middle, last = (loss.mean(y[k], np.ascontiguousarray(r), weight[k], 1) for r in raw)
        assert last <= middle + 1e-9 * (1 + middle) and middle <= first + 1e-9 * (1 + first)


@pytest.mark.parametrize(
    ("name", "y", "low", "high"),
    [
        # μ = 2.5: ratios of 2 and 0; Newton says 1 and −1, the minima are log 2 and −inf
        ("poisson", [9.0, 1.0, 0.0, 0.0], np.log(2.0), -1.0),
        # μ = 2: ratios of 0.05 and 1.95; Newton says −19 and 0.487, the minima are log 0.05 and 0.668
        ("gamma", [0.1, 0.1, 3.9, 3.9], np.log(0.05), 1 - 1 / 1.95),
    ],
)
def test_a_leaf_takes_the_shorter_of_newton_and_minimum(name: str, y: list[float], low: float, high: float) -> None:
    rows = np.array([[0.0], [0.0], [1.0], [1.0]])
    model = gw.BoostingRegressor(loss=name, learning_rate=1.0, l2=0.0, n_estimators=1, max_depth=1).fit(rows, y)
    np.testing.assert_allclose(model.ensemble_.value[1:, 0], [low, high])


@pytest.mark.parametrize("classes", [2, 3])
def test_the_raw_of_classes_stays_of_reasonable_size(classes: int) -> None:
    y = np.digitize(X[:, 0] + RNG.normal(size=500), [0.0, 1.0][: classes - 1])
    model = gw.BoostingClassifier(learning_rate=1.0, l2=0.0, n_estimators=100).fit(X, y)
    assert np.abs(model.ensemble_.value).max() <= 13.8
    assert np.abs(model.ensemble_.predict_raw(X)).max() < 100


def test_harmful_rounds_are_stopped_and_left_out() -> None:
    with pytest.warns(DivergenceWarning, match="10 rounds the training loss was more than twice the .* keeps 1 rounds"):
        model = gw.BoostingRegressor(learning_rate=3.0, l2=0.0, n_estimators=400).fit(X, MU)
    assert model.history_.n_rounds < 40 and model.history_.best_round == 1
    assert model.ensemble_.n_trees == 1 and np.isfinite(model.predict(X)).all()


def test_rounds_that_predict_infinities_are_left_out() -> None:
    with pytest.warns(DivergenceWarning, match=r"round \d+ predicts infinities"):
        model = gw.BoostingRegressor(loss="poisson", learning_rate=60.0, l2=0.0, n_estimators=9, max_depth=2).fit(
            X, TARGETS["poisson"]
        )
    assert np.isfinite(model.predict(X)).all()
    with pytest.raises(OptionError, match="round 1 predicts infinities; lower learning_rate=10000"):
        gw.BoostingRegressor(loss="poisson", learning_rate=1e4, l2=0.0).fit(X, TARGETS["poisson"])


def test_earlier_rounds_are_kept_if_later_ones_do_harm() -> None:
    model = gw.BoostingRegressor(loss="poisson", n_estimators=5, warm_start=True).fit(X, TARGETS["poisson"])
    before = model.predict(X)
    with pytest.warns(DivergenceWarning, match="keeps 5 rounds"):
        model.set_params(n_estimators=9, learning_rate=1e4).fit(X, TARGETS["poisson"])
    np.testing.assert_array_equal(model.predict(X), before)
    assert model.history_.best_round == 5


@pytest.mark.parametrize("name", ["squared_error", "absolute_error", "poisson", "gamma", "tweedie"])
def test_few_rows_per_round_are_not_a_reason_to_stop(name: str) -> None:
    y = RNG.normal(size=500)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DivergenceWarning)
        model = gw.BoostingRegressor(loss=name, subsample=0.2, n_estimators=40, random_state=0)
        model.fit(X, y if name.endswith("error") else np.exp(y))
    assert model.history_.n_rounds == 40

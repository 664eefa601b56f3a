"""GradientBoosting: one or two stages whose numbers one can check by hand."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LinearRegression

import glasswood as gw

X = np.array([[0.0], [1.0], [2.0], [3.0]])
Y = np.array([1.0, 1.0, 5.0, 5.0])


def test_a_stage_moves_from_the_mean_by_the_learning_rate() -> None:
    ensemble = gw.read(GradientBoostingRegressor(n_estimators=1, learning_rate=0.5).fit(X, Y), X)
    assert ensemble.baseline.tolist() == [3.0]
    assert ensemble.predict(X).tolist() == [2.0, 2.0, 4.0, 4.0]
    assert str(ensemble.link) == "identity"


@pytest.mark.parametrize(
    ("init", "baseline"),
    [("zero", 0.0), (DummyRegressor(strategy="median"), 3.0), (DummyRegressor(strategy="constant", constant=7.0), 7.0)],
)
def test_a_constant_init_is_the_baseline(init: object, baseline: float) -> None:
    assert gw.read(GradientBoostingRegressor(n_estimators=2, init=init).fit(X, Y), X).baseline.tolist() == [baseline]


def test_two_classes_start_at_the_log_odds() -> None:
    ensemble = gw.read(GradientBoostingClassifier(n_estimators=1).fit(X, ["a", "b", "b", "b"]), X)
    assert ensemble.baseline == pytest.approx([np.log(3)])
    assert (ensemble.outputs, str(ensemble.link)) == (("b",), "logit")


def test_exponential_loss_works_on_half_the_log_odds() -> None:
    model = GradientBoostingClassifier(n_estimators=3, loss="exponential").fit(X, [0, 1, 1, 1])
    ensemble = gw.read(model, X)
    assert ensemble.baseline == pytest.approx([np.log(3) / 2])
    assert str(ensemble.link) == "logit (scale 2)"
    assert ensemble.predict(X) == pytest.approx(model.predict_proba(X)[:, 1], rel=1e-14)


def test_three_classes_grow_three_trees_a_stage() -> None:
    model = GradientBoostingClassifier(n_estimators=2).fit(X, [5, 6, 7, 7])
    ensemble = gw.read(model, X)
    assert ensemble.tree_output.tolist() == [0, 1, 2, 0, 1, 2]
    assert (ensemble.outputs, str(ensemble.link)) == (("5", "6", "7"), "softmax")
    assert np.allclose(ensemble.predict(X), model.predict_proba(X), rtol=1e-14)


def test_missing_values_are_not_routed() -> None:
    assert not gw.read(GradientBoostingRegressor(n_estimators=1).fit(X, Y)).features.missing_routed.any()


def test_an_init_that_depends_on_the_row_is_refused_by_name() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="LinearRegression, whose prediction is not a constant"):
        gw.read(GradientBoostingRegressor(n_estimators=1, init=LinearRegression()).fit(X, Y))
    random = DummyClassifier(strategy="stratified", random_state=0)
    with pytest.raises(gw.UnsupportedModelError, match="DummyClassifier"):
        gw.read(GradientBoostingClassifier(n_estimators=1, init=random).fit(X, [0, 1, 0, 1]))


def test_an_unfitted_model_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(GradientBoostingRegressor())

"""Draws: which rows each tree was grown on."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingRegressor, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.readers import read_draws

X = np.arange(20.0).reshape(-1, 1)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(4, random_state=0),
        BaggingRegressor(DecisionTreeRegressor(), 4, random_state=0),
        gw.ForestRegressor(4, random_state=0),
    ],
    ids=["forest", "bagging", "own"],
)
def test_every_draw_is_counted(model) -> None:
    model = clone(model).fit(X, X[:, 0])
    draws = read_draws(model, 20)
    assert draws.shape == (20, 4) and draws.dtype == np.uint8
    for tree, drawn in enumerate(model.estimators_samples_):
        assert np.repeat(np.arange(20), draws[:, tree]).tolist() == sorted(drawn)


def test_another_table_is_refused() -> None:
    for model in (RandomForestRegressor(4), gw.ForestRegressor(4, random_state=0)):
        with pytest.raises(TableError, match="X_train has 5 rows"):
            read_draws(model.fit(X, X[:, 0]), 5)
    for model in (RandomForestRegressor(4), gw.ForestRegressor(4, random_state=0)):
        with pytest.raises(TableError, match="X_train has 21 rows"):
            read_draws(model.fit(X, X[:, 0]), 21)


def test_models_without_draws_are_refused() -> None:
    with pytest.raises(UnsupportedModelError, match="a DecisionTreeRegressor does not know"):
        read_draws(DecisionTreeRegressor().fit(X, X[:, 0]), 20)

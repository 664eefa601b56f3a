"""Which scikit-learn classes are read, and the advice for the others."""

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostRegressor, RandomTreesEmbedding, StackingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.multioutput import MultiOutputRegressor
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw

X = np.arange(12.0).reshape(-1, 1)


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (AdaBoostRegressor(n_estimators=2), "weighted median"),
        (RandomTreesEmbedding(n_estimators=2), "predicts nothing"),
        (StackingRegressor([("tree", DecisionTreeRegressor())], cv=2), "estimators_ one by one"),
        (MultiOutputRegressor(DecisionTreeRegressor()), "one model per target"),
        (LinearRegression(), "is not a tree model"),
    ],
    ids=lambda part: type(part).__name__ if not isinstance(part, str) else "",
)
def test_what_is_not_a_sum_over_trees_says_so_and_what_to_do(model: Any, advice: str) -> None:
    y = X if isinstance(model, MultiOutputRegressor) else X[:, 0]
    with pytest.raises(gw.UnsupportedModelError, match=f"scikit-learn's {type(model).__name__} .*{advice}"):
        gw.read(model.fit(X, y))


def test_a_quantile_forest_is_told_how_to_explain_the_mean() -> None:
    cls = type("RandomForestQuantileRegressor", (DecisionTreeRegressor,), {"__module__": "quantile_forest._forest"})
    with pytest.raises(
        gw.UnsupportedModelError, match=r"quantile_forest's .*not sums over trees.*scikit-learn's forest"
    ):
        gw.read(cls().fit(X, X[:, 0]))

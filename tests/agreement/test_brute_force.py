"""Interventional effects equal brute force for every library we read: predict with the feature set, cell by cell."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from tests.agreement.small_models import catboost, forest, histogram_boosting, lightgbm, own, perpetual, xgboost
from tests.agreement.tables import COLOURS

N = 60


def representative(cells: Any, i: int) -> Any:
    """Some value of the cell; None for an unseen category, which a frame of known categories cannot hold."""
    if cells.missing[i]:
        return np.nan
    if np.isnan(cells.upper[i]):
        label = cells.category[i]
        return COLOURS[label] if isinstance(label, int) else label  # XGBoost truncates labels, so codes are used
    return cells.upper[i] if np.isfinite(cells.upper[i]) else cells.lower[i] + 1.0


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, perpetual, histogram_boosting, forest, own])
@pytest.mark.filterwarnings("ignore")
def test_every_cell_equals_predict_with_the_feature_set(make: Any, n_classes: int) -> None:
    model, X = make(n_classes)
    e = gw.read(model, X)
    weight = np.random.default_rng(2).random(len(X)) + 0.1
    fx = gw.effects(e, X, sample_weight=weight)
    checked = 0
    for j, name in enumerate(X.columns):
        effect = fx[j]
        for i in range(len(effect.cells)):
            value = representative(effect.cells, i)
            if value is None or len(effect.cells) == 1 or np.isneginf(effect.cells.upper[i]):
                continue
            moved = X.copy()
            moved[name] = pd.Categorical([value] * len(X), categories=COLOURS) if name == "colour" else value
            expected = np.average(e.predict_raw(moved), axis=0, weights=weight)
            np.testing.assert_allclose(effect.value[i], expected, rtol=1e-10, atol=1e-10)
            checked += 1
    assert checked > 10

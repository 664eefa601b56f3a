"""Identities of attributions that must hold for every kind of model that is read, and for deep models with categories
and missing values."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingRegressor, IsolationForest, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from tests.agreement.small_models import (
    catboost,
    forest,
    frame,
    histogram_boosting,
    lightgbm,
    numbers,
    own,
    perpetual,
    target,
    xgboost,
)

Made = tuple[Any, Any]  # a model and its rows


def isolation_forest() -> Made:
    X = numbers().fillna(0)
    return IsolationForest(n_estimators=10, random_state=0).fit(X), numbers(40, 1).fillna(0)


def bag() -> Made:
    X = numbers().fillna(0)
    model = BaggingRegressor(DecisionTreeRegressor(max_depth=4), 5, max_features=0.7, random_state=0)
    return model.fit(X, target(0)), numbers(40, 1).fillna(0)


def pipeline() -> Made:
    X = numbers().fillna(0)
    model = make_pipeline(StandardScaler(), RandomForestRegressor(5, max_depth=5, random_state=0))
    return model.fit(X, target(0)), numbers(40, 1).fillna(0)


def derived() -> Made:
    X = numbers().fillna(0)
    model = make_pipeline(PCA(3), RandomForestRegressor(5, max_depth=5, random_state=0))
    return model.fit(X, target(0)), numbers(40, 1).fillna(0)


def difference() -> Made:
    (left, X), (right, _) = own(0), lightgbm(0)
    return gw.difference(gw.read(left, X), gw.read(right, X)), X


def onnx() -> Made:
    pytest.importorskip("onnxruntime")
    X = numbers().fillna(0)
    model = gw.BoostingRegressor(n_estimators=5, max_depth=4).fit(X, target(0))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.onnx"
        gw.export(model, file, X)
        return gw.read(file), numbers(40, 1).fillna(0).to_numpy()


def symmetric_trees() -> Made:
    model = gw.BoostingRegressor(n_estimators=5, max_depth=4, symmetric=True)
    return model.fit(frame(), target(0)), frame(40, 1)


def own_forest() -> Made:
    return gw.ForestClassifier(5, random_state=0).fit(frame(), target(3)), frame(40, 1)


LIBRARIES = [lightgbm, xgboost, catboost, perpetual, histogram_boosting, forest, own]
KINDS: list[Callable[[], Made]] = [
    isolation_forest, bag, pipeline, derived, difference, onnx, symmetric_trees, own_forest,
    *(partial(make, n_classes) for make in LIBRARIES for n_classes in (0, 2, 3)),
]  # fmt: skip


def name_of(kind: Any) -> str:
    return f"{kind.func.__name__}-{kind.args[0]}" if isinstance(kind, partial) else kind.__name__


@pytest.mark.parametrize("make", KINDS, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_values_and_baseline_add_up_to_raw(make: Callable[[], Made]) -> None:
    model, X = make()
    e = gw.read(model, X)
    raw = e.predict_raw(X)
    size = np.abs(np.where((e.feature < 0)[:, None], e.value, 0)).max(axis=1)
    bound = 1e-12 * max(1.0, np.abs(raw).max(), np.maximum.reduceat(size, e.tree_start[:-1]).sum())
    over = gw.attributions(model, X, background=X)
    np.testing.assert_allclose(over.values.sum(axis=1) + over.baseline, raw, rtol=0, atol=bound)
    np.testing.assert_array_equal(over.raw, raw)
    if np.isnan(e.weight).any():
        with pytest.raises(gw.UnsupportedModelError, match="pass background"):
            gw.attributions(model, X)
        return
    path = gw.attributions(model, X)
    np.testing.assert_allclose(path.values.sum(axis=1) + path.baseline, raw, rtol=0, atol=bound)


@pytest.mark.parametrize("make", [own_forest, partial(own, 0), partial(lightgbm, 0), symmetric_trees], ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_over_the_background_values_average_0_and_a_row_over_itself_gets_exactly_0(make: Callable[[], Made]) -> None:
    model, X = make()
    X = X.iloc[:40].assign(colour=X["colour"].where(np.arange(len(X)) % 7 > 0))
    assert X["colour"].isna().any() and X.isna().sum().sum() > 6
    over = gw.attributions(model, X, background=X)
    np.testing.assert_allclose(over.values.mean(axis=0), 0, rtol=0, atol=1e-12)
    for row in range(0, len(X), 7):
        alone = gw.attributions(model, X, background=X.iloc[[row]], interactions=True)
        assert alone.interactions is not None
        assert not alone.values[row].any() and not alone.interactions[row].any()
        np.testing.assert_array_equal(alone.baseline, np.atleast_1d(alone.raw[row]))


def test_a_deep_model_too() -> None:
    X = numbers().fillna(0)
    model = RandomForestRegressor(3, max_features=0.5, random_state=0).fit(X, target(0))
    over = gw.attributions(model, X, background=X)
    np.testing.assert_allclose(over.values.mean(axis=0), 0, rtol=0, atol=1e-12)
    alone = gw.attributions(model, X.iloc[:9], background=X.iloc[[4]])
    assert not alone.values[4].any() and alone.values[3].any()


@pytest.mark.parametrize("make", [own_forest, partial(own, 3), partial(lightgbm, 0)], ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_equal_background_rows_are_one(make: Callable[[], Made]) -> None:
    model, X = make()
    one = gw.attributions(model, X, background=X.iloc[[2]], interactions=True)
    many = gw.attributions(model, X, background=X.iloc[[2] * 64], interactions=True)
    np.testing.assert_array_equal(one.values, many.values)
    np.testing.assert_array_equal(one.interactions, many.interactions)


def value_at(effect: Any, column: Any) -> Any:
    """The effect in the cell of each row."""
    cells, found = effect.cells, []
    for value in column:
        if value is None or value != value:
            (cell,) = np.flatnonzero(cells.missing)
        elif cells.is_category:
            cell = cells.category.index(value)
        else:
            (cell,) = np.flatnonzero((cells.lower < value) & (value <= cells.upper))
        found.append(effect.value[cell])
    return np.array(found)


@pytest.mark.parametrize("categories", [False, True])
def test_at_depth_2_values_are_own_terms_and_half_of_the_pairs(categories: bool) -> None:
    X = frame() if categories else numbers()
    model = gw.BoostingRegressor(n_estimators=12, max_depth=2, symmetric=False).fit(X, target(0))
    rows = X.iloc[:80]
    found = gw.attributions(model, rows, background=X, interactions=True)
    assert found.interactions is not None
    # f_j by its definition: PD_j − PD_∅, from the effects, cell by cell
    fx = gw.effects(model, X)
    for j, name in enumerate(found.names):
        own_term = value_at(fx[name], rows[name]) - found.baseline[0]
        np.testing.assert_allclose(found.interactions[:, j, j], own_term, rtol=0, atol=1e-12)
    half = found.interactions.sum(axis=2) - np.diagonal(found.interactions, axis1=1, axis2=2)
    mains = np.column_stack([value_at(fx[n], rows[n]) - found.baseline[0] for n in found.names])
    np.testing.assert_allclose(found.values, mains + half, rtol=0, atol=1e-12)
    # the pairs, whole, are what single features leave
    left = found.raw - found.baseline[0] - mains.sum(axis=1)
    np.testing.assert_allclose(half.sum(axis=1), left, rtol=0, atol=1e-12)

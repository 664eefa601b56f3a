"""A certificate always holds: raw is what the library predicts for the same table object, or there is an error."""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from catboost import CatBoostRegressor
from lightgbm import LGBMRegressor
from perpetual import PerpetualBooster
from sklearn.ensemble import (
    BaggingRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from xgboost import XGBRegressor

import glasswood as gw
from glasswood.ensemble import OWN_TABLE
from tests.agreement.own_tables import (
    forms_of_levels,
    forms_of_numbers,
    level_target,
    levels,
    number_target,
    numbers,
)

NUMBERS = numbers()
CATEGORIES = ["colour", "id", "code", "flag"]


def perpetual(X: Any, y: np.ndarray) -> Any:
    return PerpetualBooster(objective="SquaredLoss", budget=0.3, iteration_limit=8).fit(X, y)


def catboost(X: Any, y: np.ndarray, **options: Any) -> Any:
    return CatBoostRegressor(iterations=8, thread_count=1, verbose=0, allow_writing_files=False, **options).fit(X, y)


FITS: dict[str, Callable[[Any, np.ndarray], Any]] = {
    "RandomForestRegressor": lambda X, y: RandomForestRegressor(5, max_depth=6, random_state=0).fit(X, y),
    "GradientBoostingRegressor": lambda X, y: GradientBoostingRegressor(n_estimators=8).fit(X, y),
    "HistGradientBoostingRegressor": lambda X, y: HistGradientBoostingRegressor(max_iter=8).fit(X, y),
    "BaggingRegressor": lambda X, y: BaggingRegressor(n_estimators=3, random_state=0).fit(X, y),
    "LGBMRegressor": lambda X, y: LGBMRegressor(n_estimators=8, n_jobs=1, verbose=-1).fit(X, y),
    "XGBRegressor": lambda X, y: XGBRegressor(n_estimators=8, n_jobs=1).fit(X, y),
    "CatBoostRegressor": catboost,
    "PerpetualBooster": perpetual,
}


LEVEL_FITS: dict[str, Callable[[pd.DataFrame, np.ndarray], Any]] = {
    "HistGradientBoostingRegressor": lambda X, y: HistGradientBoostingRegressor(
        max_iter=8, categorical_features="from_dtype"
    ).fit(X, y),
    "LGBMRegressor": lambda X, y: LGBMRegressor(n_estimators=8, n_jobs=1, min_child_samples=5, verbose=-1).fit(X, y),
    "XGBRegressor": lambda X, y: XGBRegressor(n_estimators=8, n_jobs=1, enable_categorical=True).fit(X, y),
    "CatBoostRegressor": lambda X, y: catboost(X, y, cat_features=CATEGORIES, one_hot_max_size=255),
    "PerpetualBooster": lambda X, y: PerpetualBooster(
        objective="SquaredLoss", budget=0.3, iteration_limit=8, categorical_features=CATEGORIES
    ).fit(X, y),
}


@cache
def of_numbers(name: str, named: bool) -> Any:
    return FITS[name](NUMBERS if named else NUMBERS.to_numpy(), number_target(NUMBERS))


@cache
def of_levels(name: str) -> Any:
    X = level_table(name)
    return LEVEL_FITS[name](X, level_target(X))


@cache
def level_table(name: str) -> pd.DataFrame:
    return levels(("no", "yes")) if name == "XGBRegressor" else levels()  # XGBoost takes no booleans as categories


def would_end_the_process(model: Any, X: Any) -> bool:
    """Two libraries abort Python for some polars frames; then there is nothing to compare with."""
    kinds = {str(kind) for kind in X.dtypes} if type(X).__module__.startswith("polars") else set()
    if isinstance(model, PerpetualBooster):
        return bool(kinds - {"Float64"})
    return isinstance(model, CatBoostRegressor) and "Categorical" in kinds


def asked(model: Any, X: Any) -> np.ndarray | None:
    """What `model.predict(X)` returns; None if it refuses X."""
    if would_end_the_process(model, X):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(model.predict(X.copy() if isinstance(X, np.ndarray) else X), dtype=np.float64)
    except Exception:
        return None


def assert_certificate_holds(model: Any, X: Any) -> str:
    """Read with X: it raises one of our errors, or gives a certificate that holds for this object."""
    try:
        ensemble = gw.read(model, X)
    except gw.GlasswoodError as error:
        assert len(str(error)) > 20
        return type(error).__name__
    theirs = asked(model, X)
    asked_with = ensemble.source.parity.asked_with
    if theirs is None:
        assert asked_with != OWN_TABLE
        return "asked with less"
    np.testing.assert_allclose(ensemble.predict(X), theirs, rtol=1e-5, atol=1e-5)
    return "certified" if asked_with == OWN_TABLE else "asked with less"


@pytest.mark.parametrize("named", [True, False], ids=["fitted on a frame", "fitted on an array"])
@pytest.mark.parametrize("name", FITS)
def test_numbers_in_any_form_are_predicted_as_the_library_does_or_refused(name: str, named: bool) -> None:
    model = of_numbers(name, named)
    outcome = {form: assert_certificate_holds(model, X) for form, X in forms_of_numbers(NUMBERS)}
    assert outcome["the frame"] == outcome["an array"] == "certified"
    assert outcome["masked"] == "ParityError"


# perpetual's note that it may read an unknown level as the next known one
@pytest.mark.filterwarnings("ignore:feature .* holds missing or unseen:glasswood.errors.ParityWarning")
@pytest.mark.parametrize("name", LEVEL_FITS)
def test_categories_in_any_form_are_predicted_as_the_library_does_or_refused(name: str) -> None:
    model = of_levels(name)
    outcome = {form: assert_certificate_holds(model, X) for form, X in forms_of_levels(level_table(name))}
    assert outcome["the frame"] == "certified"
    if name == "XGBRegressor":  # it reads memory after a reversed view of labels, so its answer is random
        assert outcome["id: backwards"] == outcome["code: backwards"] == "ParityError"
    refused = sum(result.endswith("Error") for result in outcome.values())
    assert refused < len(outcome) / 2

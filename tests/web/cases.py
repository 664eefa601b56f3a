"""Small models with everything that pages must handle: categories, missing values, several outputs, hostile names."""

from typing import Any

import numpy as np
import pandas as pd

import glasswood as gw

HOSTILE = "</script><img src=x onerror=alert(1)> & 'quotes' \"more\""


def passengers(n: int = 400, seed: int = 0) -> pd.DataFrame:
    """Numbers with missing values and categories, one of them with a name that tries to break out of the page."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.normal(40, 15, n).round(1),
            "fare": rng.exponential(30, n).round(2),
            HOSTILE: pd.Categorical(rng.choice(["<b>red</b>", "blue", "green & co"], n)),
            "port": pd.Categorical(rng.choice(list("CQS"), n)),
        }
    )
    table.loc[rng.random(n) < 0.15, "age"] = np.nan
    return table


def target(X: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Depends on age and colour together, and on fare."""
    red = (X[HOSTILE] == "<b>red</b>").to_numpy()
    age = X["age"].fillna(40).to_numpy()
    return np.where(red, (age > 45) * 1.0, (age < 30) * 0.8) + 0.01 * X["fare"].to_numpy()


def binary(n: int = 400) -> tuple[Any, pd.DataFrame, np.ndarray[Any, Any]]:
    """A boosted classifier of two classes."""
    X = passengers(n)
    y = np.where(target(X) + np.random.default_rng(1).normal(0, 0.2, n) > 0.6, "yes <i>", "no")
    return gw.BoostingClassifier(n_estimators=20, max_depth=3).fit(X, y), X, y


def several(n: int = 300) -> tuple[Any, pd.DataFrame, np.ndarray[Any, Any]]:
    """A forest of three classes."""
    X = passengers(n)
    y = np.digitize(target(X), [0.3, 0.9])
    return gw.ForestClassifier(8, max_depth=4, random_state=0).fit(X, y), X, y


def numbers(n: int = 300) -> tuple[Any, pd.DataFrame, np.ndarray[Any, Any]]:
    """A boosted regression."""
    X = passengers(n)
    return gw.BoostingRegressor(n_estimators=10, max_depth=3).fit(X, target(X)), X, target(X)

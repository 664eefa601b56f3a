"""Six tables and models that break pages, and the page about each, made once per run of the tests.

300 columns; ten classes; a target of 10⁹; a category of 1,000 levels; unicode and hostile names; a forest of 200 deep
trees.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

import glasswood as gw
from tests.web.cases import HOSTILE


class HardTable(NamedTuple):
    """A model, another one to compare it with, rows and targets."""

    model: Any
    other: Any
    X: Any
    y: Any


def wide() -> HardTable:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 300)), columns=[f"column {k}" for k in range(300)])
    y = X.to_numpy()[:, :20].sum(axis=1)
    model, other = (gw.ForestRegressor(n, max_depth=4, max_features=0.1, random_state=0).fit(X, y) for n in (20, 2))
    return HardTable(model, other, X, y)


def ten_classes() -> HardTable:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(500, 4)), columns=list("abcd"))
    y = np.clip((X["a"] + X["b"]) * 2 + 5, 0, 9).astype(int)
    model, other = (gw.BoostingClassifier(n_estimators=n, max_depth=3).fit(X, y) for n in (3, 1))
    return HardTable(model, other, X, y)


def billions() -> HardTable:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"area": rng.exponential(2e6, 500), "year": rng.integers(1990, 2021, 500)})
    y = 1e9 * np.exp(rng.normal(0, 1, 500) + (X["year"] > 2005)) + 100 * X["area"]
    model, other = (gw.ForestRegressor(n, max_depth=4, random_state=0).fit(X, y) for n in (8, 2))
    return HardTable(model, other, X, y)


def thousand_levels() -> HardTable:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 1000, 3000)
    X = pd.DataFrame({"code": pd.Categorical([f"code {k:04d}" for k in codes]), "n": rng.normal(size=3000)})
    y = codes % 7 + X["n"] > 3
    model, other = (gw.TreeClassifier(max_depth=depth).fit(X, y) for depth in (5, 2))
    return HardTable(model, other, X, y)


def hostile() -> HardTable:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({HOSTILE: rng.normal(size=200), "größe_‮名前": rng.normal(size=200), "": rng.integers(0, 3, 200)})
    y = np.where(X[HOSTILE] * X[""] > 0.2, "<b>ja</b>", "no & no")
    model, other = (gw.BoostingClassifier(n_estimators=n, max_depth=3).fit(X, y) for n in (6, 2))
    return HardTable(model, other, X, y)


def deep_forest() -> HardTable:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(800, 6)), columns=list("abcdef"))
    y = (X["a"] * X["b"] + rng.normal(size=800) > 0).astype(int)
    model, other = (RandomForestClassifier(n, random_state=0, n_jobs=1).fit(X, y) for n in (200, 2))
    return HardTable(model, other, X, y)


HARD_TABLES: dict[str, Callable[[], HardTable]] = {
    "300 columns": wide,
    "ten classes": ten_classes,
    "a target of 1e9": billions,
    "1,000 levels": thousand_levels,
    "hostile names": hostile,
    "200 deep trees": deep_forest,
}


@cache
def report_on(name: str) -> Any:
    """A report with every panel a report can have: targets, training rows, another model."""
    model, other, X, y = HARD_TABLES[name]()
    return gw.report(model, X[50:], y[50:], train=(X[:50], y[:50]), other=other)

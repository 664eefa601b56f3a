"""Frames: a table with all that partitions can do to an explanation, in memory and as collections."""

from dataclasses import dataclass
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd

import dask
import glasswood as gw

ENDS = [40, 40, 41, 130, 240]  # of the partitions: one is empty, one has a row


@dataclass(frozen=True)
class Problem:
    """Rows with missing values, levels that differ by partition, and weights of which some are 0."""

    X: pd.DataFrame
    y: pd.Series
    weight: pd.Series
    model: Any

    @property
    def collections(self) -> tuple[Any, Any, Any]:
        """X, y and the weights, cut alike; each partition has categories of its own."""
        return in_parts(self.X, category="town"), in_parts(self.y), in_parts(self.weight)


def make_problem(*, classes: bool = False) -> Problem:
    """A model of 240 rows."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.normal(size=240).round(1) for name in "ab"})
    X["town"] = np.sort(rng.choice(["Ayr", "Bath", "Cork", "Deal", "Ely"], 240)).astype(object)
    X["c"] = rng.normal(size=240)
    y = X["a"] * X["b"] + (X["town"] == "Bath") + 0.1 * rng.normal(size=240)
    X = X.mask(rng.random(X.shape) < 0.05)
    weight = pd.Series(rng.gamma(1.0, size=240) * (rng.random(240) > 0.1))
    if classes:
        y = pd.Series(np.where(y > y.median(), "yes", "no"))
        return Problem(X, y, weight, gw.BoostingClassifier(n_estimators=5, max_depth=3).fit(X, y))
    return Problem(X, y, weight, gw.BoostingRegressor(n_estimators=5, max_depth=3).fit(X, y))


def in_parts(table: Any, category: str | None = None) -> Any:
    """A frame or series as a collection; a column of text becomes categories that Dask does not know."""
    parts = [table.iloc[a:b] for a, b in zip([0, *ENDS[:-1]], ENDS, strict=True)]
    if category is not None:
        parts = [part.assign(**{category: part[category].astype("category")}) for part in parts]
    meta = parts[0].iloc[:0]
    if category is not None:
        meta = meta.assign(**{category: dd.utils.clear_known_categories(meta[category].astype("category"))})
    return dd.from_delayed([dask.delayed(part) for part in parts], meta=meta, verify_meta=False)

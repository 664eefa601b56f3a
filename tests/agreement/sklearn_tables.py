"""The shared tables in the form scikit-learn needs: numbers alone, or with columns of category dtype."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tests.agreement.tables import mixed_frame

CATEGORIES = ("colour", "code", "flag")


def numeric_frame(n: int, seed: int, *, missing: bool = True) -> pd.DataFrame:
    """The numbers of the mixed frame; without `missing` its holes are filled."""
    frame = mixed_frame(n, seed).drop(columns=list(CATEGORIES))
    return frame if missing else frame.fillna(0.25)


def category_frame(n: int, seed: int) -> pd.DataFrame:
    """The mixed frame with category dtypes: text with missing values, integers with gaps, booleans."""
    frame = mixed_frame(n, seed)
    colour = frame["colour"].where(np.random.default_rng(seed).random(n) < 0.9, None)
    return frame.assign(colour=colour.astype("category")).astype({"code": "category", "flag": "category"})


def unseen(X: pd.DataFrame) -> pd.DataFrame:
    """The same rows with categories no model has seen in every third row."""
    changed = X.copy()
    for name, label in (("colour", "violet"), ("code", 11)):
        wider = changed[name].cat.add_categories([label])
        wider.iloc[::3] = label
        changed[name] = wider
    return changed


def target(X: pd.DataFrame, seed: int) -> NDArray[np.float64]:
    """A target that depends on every column that varies, including missing values and categories."""
    y = X["normal"] * X["grid"] + 0.01 * (X["time"] - 1.7e9) + X["holes"].fillna(2.0)
    for name in CATEGORIES:
        if name in X:
            y = y + np.array([2.0, 0.0, -1.5, 1.0, 0.5, -0.7])[X[name].cat.codes]
    return np.asarray(y, dtype=np.float64) + np.random.default_rng(seed).normal(scale=0.3, size=len(X))

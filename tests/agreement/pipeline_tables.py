"""Tables for pipelines: numbers and levels, and rows exactly on the thresholds of a model."""

from typing import Any

import numpy as np
import pandas as pd

from glasswood.ensemble import Ensemble

N = 300
NUMBERS, LEVELS = ["age", "fare"], ["city", "deck", "code"]


def mixed_frame(seed: int = 0, *, missing: bool = True) -> pd.DataFrame:
    """Two columns of numbers, two of text and one of whole numbers, with missing values where wanted."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": np.round(rng.normal(40, 12, N), 1),
            "fare": rng.gamma(2, 20, N) + 1,
            "city": rng.choice(["Rome", "Oslo", "Paris", "Bern", "Nîmes"], N, p=[0.4, 0.3, 0.2, 0.07, 0.03]),
            "deck": rng.choice(np.array(["A", "B", "C"], dtype=object), N),
            "code": rng.integers(1, 6, N),
        }
    )
    if missing:
        frame.loc[rng.random(N) < 0.1, "age"] = np.nan
        frame.loc[rng.random(N) < 0.1, "deck"] = np.nan
    return frame


def target(frame: pd.DataFrame) -> np.ndarray:
    """A number that depends on every column of the frame."""
    parts = {
        "age": lambda column: np.sin(column.fillna(75.0) / 5) * 4,
        "fare": lambda column: column / 10,
        "city": lambda column: (column == "Rome") * 5,
        "deck": lambda column: column.map({"A": 3.0, "B": 1.0, "C": 0.0}).astype(float).fillna(7.0),
        "code": lambda column: column % 3,
    }
    total = np.zeros(len(frame))
    for name in frame:
        total += parts[str(name)](frame[name]).to_numpy(dtype=float)
    return total


def rows_on_thresholds(
    ensemble: Ensemble, X: pd.DataFrame, seed: int = 1, *, unseen: bool = True, missing: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Rows of X with values on every threshold of the model and one float beside, every level, and unseen ones."""
    rng = np.random.default_rng(seed)
    values: dict[str, list[Any]] = {}
    for j, name in enumerate(ensemble.feature_names):
        labels = ensemble.features.categories[j]
        if labels is not None:
            values[name] = [
                *labels,
                *(["never seen" if isinstance(labels[0], str) else 977] if unseen and labels else []),
            ]
        else:
            cuts = np.unique(ensemble.threshold[(ensemble.feature == j) & np.isfinite(ensemble.threshold)])
            values[name] = np.concatenate([np.nextafter(cuts, -np.inf), cuts, np.nextafter(cuts, np.inf)]).tolist()
        if name in missing:
            values[name].append(np.nan)
    n = max(map(len, values.values()))
    columns = {}
    for name, wanted in values.items():
        own = X[name].to_numpy()
        picked = rng.choice(own, 2 * n + len(own))
        column = np.array(picked, dtype=object if own.dtype.kind == "O" or isinstance(own[0], str) else float)
        places = rng.permutation(len(column))[: len(wanted)]
        for place, value in zip(places, wanted, strict=True):
            column[place] = value
        columns[name] = pd.Series(column, dtype=X[name].dtype if X[name].dtype == object else None)
    return pd.DataFrame(columns)

"""Tables with values that readers often get wrong: missing values, categories, constants, timestamps, thresholds."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from glasswood import Ensemble

COLOURS = ["red", "green", "blue", "a label beyond sixteen bytes", "é"]
UNSEEN = ["violet", "Red"]


def mixed_frame(n: int, seed: int, *, unseen: bool = False) -> pd.DataFrame:
    """Rows with every kind of column; with `unseen` one row in ten has a category no training table holds."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "normal": rng.normal(size=n),
            "colour": rng.choice(COLOURS, n),
            "holes": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "code": rng.choice([3, 10, 77], n),
            "constant": np.ones(n),
            "time": 1.7e9 + rng.integers(0, 600, n),
            "flag": rng.random(n) < 0.4,
            "grid": rng.integers(0, 8, n) / 4,
        }
    )
    if unseen:
        odd = rng.random(n) < 0.1
        frame["colour"] = np.where(odd, rng.choice(UNSEEN, n), frame["colour"])
        frame["code"] = np.where(odd, 11, frame["code"])
    return frame


def signal(frame: pd.DataFrame, seed: int) -> NDArray[np.float64]:
    """A target that depends on every column."""
    rng = np.random.default_rng(seed)
    parts = [
        frame["normal"] * frame["grid"],
        1.5 * (frame["colour"] == "red"),
        0.8 * frame["holes"].fillna(1.7),
        2.0 * (frame["code"] == 10),
        (frame["time"] - 1.7e9) / 300,
        -1.2 * frame["flag"],
        rng.normal(size=len(frame)) * 0.1,
    ]
    return np.asarray(sum(part.to_numpy(dtype=float) if isinstance(part, pd.Series) else part for part in parts))


def threshold_neighbours(ensemble: Ensemble, X: Any, *, per_feature: int = 12) -> Any:
    """Rows of X moved onto thresholds, and one float32 and one float64 step to either side of them.

    If no split is on a number, one row of X unchanged, because a check without rows shows nothing.
    """
    numeric = np.flatnonzero((ensemble.feature >= 0) & (ensemble.category_set < 0))
    rng = np.random.default_rng(0)
    moved: list[tuple[int, float]] = []
    for j in np.unique(ensemble.feature[numeric]).tolist():
        own = numeric[ensemble.feature[numeric] == j]
        cuts = np.unique(np.concatenate([ensemble.stated_threshold[own], ensemble.threshold[own]]))
        for cut in rng.permutation(cuts)[:per_feature].tolist():
            moved.extend((j, value) for value in _beside(cut))
    if not moved:
        return X[:1]
    place = np.arange(len(moved)) % len(X)
    if isinstance(X, np.ndarray):
        rows = X[place].astype(np.float64)
        for i, (j, value) in enumerate(moved):
            rows[i, j] = value
        return rows
    frame = X.iloc[place].reset_index(drop=True)
    for j in {j for j, _ in moved}:
        name = ensemble.feature_names[j]
        column = frame[name].to_numpy(dtype=np.float64, copy=True)
        at = [i for i, (k, _) in enumerate(moved) if k == j]
        column[at] = [moved[i][1] for i in at]
        frame[name] = column
    return frame


def _beside(cut: float) -> list[float]:
    with np.errstate(over="ignore"):
        narrow = np.float32(cut)
        steps = [np.nextafter(narrow, np.float32(end)) for end in (-np.inf, np.inf)]
    found = [cut, float(narrow), *(float(step) for step in steps)]
    with np.errstate(over="ignore"):
        found += [float(np.nextafter(cut, end)) for end in (-np.inf, np.inf)]
    return [value for value in found if np.isfinite(value)]
